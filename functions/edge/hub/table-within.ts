import type { Position } from 'geojson'
import { nameOfRegion, listAlternativeNames } from '#functions/engine/map/region-names.ts'
import { nameKey } from '#functions/engine/map/regions.ts'
import { searchBuiltInSets } from '#functions/engine/picture/built-in-sets.ts'
import { computeFeatureBox, readShapes } from '#functions/engine/picture/shapes.ts'
import { areaFinder } from '#functions/engine/region/inside.ts'
import { readOutline } from '#functions/engine/region/outlines.ts'
import { readWithin, type TableState } from '#functions/engine/table/table-state.ts'
import type { WithinView } from '#functions/engine/table/within-html.ts'
import { outlinesKey } from '#functions/engine/tile/manifest.ts'
import type { EdgeTexts } from '#functions/shapes/language/edge.ts'
import { formatTag, type Locale } from '#functions/shapes/locale.ts'
import type { PlaceState } from '#functions/shapes/place-state.ts'
import type { Extent } from '#functions/shapes/fields/extent.ts'
import { stateCodes } from '#functions/shapes/region-codes.ts'
import { countryOfSet, isBuiltInSet } from '#functions/shapes/region-sets.ts'

/** Sets of the place that are offered, and whose areas are searched where the reader has chosen none. */
const maxOffered = 20
/** Areas that are listed, and those that are suggested while typing. */
const [maxChoices, maxSuggestions] = [100, 60]

/** Where sets are read, and who reads them. */
interface WithinReading {
  tiles: R2Bucket
  placeState: Pick<PlaceState, 'boundarySets' | 'nearSets'>
  locale: Locale
  words: EdgeTexts
  /** The box around the records: areas outside are offered only where no other fits. Null: unknown. */
  extent: Extent | null
}

interface NamedArea {
  set: string
  code: string
  name: string
  keys: string[]
  /** Whether its box meets that of the records. */
  isNear: boolean
}

/**
 * The area that an address asks for, and the choice that the reader has. Sets are the public ones of the place, and those
 * that everyone has; any other, also a private one, is unknown. An area is named by its code or its name, in any language
 * that its set has; a part of the name leads to a list. `within` null: none is chosen, or nothing fits.
 */
export async function chooseWithin(
  params: URLSearchParams,
  reading: WithinReading,
): Promise<{ within: TableState['within']; view: WithinView }> {
  const { set, area } = readWithin(params)
  const sets = listOfferedSets(reading)
  const view: WithinView = {
    ...{ sets, set, area, chosenName: null, choices: [], isCut: false, suggestions: [], problem: null },
  }
  if (set === '' && area === '') return { within: null, view }
  if (set !== '' && !isKnown(set, reading)) return { within: null, view: { ...view, problem: 'noSet' } }
  if (set !== '' && !sets.some(({ id }) => id === set))
    view.sets = [...sets, { id: set, name: getSetName(set, reading) }]
  const areas = (
    await Promise.all((set === '' ? sets.map(({ id }) => id) : [set]).map((id) => readAreas(id, reading)))
  ).flat()
  const near = pickNearAreas(areas)
  if (set !== '' && near.length <= maxSuggestions) view.suggestions = near.map(({ name }) => name)
  if (area === '') return { within: null, view: withChoices(view, near, reading) }
  const matches = matching(areas, area)
  const [only] = matches
  if (only && matches.length === 1) {
    // The name must lead back to the area when the form is sent again.
    const name = matching(areas, only.name).length === 1 ? only.name : only.code
    return {
      within: { set: only.set, area: only.code },
      view: { ...view, area: name, chosenName: only.name },
    }
  }
  if (matches.length > 0) return { within: null, view: withChoices(view, matches, reading) }
  const choices = set === '' ? await elsewhere(area, reading) : []
  if (choices.length > 0) return { within: null, view: { ...view, choices } }
  return {
    within: null,
    view: { ...withChoices(view, set === '' ? [] : near, reading), problem: 'noArea' },
  }
}

/** The sets of the place first, then those around its boundary, then the countries. */
function listOfferedSets(reading: WithinReading): WithinView['sets'] {
  const { boundarySets = [], nearSets = [] } = reading.placeState
  const shared = [...new Set([...nearSets, 'world-countries'])]
  return [
    ...boundarySets.slice(0, maxOffered).map(({ id, name }) => ({ id, name })),
    ...shared.map((id) => ({ id, name: getSetName(id, reading) })),
  ]
}

function isKnown(setId: string, { placeState: { boundarySets = [] } }: WithinReading): boolean {
  return isBuiltInSet(setId) || boundarySets.some(({ id }) => id === setId)
}

/** The name of a set in the language of the reader; an organization's own has one name. */
function getSetName(
  setId: string,
  { placeState: { boundarySets = [] }, locale, words }: WithinReading,
): string {
  const { countries, states, counties, regions } = words.table.within
  const general: Record<string, string> = {
    'world-countries': countries,
    'us-states': states,
    'us-counties': counties,
  }
  const country = countryOfSet(setId)
  if (country !== null) {
    const name = new Intl.DisplayNames([formatTag(locale)], { type: 'region' }).of(country) ?? country
    return regions.replace('{name}', () => name)
  }
  return general[setId] ?? boundarySets.find(({ id }) => id === setId)?.name ?? setId
}

