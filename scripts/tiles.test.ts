import type { FeatureCollection } from 'geojson'
import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { PMTiles, tileIdToZxy, zxyToTileId } from 'pmtiles'
import { beforeAll, expect, test } from 'vitest'
import { staticMap } from '#functions/engine/map/static-map.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { boundaryRows, makeTiles, type TileManifest, type TileStore } from './tiles.ts'
import { doubleArea } from './tiles/rings.ts'

class MemoryStore implements TileStore {
  files = new Map<string, Uint8Array>()
  async get(key: string) {
    return this.files.get(key) ?? null
  }
  async put(key: string, bytes: Uint8Array) {
    this.files.set(key, bytes)
  }
}

interface Tile {
  z: number
  x: number
  y: number
  size: number
  layers: VectorTile['layers']
}

const store = new MemoryStore()
let manifest: TileManifest

beforeAll(async () => {
  manifest = await makeTiles(store, () => undefined)
})

async function readTiles(name: string, maxZoom: number): Promise<Tile[]> {
  const set = manifest.sets.find((entry) => entry.name === name)
  const bytes = store.files.get(`archives/${set?.hash}.pmtiles`) as Uint8Array
  const source = {
    getKey: () => name,
    getBytes: async (offset: number, length: number) => ({
      data: bytes.slice(offset, offset + length).buffer as ArrayBuffer,
    }),
  }
  const archive = new PMTiles(source, undefined, async (data) => data)
  const plain = new PMTiles(source)
  expect(await plain.getHeader()).toMatchObject({ clustered: true, specVersion: 3 })
  const tiles: Tile[] = []
  for (let id = 0; id < zxyToTileId(maxZoom + 1, 0, 0); id++) {
    const [z, x, y] = tileIdToZxy(id)
    const tile = await archive.getZxy(z, x, y).catch(() => undefined)
    if (!tile) continue
    const { layers } = new VectorTile(new PbfReader(gunzipSync(new Uint8Array(tile.data))))
    tiles.push({ z, x, y, size: tile.data.byteLength, layers })
  }
  return tiles
}

function idsIn(tiles: Tile[], layer: string): Set<unknown> {
  const ids = new Set<unknown>()
  for (const { layers } of tiles) {
    const layerOfTile = layers[layer]
    for (let i = 0; layerOfTile && i < layerOfTile.length; i++)
      ids.add(layerOfTile.feature(i).properties['gid'])
  }
  return ids
}

test('the tiles contain every boundary under its id in the database', async () => {
  const rows = boundaryRows()
  const listIds = (prefix: string) => new Set(rows.map((row) => row.id).filter((id) => id.startsWith(prefix)))
  const us = await readTiles('us', 6)
  expect(idsIn(us, 'state')).toEqual(listIds('us-state-'))
  expect(idsIn(us, 'county')).toEqual(listIds('us-county-'))
  expect(idsIn(us, 'county_label')).toEqual(listIds('us-county-'))
  expect(Math.max(...us.map((tile) => tile.size))).toBeLessThan(55 * 1024)
  const world = await readTiles('world', 5)
  expect(idsIn(world, 'country')).toEqual(listIds('country-'))
  expect(idsIn(world, 'country_label')).toEqual(listIds('country-'))
})

test('labels name countries and states in the languages of hubs where they differ from English', async () => {
  const readLabels = async (name: string, zoom: number, layer: string) =>
    new Map(
      (await readTiles(name, zoom)).flatMap(({ layers }) =>
        Array.from({ length: layers[layer]?.length ?? 0 }, (_, i) => {
          const { gid, ...properties } = layers[layer]?.feature(i).properties ?? {}
          return [gid, properties] as const
        }),
      ),
    )
  const countries = await readLabels('world', 1, 'country_label')
  expect(countries.get('country-276')).toMatchObject({
    ...{ name: 'Germany', 'name:es': 'Alemania', 'name:fr': 'Allemagne', 'name:de': 'Deutschland' },
    ...{ 'name:ar': 'ألمانيا', 'name:ja': 'ドイツ' },
  })
  expect(countries.get('country-kosovo')).toMatchObject({ name: 'Kosovo', 'name:ja': 'コソボ' })
  const translated = [...countries.values()].filter((properties) => 'name:ja' in properties)
  expect(translated.length).toBeGreaterThan(230)
  const states = await readLabels('us', 2, 'state_label')
  expect(states.get('us-state-36')).toMatchObject({ name: 'New York', 'name:es': 'Nueva York' })
})

