import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { splitKeyPath, type MappingValue } from '#functions/shapes/importer-mapping.ts'
import { isBlank } from '../map/reading.ts'

/** A point made from names, and the evidence for it in the first rows. */
export interface PlaceOffer {
  value: MappingValue
  /** The columns that it is made from, that of the names first. */
  paths: string[]
  counts: PlaceCounts
  /** About the places: "names places"; "names areas of “Wards”". */
  what: string
  /** Whose points they are. */
  origin: string
}

/** How many names lead to a point, to several, to none. */
interface PlaceCounts {
  placed: number
  ambiguous: number
  unknown: number
}

/** The shares of names that must be known, and that must be unambiguous, for a proposal. */
const minKnown = 0.8
const minPlaced = 0.5

/** The number of names. */
export const sumCounts = (all: PlaceCounts) => all.placed + all.ambiguous + all.unknown
/** The share of names that lead to a point. */
export const computeShare = (all: PlaceCounts) => all.placed / sumCounts(all)
export const emptyCounts = (): PlaceCounts => ({ placed: 0, ambiguous: 0, unknown: 0 })

/** Whether enough of the names are known, and enough of them unambiguous. */
export function isEnough(counts: PlaceCounts): boolean {
  const all = sumCounts(counts)
  return all > 0 && counts.placed >= minPlaced * all && counts.placed + counts.ambiguous >= minKnown * all
}

/** The text or number of a row at a path; undefined for none. */
export function textAt(row: unknown, path: string): string | undefined {
  let value = row
  for (const key of splitKeyPath(path)) {
    if (typeof value !== 'object' || value === null) return undefined
    value = getOwnProperty(value as Record<string, unknown>, key)
  }
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && !isBlank(value) ? value : undefined
}