async function readAreas(setId: string, { tiles, locale, extent }: WithinReading): Promise<NamedArea[]> {
  const { features } = await readShapes(tiles, setId)
  return features.flatMap((feature) => {
    const { gid, code, names } = (feature.properties ?? {}) as {
      gid?: string
      code?: unknown
      names?: string[]
    }
    if (typeof code !== 'string' || code === '') return []
    const name = nameOfRegion(feature, locale) || code
    const own = nameOfRegion(feature, 'en')
    const keys = [code, name, own, ...(names ?? []), ...listAlternativeNames(gid ?? '')].map(nameKey)
    // There are thirty Washington Counties.
    const state = setId === 'us-counties' ? stateLetters.get(code.slice(0, 2)) : undefined
    const isNear = extent === null || doMeet(computeFeatureBox(feature), extent)
    if (state === undefined) return [{ set: setId, code, name, keys, isNear }]
    const full = `${name}, ${state}`
    return [{ set: setId, code, name: full, keys: [...keys, nameKey(full)], isNear }]
  })
}

const stateLetters = new Map(stateCodes.map(([post, fips]) => [fips, post]))

const doMeet = (a: Extent, b: Extent) => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1]

/** Those among the records; all of them where none is. */
function pickNearAreas(areas: readonly NamedArea[]): readonly NamedArea[] {
  const near = areas.filter(({ isNear }) => isNear)
  return near.length > 0 ? near : areas
}

/** The areas with exactly this code, else with this name, else those with it in their name; those among the records first. */
function matching(areas: readonly NamedArea[], text: string): NamedArea[] {
  const byCode = areas.filter(({ code }) => code === text)
  if (byCode.length > 0) return byCode
  const key = nameKey(text)
  if (key === '') return []
  const byName = areas.filter(({ keys }) => keys.includes(key))
  if (byName.length > 0) return [...pickNearAreas(byName)]
  return [...pickNearAreas(areas.filter(({ keys }) => keys.some((each) => each.includes(key))))]
}

function withChoices(view: WithinView, areas: readonly NamedArea[], reading: WithinReading): WithinView {
  const { compare } = new Intl.Collator(formatTag(reading.locale), { numeric: true })
  const sets = [...new Set(areas.map(({ set }) => set))]
  const sorted = [...areas].sort(
    (a, b) => sets.indexOf(a.set) - sets.indexOf(b.set) || compare(a.name, b.name),
  )
  const isOneSet = sets.length < 2
  return {
    ...view,
    choices: sorted.slice(0, maxChoices).map(({ set, code, name }) => ({
      ...{ set, area: code, name, note: isOneSet ? '' : getSetName(set, reading) },
    })),
    isCut: areas.length > maxChoices,
  }
}

/** Areas and sets of countries that are not offered. */
async function elsewhere(text: string, reading: WithinReading): Promise<WithinView['choices']> {
  const sets = await searchBuiltInSets(reading.tiles, text)
  return sets
    .flatMap(({ id, found: matches }): WithinView['choices'] => {
      const note = getSetName(id, reading)
      if (matches.length === 0) return [{ set: id, area: null, name: note, note: '' }]
      return matches.map(({ code, name }) => ({ set: id, area: code, name, note }))
    })
    .slice(0, maxChoices)
}

/**
 * A function that tells whether a point is in the chosen area, from its exact outline; null where that is not stored, or
 * of another edition.
 */
export async function createAreaTest(
  { set, area }: NonNullable<TableState['within']>,
  { tiles, placeState: { boundarySets = [] } }: Pick<WithinReading, 'tiles' | 'placeState'>,
): Promise<((lon: number, lat: number) => boolean) | null> {
  const own = boundarySets.find(({ id }) => id === set)
  const rings = own
    ? await findOutline(tiles, own, area)
    : isBuiltInSet(set)
      ? await findSharedOutline(tiles, set, area)
      : null
  if (!rings) return null
  const find = areaFinder([{ key: true, rings }])
  return (lon, lat) => find(lon, lat).length > 0
}

async function findOutline(
  tiles: R2Bucket,
  { id, edition }: { id: string; edition: number },
  code: string,
): Promise<Position[][] | null> {
  const key = outlinesKey(id)
  if (!(await tiles.head(key))) return null
  const readPart = async (offset: number, length: number) => {
    const part = await tiles.get(key, { range: { offset, length } })
    if (!part) throw new Error(`The outlines of ${id} are gone.`)
    return new Uint8Array(await part.arrayBuffer())
  }
  return readOutline(readPart, { edition, code })
}

/** Everyone's sets are queried in the outlines of maps, also by the database. */
async function findSharedOutline(tiles: R2Bucket, set: string, code: string): Promise<Position[][] | null> {
  const { features } = await readShapes(tiles, set)
  const shapes = features.flatMap(({ properties, geometry }) =>
    properties?.code === code
      ? geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates
          : []
      : [],
  )
  return shapes.length > 0 ? shapes.flat() : null
}
