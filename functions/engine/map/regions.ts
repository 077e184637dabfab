import type { FeatureCollection } from 'geojson'
import { listAlternativeNames } from './region-names.ts'

/** The suffix of a county's full name. */
const kindOfCounty = / (?:county|parish|borough|census area|municipality|municipio|city and borough)(?=,|$)/
/** The census prefix of state and county codes in its own tables: `0500000US06037`. */
const censusPrefix = /^\d{7}us(?=\d+$)/

type RegionFinder = (value: unknown) => string | null

/**
 * The last finder of each set, with the parents it knows: made anew for each map, the finder of 3,200 counties took a
 * twentieth of the time of a walk through all screens.
 */
const finders = new WeakMap<
  FeatureCollection,
  { parents: FeatureCollection | undefined; find: RegionFinder }
>()

/**
 * Returns a function from a region's name in a data set to its `gid`, null for unknown and ambiguous ones. Regions match
 * by gid, code ('06'; also the number 6, since spreadsheets drop the zero), name (ignoring case, accents and points),
 * and alternative names (`region-names.ts`, and the `names` of their feature); for ambiguous names (there are 30
 * Washington Counties) `name, name or postal code of the parent` works with `parents`.
 */
export function regionFinder(shapes: FeatureCollection, parents?: FeatureCollection): RegionFinder {
  const before = finders.get(shapes)
  if (before && before.parents === parents) return before.find
  const find = makeFinder(shapes, parents)
  finders.set(shapes, { parents, find })
  return find
}

function makeFinder(shapes: FeatureCollection, parents?: FeatureCollection): RegionFinder {
  const parentNames = new Map(
    (parents?.features ?? []).map(({ properties }) => {
      const [gid, name] = [String(properties?.['gid']), String(properties?.['name'])]
      return [gid, [name, ...listAlternativeNames(gid)]]
    }),
  )
  const [byKey, others] = [new Map<string, string | null>(), new Map<string, string | null>()]
  let codeLength = 0
  const addTo = (names: typeof byKey, name: string, gid: string) => {
    const key = nameKey(name)
    const other = names.get(key)
    names.set(key, other === undefined || other === gid ? gid : null)
  }
  for (const { properties } of shapes.features) {
    const gid: unknown = properties?.['gid']
    if (typeof gid !== 'string') continue
    addTo(byKey, gid, gid)
    const [code, name, parent] = [properties?.['code'], properties?.['name'], properties?.['parent']]
    if (typeof code === 'string') {
      codeLength = Math.max(codeLength, /^\d+$/.test(code) ? code.length : 0)
      addTo(byKey, code, gid)
    }
    if (typeof name === 'string') {
      addTo(byKey, name, gid)
      for (const above of parentNames.get(String(parent)) ?? []) addTo(byKey, `${name}, ${above}`, gid)
    }
    const names: unknown = properties?.['names']
    const alsoCalled = Array.isArray(names) ? names.filter((each) => typeof each === 'string') : []
    for (const other of [...listAlternativeNames(gid), ...alsoCalled]) addTo(others, other, gid)
  }
  const findKey = (text: string) => byKey.get(text) ?? (byKey.has(text) ? null : (others.get(text) ?? null))
  return (value: unknown) => {
    if (typeof value !== 'string' && typeof value !== 'number') return null
    const text = nameKey(String(value)).replace(censusPrefix, '')
    if (text === '') return null
    const digits = /^\d+$/.test(text) ? text.padStart(codeLength, '0') : text
    return findKey(text) ?? findKey(digits) ?? findKey(text.replace(kindOfCounty, ''))
  }
}

/** Normalises a name for comparison: without accents, points, quotes, brackets and an article, "St." in full, "&" as a word. */
export function nameKey(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[.'’`´()]/g, '')
    .replace(/&/g, ' and ')
    .replace(/[\s_-]+/g, ' ')
    .replace(/\b(st|ste)(?= [a-z])/g, (word) => (word === 'st' ? 'saint' : 'sainte'))
    .trim()
    .replace(/^the /, '')
}