test('no country or border is drawn across the whole world', async () => {
  const [whole] = await readTiles('world', 0)
  for (const name of ['country', 'country_line']) {
    const layer = whole?.layers[name]
    for (let i = 0; layer && i < layer.length; i++) {
      const feature = layer.feature(i)
      for (const line of feature.loadGeometry()) {
        line.forEach((point, at) => {
          const before = line[at - 1] ?? point
          const isClosing = point.y > 4096 || before.y > 4096 // Antarctica, below the edge of the tile
          if (!isClosing)
            expect(Math.abs(point.x - before.x), String(feature.properties['gid'])).toBeLessThan(1000)
        })
      }
    }
  }
  const borders = whole?.layers['country_line']
  for (let i = 0; borders && i < borders.length; i++) {
    for (const line of borders.feature(i).loadGeometry()) {
      line.forEach((point, at) => {
        const onSeam = (p: { x: number } | undefined) => p?.x === 0 || p?.x === 4096
        expect(onSeam(point) && onSeam(line[at - 1]) && line[at - 1]?.x === point.x).toBe(false)
      })
    }
  }
})

test('a second run writes nothing', async () => {
  const again = new MemoryStore()
  again.files = new Map(store.files)
  const before = new Map(again.files)
  expect(await makeTiles(again, () => undefined)).toEqual(manifest)
  for (const [key, bytes] of again.files) expect(before.get(key)).toBe(bytes)
})

test.runIf(isFullRun)('a run from scratch gives the same bytes', async () => {
  const fresh = new MemoryStore()
  expect(await makeTiles(fresh, () => undefined)).toEqual(manifest)
  for (const [key, bytes] of fresh.files)
    expect(Buffer.compare(bytes, store.files.get(key) as Uint8Array), key).toBe(0)
  writeMeasurements('boundary-tiles', { 'files made twice alike': fresh.files.size })
})

test('boundary files contain every region with 4 decimals', () => {
  for (const [id, count] of [
    ['us-states', 56],
    ['us-counties', 3231],
    ['world-countries', 241],
  ] as const) {
    const text = new TextDecoder().decode(store.files.get(`boundaries/${id}.geojson`))
    expect(text.length).toBeLessThan(1.7e6)
    expect(text).not.toMatch(/\d\.\d{5}/)
    const { features } = JSON.parse(text) as { features: { properties: { gid: string; code: string } }[] }
    expect(new Set(features.map((feature) => feature.properties.gid)).size).toBe(count)
  }
})

test('boundary rows are unique, ordered, inside the world and wound as in RFC 7946', () => {
  const rows = boundaryRows()
  expect(rows).toHaveLength(1 + 241 + 56 + 3231)
  const names = new Set<string>()
  for (const { id, parentId, area } of rows) {
    expect(names.has(id)).toBe(false)
    if (parentId) expect(names.has(parentId)).toBe(true)
    names.add(id)
    for (const rings of area.type === 'Polygon' ? [area.coordinates] : area.coordinates) {
      rings.forEach((ring, i) => {
        expect(ring.length).toBeGreaterThan(3)
        expect(ring[0]).toEqual(ring[ring.length - 1])
        expect(doubleArea(ring) > 0, id).toBe(i === 0)
        expect(new Set(ring.map(String)).size, id).toBe(ring.length - 1)
        expect(
          ring.every(([x = 0, y = 0]) => Math.abs(x) <= 180 && Math.abs(y) <= 90),
          id,
        ).toBe(true)
      })
    }
  }
  const row = (id: string) => rows.find((entry) => entry.id === id)
  expect(row('us-state-06')).toMatchObject({
    code: '06',
    name: 'California',
    type: 'state',
    parentId: 'us-nation',
  })
  expect(row('us-county-06037')).toMatchObject({ name: 'Los Angeles', parentId: 'us-state-06' })
  expect(row('country-036')).toMatchObject({ name: 'Australia', parentId: null })
  expect(names.has('country-ashmore-and-cartier-is') && names.has('country-kosovo')).toBe(true)
})

test('maps of the boundary files are at most 60 kB, whatever the values', () => {
  for (const id of ['us-states', 'us-counties', 'world-countries']) {
    const shapes = JSON.parse(
      new TextDecoder().decode(store.files.get(`boundaries/${id}.geojson`)),
    ) as FeatureCollection
    const values = new Map(
      shapes.features.map(({ properties }, i) => [String(properties?.['gid']), (i * 7919) % 1009]),
    )
    const projection = id === 'world-countries' ? 'equalEarth' : 'albersUsa'
    const texts = { title: id, description: '', locale: 'en' }
    const { svg, legend } = staticMap({ shapes, values, width: 960, height: 600, projection, ...texts })
    expect(svg.length, id).toBeLessThanOrEqual(60_000)
    expect(legend).toMatchObject({ kind: 'choropleth', missing: 0 })
  }
})
