import type { NoPlace } from '#functions/engine/import/map/reading.ts'
import type { LogLine } from './run.ts'

/** Counts of place names without a unique point. */
export interface NoPlaceCounts {
  ambiguous: number
  unknown: number
}

export const countNoPlaces = (all: NoPlace[]): NoPlaceCounts => ({
  ambiguous: all.filter(({ kind }) => kind === 'ambiguous').length,
  unknown: all.filter(({ kind }) => kind === 'unknown').length,
})

/** Merges the counts of two consecutive parts. */
export const mergeNoPlaceCounts = (a: NoPlaceCounts, b: NoPlaceCounts): NoPlaceCounts => ({
  ambiguous: a.ambiguous + b.ambiguous,
  unknown: a.unknown + b.unknown,
})

/**
 * Sentences for the log: how many place names have no unique point, and why. Empty where there are none. `isOfGazetteer`:
 * its sources are to be named.
 */
export function describeNoPlaces(
  counts: NoPlaceCounts | null | undefined,
  isOfGazetteer: boolean,
): LogLine[] {
  const { ambiguous = 0, unknown = 0 } = counts ?? {}
  const all = ambiguous + unknown
  if (all === 0) return []
  const names = all === 1 ? '1 name of a place leads' : `${all} names of places lead`
  const parts = [
    ...(ambiguous ? [`${ambiguous} of several places`] : []),
    ...(unknown ? [`${unknown} not known`] : []),
  ]
  const message = `${names} to no one point (${parts.join(', ')}): those rows came in without it and are listed.`
  const credit = ' Names and points are of GeoNames (CC BY 4.0) and Natural Earth.'
  return [{ level: 'warn', message: isOfGazetteer ? `${message}${credit}` : message }]
}
