import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { iso31662 } from 'iso-3166'
import { nameKey } from '#functions/engine/map/regions.ts'
import type { IsoDifferences } from '#functions/engine/tile/manifest.ts'
import type { CountrySet } from './regions.ts'

/** The stored comparison of all sets with ISO 3166-2; sets that agree are left out. */
interface IsoComparison {
  /** The package that has the codes, with its version. */
  source: string
  sets: Record<string, IsoDifferences>
}

const file = new URL('iso-differences.json', import.meta.url)
export const isoFile = (): URL => file

/** Reads the stored comparison. */
export const readComparison = (): IsoComparison => JSON.parse(readFileSync(file, 'utf8')) as IsoComparison

/** Compares sets with ISO 3166-2 as the installed package has it. */
export function compareWithIso(sets: readonly CountrySet[]): IsoComparison {
  const { version } = createRequire(import.meta.url)('iso-3166/package.json') as { version: string }
  const differences = sets.map((set) => [set.id, findDifferences(set)] as const)
  return {
    source: `iso-3166 ${version}`,
    sets: Object.fromEntries(
      differences.filter(([, { missing, own, recoded }]) => missing.length + own.length + recoded.length),
    ),
  }
}

/** The codes above each code: of the region that contains it in ISO 3166-2, and so on. */
const parents = new Map(iso31662.map(({ code, parent }) => [code, parent]))

function listAncestorCodes(code: string): string[] {
  const parent = parents.get(code)
  return parent?.includes('-') ? [parent, ...listAncestorCodes(parent)] : []
}

/**
 * Compares a set with the codes of its country. A region of ISO's is not missing where the set has regions of
 * it, or the region that it is part of: France's regions are not, where the set has the departments. A region
 * without an ISO code that has the name of a missing one is the same with another code.
 */
function findDifferences({ country, areas }: CountrySet): IsoDifferences {
  const regions = areas.features.map(({ properties }) => properties)
  const codes = new Set(regions.map(({ code }) => code))
  const isAbove = new Set([...codes].flatMap(listAncestorCodes))
  const lacked = iso31662.filter(
    ({ code }) =>
      code.startsWith(`${country}-`) &&
      ![code, ...listAncestorCodes(code)].some((each) => codes.has(each)) &&
      !isAbove.has(code),
  )
  const byName = new Map(lacked.map((region) => [nameKey(region.name), region]))
  const unknown = regions.filter(({ code }) => !parents.has(code))
  const recoded = unknown.flatMap(({ code, name, names }) => {
    const same = [name, ...names].map((each) => byName.get(nameKey(each))).find((each) => each !== undefined)
    if (!same) return []
    byName.delete(nameKey(same.name))
    return [{ code, name, iso: same.code }]
  })
  const isRecoded = (side: 'code' | 'iso', code: string) => recoded.some((each) => each[side] === code)
  const isKnown = (code: string) => [code, ...listAncestorCodes(code)].some((each) => isRecoded('iso', each))
  return {
    missing: lacked.filter(({ code }) => !isKnown(code)).map(({ code, name }) => ({ code, name })),
    own: unknown.filter(({ code }) => !isRecoded('code', code)).map(({ code, name }) => ({ code, name })),
    recoded,
  }
}
