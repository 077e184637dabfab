import type { MultiPolygon, Polygon } from 'geojson'
import { countryNames } from '#functions/engine/map/region-names.ts'
import { nameKey } from '#functions/engine/map/regions.ts'
import { readShapes } from './shapes.ts'
import {
  readManifest,
  regionIndexKey,
  type IsoDifferences,
  type RegionIndex,
  type TileManifest,
} from '#functions/engine/tile/manifest.ts'
import type { IsoFacts } from '#functions/shapes/boundary-set.ts'
import { countryOfSet, nameOfSet } from '#functions/shapes/region-sets.ts'

/** An area of a built-in set; `number`: its position in the file, from 1. */
interface BuiltInArea {
  number: number
  gid: string
  code: string
  name: string
  /** In other languages and spellings. */
  names: readonly string[]
  geometry: Polygon | MultiPolygon
}

/**
 * The areas of a built-in set, in the order of its file; empty where that does not exist. Outlines are those of maps.
 * `search`: a part of the name.
 */
export async function readBuiltInAreas(tiles: R2Bucket, setId: string, search = ''): Promise<BuiltInArea[]> {
  const { features } = await readShapes(tiles, setId)
  const searchKey = nameKey(search)
  return features.flatMap(({ properties, geometry }, i) => {
    const {
      gid,
      code,
      name,
      names = [],
    } = properties as Pick<BuiltInArea, 'gid' | 'code' | 'name'> & {
      names?: string[]
    }
    if (searchKey !== '' && ![code, name, ...names].some((each) => nameKey(each).includes(searchKey)))
      return []
    return [{ number: i + 1, gid, code, name, names, geometry: geometry as Polygon | MultiPolygon }]
  })
}

/** A built-in set in search results. `found`: the first areas that match. */
interface BuiltInSet {
  id: string
  name: string
  origin: string
  licence: string
  vintage: string
  areaCount: number | null
  /** Null for sets other than the first-level regions of a country. */
  iso: IsoFacts | null
  /** Sentences about disputed borders. */
  disputes: string[]
  found: { code: string; name: string }[]
}

const maxFound = 5

/**
 * Searches built-in sets by name, country or areas, in all hub languages: general ones first, then those with a matching
 * country, then those with matching areas. All of them without a search.
 */
export async function searchBuiltInSets(tiles: R2Bucket, search: string): Promise<BuiltInSet[]> {
  const manifest = await readManifest(tiles)
  const searchKey = nameKey(search)
  const general = listGeneralSets(manifest).filter(({ name, origin }) =>
    nameKey(`${name} ${origin}`).includes(searchKey),
  )
  const index = manifest?.regions ? await readIndex(tiles, manifest.regions.hash) : []
  const matches = index.flatMap((set) => {
    const isCountry = set.keys.some((key) => key.includes(searchKey))
    const areas =
      searchKey === '' ? [] : set.areas.filter(({ keys }) => keys.some((key) => key.includes(searchKey)))
    return isCountry || areas.length > 0 ? [{ set, isCountry, areas }] : []
  })
  const countrySets = [
    ...matches.filter(({ isCountry }) => isCountry),
    ...matches.filter(({ isCountry }) => !isCountry),
  ].map(({ set: { areas, keys: _, ...set }, areas: matching }): BuiltInSet => ({
    ...set,
    iso: set.iso && isoFacts(set.iso, maxFound),
    areaCount: areas.length,
    found: matching.slice(0, maxFound).map(({ code, name }) => ({ code, name })),
  }))
  return [...general, ...countrySets]
}

/** The built-in set with this id, with all of its differences from ISO 3166-2; none where there is no such set. */
export async function findBuiltInSet(tiles: R2Bucket, id: string): Promise<BuiltInSet[]> {
  const manifest = await readManifest(tiles)
  const general = listGeneralSets(manifest).find((set) => set.id === id)
  if (general) return [general]
  const index = manifest?.regions ? await readIndex(tiles, manifest.regions.hash) : []
  const match = index.find((set) => set.id === id)
  if (!match) return []
  const { areas, keys: _, iso, ...set } = match
  return [{ ...set, iso: iso && isoFacts(iso, Infinity), areaCount: areas.length, found: [] }]
}

/** The sets that are not the regions of one country: states, counties, countries. */
function listGeneralSets(manifest: TileManifest | null): BuiltInSet[] {
  return (manifest?.boundaries ?? []).map(({ id, name, level, disputes = [] }) => {
    const set = manifest?.sets.find(({ layers }) => layers.includes(level))
    const { attribution: origin = '', licence = '', vintage = '' } = set ?? {}
    return { id, name, origin, licence, vintage, areaCount: null, iso: null, disputes, found: [] }
  })
}

type KnownSet = Omit<BuiltInSet, 'areaCount' | 'found' | 'iso'> & {
  iso: IsoDifferences | null
  /** The names of the set and its country, normalised for comparison. */
  keys: string[]
  areas: { code: string; name: string; keys: string[] }[]
}

/** The last list that was read, cached by its digest, so it is never outdated. */
let lastRead: { hash: string; sets: KnownSet[] } = { hash: '', sets: [] }

async function readIndex(tiles: R2Bucket, hash: string): Promise<KnownSet[]> {
  if (lastRead.hash === hash) return lastRead.sets
  const object = await tiles.get(regionIndexKey(hash))
  if (!object) return []
  const regionIndex = await object.json<RegionIndex>()
  const countries = countryNames()
  const sets = regionIndex.sets.map(
    ({ id, origin, licence, vintage, iso, disputes = [], areas }): KnownSet => {
      const names = [nameOfSet(id), ...(countries.get(countryOfSet(id) ?? '') ?? [])]
      return {
        ...{ id, name: nameOfSet(id), origin, licence, vintage, keys: names.map(nameKey) },
        ...{ iso: iso ?? null, disputes },
        areas: areas.map(({ code, name, names: others }) => ({
          ...{ code, name, keys: [code, name, ...others].map(nameKey) },
        })),
      }
    },
  )
  lastRead = { hash, sets }
  return sets
}

function isoFacts({ missing, own, recoded }: IsoDifferences, most: number): IsoFacts {
  const listRegions = <Region>(regions: readonly Region[]) => ({
    count: regions.length,
    first: regions.slice(0, most),
  })
  const listNames = (regions: readonly { code: string; name: string }[]) =>
    listRegions(regions.map(({ code, name }) => ({ code, name })))
  return { missing: listNames(missing), own: listNames(own), recoded: listRegions(recoded) }
}
