import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { PMTiles, tileIdToZxy, zxyToTileId } from 'pmtiles'
import { beforeAll, expect, test } from 'vitest'
import { allLanguages } from '#functions/shapes/locale.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { buildGround } from './archive.ts'
import { groundBytes } from './ground.ts'

const bytes = await groundBytes()
const source = {
  getKey: () => 'ground',
  getBytes: (offset: number, length: number) =>
    Promise.resolve({ data: bytes.slice(offset, offset + length).buffer as ArrayBuffer }),
}
/** The reference reader, and one that returns tiles as they are stored. */
const reader = new PMTiles(source)
const archive = new PMTiles(source, undefined, (data) => Promise.resolve(data))

interface Place {
  [property: string]: unknown
}

let tiles = 0
let largest = 0
const layers = new Map<string, number>()
const places = new Map<string, Place>()
const borders = new Set<string>()

beforeAll(async () => {
  for (let id = 0; id < zxyToTileId(8, 0, 0); id++) {
    const tileBytes = await archive.getZxy(...tileIdToZxy(id))
    if (!tileBytes) continue
    tiles++
    largest = Math.max(largest, tileBytes.data.byteLength)
    const tile = new VectorTile(new PbfReader(gunzipSync(new Uint8Array(tileBytes.data))))
    for (const [name, layer] of Object.entries(tile.layers)) {
      layers.set(name, (layers.get(name) ?? 0) + layer.length)
      for (let i = 0; i < layer.length; i++) {
        const feature = layer.feature(i)
        expect(feature.loadGeometry().length).toBeGreaterThan(0)
        const { properties } = feature
        if (name === 'places') places.set(`${properties['kind']} ${properties['name']}`, properties)
        if (name === 'boundaries') borders.add(JSON.stringify(properties))
      }
    }
  }
}, 120_000)

test('every tile of the archive can be read and is within its size limits', async () => {
  const { numAddressedTiles, clustered, minZoom, maxZoom } = await reader.getHeader()
  expect({ clustered, minZoom, maxZoom }).toEqual({ clustered: true, minZoom: 0, maxZoom: 7 })
  expect(tiles).toBe(numAddressedTiles)
  expect(bytes.length).toBeLessThan(10_000_000)
  // Four of them make the first frame of a map.
  expect(largest).toBeLessThan(60_000)
})

test('has the layers of the schema, none of them empty', async () => {
  expect([...layers.keys()].sort()).toEqual(['boundaries', 'earth', 'places', 'water'])
  const { vector_layers: vectorLayers, attribution } = (await reader.getMetadata()) as {
    vector_layers: { id: string }[]
    attribution: string
  }
  expect(vectorLayers.map(({ id }) => id).sort()).toEqual([...layers.keys()].sort())
  expect(attribution).toMatch(/Natural Earth.*GeoNames/)
})

test('names countries in all languages of hubs; towns have a population and a zoom', () => {
  const listNames = (place: string) => allLanguages.map((locale) => places.get(place)?.[`name:${locale}`])
  expect(listNames('country Germany')).toEqual(
    expect.arrayContaining(['Germany', 'Alemania', 'Allemagne', 'Deutschland', 'ألمانيا', 'ドイツ']),
  )
  const countries = [...places.keys()].filter((key) => key.startsWith('country '))
  expect(countries.length).toBeGreaterThan(230)
  expect(places.get('locality Seattle')).toMatchObject({ kind_detail: 'city', min_zoom: 4 })
  expect(Number(places.get('locality Seattle')?.['population'])).toBeGreaterThan(600_000)
  expect(places.get('region Telangana')?.['name:ja']).toBe('テランガナ')
  // Its name in German is the local one, not the English.
  expect(places.get('region Bayern')).toMatchObject({ 'name:de': 'Bayern', 'name:fr': 'Bavière' })
  expect(places.get('locality Suva')).toMatchObject({ capital: 'yes' })
})

test('has borders of countries, and of regions by zoom, and marks disputed ones', () => {
  expect(borders).toContain(JSON.stringify({ kind: 'country', kind_detail: 2, min_zoom: 0, disputed: true }))
  const zooms = [...borders].flatMap((text) => {
    const { kind, min_zoom: zoom } = JSON.parse(text) as { kind: string; min_zoom: number }
    return kind === 'region' ? [zoom] : []
  })
  // States of the United States come first, those of small countries last.
  expect([...new Set(zooms)].sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  // Another set has those of the United States in more detail.
  const getInUsProperty = (key: string) => places.get(`region ${key}`)?.['in_us']
  expect([
    getInUsProperty('Washington'),
    getInUsProperty('British Columbia'),
    getInUsProperty('Chihuahua'),
  ]).toEqual([true, false, false])
  const lines = [...borders].map((text) => JSON.parse(text) as { kind: string; in_us?: boolean })
  expect(new Set(lines.filter(({ kind }) => kind === 'region').map(({ in_us: is }) => is))).toEqual(
    new Set([true, false]),
  )
})

// Takes as long as all the other tests of this file, and runs the same code a second time.
test.runIf(isFullRun)(
  'building it again gives the same bytes',
  async () => {
    const digest = (of: Uint8Array) => createHash('sha256').update(of).digest('hex')
    expect(digest((await buildGround()).bytes)).toBe(digest(bytes))
    writeMeasurements('ground', { 'archives built twice alike': 1, tiles })
  },
  120_000,
)
