import type { FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { PMTiles } from 'pmtiles'
import { beforeAll, expect, test } from 'vitest'
import { regionFinder } from '#functions/engine/map/regions.ts'
import { areaFinder } from '#functions/engine/region/inside.ts'
import { boundaryKey, setArchiveKey } from '#functions/engine/tile/manifest.ts'
import type { SetTiles } from '#functions/shapes/boundary-set.ts'
import { countriesWithRegions, regionsOfCountry } from '#functions/shapes/region-sets.ts'
import { readRegions, type GroundRegion } from '../ground/regions.ts'
import { regionFiles } from './region-files.ts'
import type { CountryRegion } from './regions.ts'

type SetFile = FeatureCollection<Polygon | MultiPolygon, CountryRegion> & {
  tiles: SetTiles
  name: string
  origin: string
}

let filesOfRegions: Awaited<ReturnType<typeof regionFiles>>
beforeAll(async () => {
  filesOfRegions = await regionFiles()
}, 120_000)

const getFileBytes = (key: string) =>
  filesOfRegions.files.find((file) => file.key === key)?.bytes as Uint8Array<ArrayBuffer>
const read = (id: string) => JSON.parse(new TextDecoder().decode(getFileBytes(boundaryKey(id)))) as SetFile

test('outlines exist for exactly the offered countries, and each region has a unique code', () => {
  expect(filesOfRegions.index.sets.map(({ id }) => id)).toEqual(countriesWithRegions.map(regionsOfCountry))
  for (const { id, hash, areas } of filesOfRegions.index.sets) {
    const { features, tiles } = read(id)
    expect(tiles.hash, id).toBe(hash)
    expect(features.map(({ properties }) => properties.code).sort(), id).toEqual(
      areas.map(({ code }) => code).sort(),
    )
    expect(new Set(areas.map(({ code }) => code)).size, id).toBe(areas.length)
    expect(features.every(({ geometry }) => geometry.coordinates.length > 0)).toBe(true)
    // Both the outlines and the file must be small enough for a page to load.
    expect(getFileBytes(boundaryKey(id)).length, id).toBeLessThan(1_000_000)
  }
})

test('finds a region by its code, with or without that of the country, and by its names in the languages of hubs', () => {
  const find = regionFinder(read('regions-de'))
  for (const spelling of ['DE-BY', 'BY', 'by', 'Bayern', 'Bavaria', 'Bavière', 'バイエルン自由州'])
    expect(find(spelling), spelling).toBe('region-DE-BY')
  expect(find('Texas')).toBeNull()
  // A name takes precedence over another region's short code.
  expect(regionFinder(read('regions-fj'))('Western')).toBe('region-FJ-W')
})

test('a region’s label lies in the region', () => {
  const labels = readRegions().objects.regions.geometries.map(({ properties }) => properties as GroundRegion)
  let [right, all] = [0, 0]
  for (const id of ['regions-de', 'regions-fj', 'regions-in', 'regions-ca', 'regions-jp', 'regions-ua']) {
    const find = areaFinder(
      read(id).features.map(({ geometry, properties }) => ({
        key: properties.code,
        rings: geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat(),
      })),
    )
    for (const { code, at } of labels) {
      if (!at || !code.startsWith(`${id.slice(-2).toUpperCase()}-`)) continue
      all += 1
      if (find(at[0], at[1])[0] === code) right += 1
    }
  }
  // The rest are labels beside an archipelago.
  expect(all).toBeGreaterThan(140)
  expect(right / all).toBeGreaterThan(0.95)
})

test('a set says how it differs from ISO 3166-2 and which borders are disputed', () => {
  const setsById = new Map(filesOfRegions.index.sets.map((set) => [set.id, set]))
  expect(setsById.get('regions-de')).toMatchObject({
    iso: { missing: [], own: [], recoded: [] },
    disputes: [],
  })
  expect(setsById.get('regions-pa')?.iso?.missing[0]).toEqual({ code: 'PA-10', name: 'Panamá Oeste' })
  expect(read('regions-ua')).toMatchObject({
    disputes: [expect.stringMatching('Crimea'), expect.any(String)],
  })
})

test('countries whose regions are drawn only close up have them, however small', () => {
  const count = (id: string) => read(`regions-${id}`).features.length
  const counts = { do: 32, jm: 14, bi: 17, sv: 14, si: 193, me: 21, mt: 68, tt: 16, bb: 11, mv: 21, pw: 16 }
  for (const [id, areas] of Object.entries(counts)) expect(count(id), id).toBe(areas)
  expect(read('regions-jm').features.map(({ properties }) => properties.name)).toContain('Saint Ann')
})

test('the counties and boroughs of Great Britain are joined to its four countries', () => {
  const codes = read('regions-gb').features.map(({ properties }) => properties.code)
  expect(codes).toEqual(['GB-ENG', 'GB-NIR', 'GB-SCT', 'GB-WLS'])
})

test('a region held by one country with the code of another is in the sets of both', () => {
  const codes = (id: string) => read(id).features.map(({ properties }) => properties.code)
  expect(codes('regions-ua')).toContain('UA-43')
  expect(codes('regions-ru')).toContain('UA-43')
})

test('the archive of a set contains each of its regions by its gid, and labels with its names by language', async () => {
  const { tiles } = read('regions-de')
  const bytes = getFileBytes(setArchiveKey('regions-de', tiles.hash))
  const source = {
    getKey: () => 'regions-de',
    getBytes: async (offset: number, length: number) => ({
      data: bytes.slice(offset, offset + length).buffer,
    }),
  }
  const archive = new PMTiles(source, undefined, async (data) => data)
  const tile = await archive.getZxy(tiles.minZoom, 4, 2)
  const { layers } = new VectorTile(
    new PbfReader(gunzipSync(new Uint8Array((tile as { data: ArrayBuffer }).data))),
  )
  const areas = layers.area
  const gids = Array.from({ length: areas?.length ?? 0 }, (_, i) => areas?.feature(i).properties.gid)
  expect(gids.sort()).toEqual(
    read('regions-de')
      .features.map(({ properties }) => properties.gid)
      .sort(),
  )
  const labels = layers.area_label
  const labelProperties = Array.from({ length: labels?.length ?? 0 }, (_, i) => labels?.feature(i).properties)
  const bavaria = labelProperties.find((properties) => properties?.gid === 'region-DE-BY')
  expect(bavaria).toMatchObject({ name: 'Bayern', 'name:en': 'Bavaria', 'name:fr': 'Bavière' })
  // In German it has the same name.
  expect(bavaria).not.toHaveProperty('name:de')
})
