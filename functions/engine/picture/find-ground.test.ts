import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { chartTokens } from '#functions/engine/chart/palette.ts'
import { archiveKey, manifestKey } from '#functions/engine/tile/manifest.ts'
import { fileFault } from '#scripts/ground/file-fault.ts'
import { groundBytes } from '#scripts/ground/ground.ts'
import { readArchiveFacts, readTile } from '#functions/engine/tile/archives.ts'
import { findGround } from './find-ground.ts'
import { readGround } from './ground.ts'
import { renderPicture } from './picture.ts'

const own = { inputHash: '', hash: 'aaaaaaaaaaaa', bytes: 0 }
const configuredHash = 'bbbbbbbbbbbb'
const ours = await groundBytes()

/** The archive of the ground with other metadata, and as tiles of another kind. */
function rewriteArchive(metadata: object, tileType?: number): Uint8Array {
  const bytes = Buffer.from(ours)
  const text = gzipSync(JSON.stringify(metadata))
  const whole = Buffer.concat([bytes, text])
  whole.writeBigUInt64LE(BigInt(bytes.length), 24)
  whole.writeBigUInt64LE(BigInt(text.length), 32)
  if (tileType !== undefined) whole[99] = tileType
  return whole
}

const wrong: [what: string, bytes: Uint8Array, message: RegExp][] = [
  ['a text', Buffer.from('PMTiles of the whole planet'.repeat(99)), /no PMTiles archive that can be read/],
  ['an archive that breaks off', ours.slice(0, 300), /no PMTiles archive that can be read/],
  ['pictures', rewriteArchive({ vector_layers: [{ id: 'earth' }] }, 2), /no vector tiles/],
  [
    'tiles of another schema',
    rewriteArchive({ vector_layers: [{ id: 'transportation' }] }),
    /it has transportation/,
  ],
  [
    'an older version of the schema',
    rewriteArchive({ vector_layers: [{ id: 'earth', fields: { 'pmap:kind': 'String' } }] }),
    /version 3 of the schema/,
  ],
  ['an archive whose upload broke off half-way', ours.slice(0, ours.length / 2), /breaks off/],
  ['tiles that name no layers', rewriteArchive({ vector_layers: 'none' }), /it names no layers/],
]

test.each(wrong)(
  'maps fall back to the default basemap if the configured one is %s, and the operator is notified',
  async (_, bytes, expectedMessage) => {
    const tiles = memoryBucket()
    await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [], ground: own }))
    await tiles.put(archiveKey(own.hash), ours)
    // An isolate caches the directories of an archive by its hash.
    const hash = `${configuredHash.slice(0, 10)}${wrong.findIndex(([, each]) => each === bytes)}b`
    await tiles.put(archiveKey(hash), bytes)
    const errors: unknown[] = []
    expect((await findGround(tiles, hash, (error) => errors.push(error)))?.hash).toBe(own.hash)
    expect(errors.map(String).join()).toMatch(expectedMessage)
  },
)

test.each(wrong)('a basemap file of %s is rejected before the upload', async (_, bytes, expectedMessage) => {
  const path = join(mkdtempSync(join(tmpdir(), 'ground-')), 'planet.pmtiles')
  writeFileSync(path, bytes)
  expect(await fileFault(path)).toMatch(expectedMessage)
  writeFileSync(path, ours)
  expect(await fileFault(path)).toBeNull()
})

test('a corrupt tile is left out of the basemap and reported, and the others are drawn', async () => {
  const tiles = memoryBucket()
  const bytes = Buffer.from(ours)
  // The tile of Seattle at zoom 7 is replaced by the beginning of an image.
  const hash = 'cccccccccccc'
  await tiles.put(archiveKey(own.hash), ours)
  const tile = await readTile(tiles, own.hash, [7, 20, 44])
  if (tile === null || tile === 'empty') throw new Error('There is no such tile.')
  const at = bytes.indexOf(Buffer.from(tile))
  expect(at).toBeGreaterThan(0)
  Buffer.from('\x89PNG\r\n').copy(bytes, at)
  await tiles.put(archiveKey(hash), bytes)
  const facts = await readArchiveFacts(tiles, hash)
  const errors: unknown[] = []
  const ground =
    facts && (await readGround(tiles, facts, [-125, 45.2, -121, 48], 1000, (error) => errors.push(error)))
  expect(errors).toHaveLength(1)
  expect(ground?.land.length).toBeGreaterThan(1)
  expect(ground?.towns.map(({ name }) => name)).not.toContain('Seattle')
  expect(ground?.towns.map(({ name }) => name)).toContain('Portland')
})

test('a basemap of a part of the world is used where it covers a picture, and the built-in one elsewhere', async () => {
  const tiles = memoryBucket()
  const city = Buffer.from(ours)
  for (const [at, degrees] of [-122.6, 47.3, -121.9, 47.9].entries())
    city.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * at)
  await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [], ground: own }))
  await tiles.put(archiveKey(own.hash), ours)
  const hash = 'eeeeeeeeeeee'
  await tiles.put(archiveKey(hash), city)
  const facts = await findGround(tiles, hash)
  expect(facts).toMatchObject({ hash, below: { hash: own.hash } })
  if (!facts) throw new Error('There is a base map.')
  const read = new Set<string>()
  const counting = { ...tiles, get: (key: string, ...more: []) => (read.add(key), tiles.get(key, ...more)) }
  const archives = async (box: [number, number, number, number]) => {
    read.clear()
    expect((await readGround(counting as typeof tiles, facts, box, 600))?.land.length).toBeGreaterThan(0)
    return [...read]
  }
  expect(await archives([-122.4, 47.5, -122.2, 47.7])).toEqual([archiveKey(hash)])
  expect(await archives([-122.7, 47.5, -122.2, 47.7])).toEqual([archiveKey(own.hash)])
  expect(await archives([11, 48, 12, 49])).toEqual([archiveKey(own.hash)])
})

test('a configured basemap that is missing in the bucket is no error', async () => {
  const errors: unknown[] = []
  expect(await findGround(memoryBucket(), configuredHash, (error) => errors.push(error))).toBeNull()
  expect(errors).toEqual([])
})

const county = {
  type: 'Feature',
  properties: { gid: 'county', name: 'King' },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-122.6, 47.1],
        [-121.1, 47.1],
        [-121.1, 47.8],
        [-122.6, 47.8],
        [-122.6, 47.1],
      ],
    ],
  },
}

const tiles = memoryBucket()
beforeAll(async () => {
  await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [], ground: own }))
  await tiles.put(archiveKey(own.hash), ours)
  for (const set of ['us-counties', 'us-states'])
    await tiles.put(
      `boundaries/${set}.geojson`,
      JSON.stringify({ type: 'FeatureCollection', features: [county] }),
    )
})

const answer = {
  output: {
    ...{ aggregations: [], groupings: [], orderings: [] },
    schema: {
      county: { name: 'County', type: 'text' as const },
      n: { name: 'N', type: 'number' as const },
      lon: { name: 'Longitude', type: 'number' as const },
      lat: { name: 'Latitude', type: 'number' as const },
    },
  },
  rows: [{ county: 'King', n: 3, lon: -122.3, lat: 47.6 }],
  ...{ title: 'Trees', timeZone: 'UTC', locale: 'en', credit: '' },
}
const options = { width: 800, height: null, theme: 'light' as const }

test.each([
  ['regions', { region: 'county', boundarySetId: 'us-counties' }, chartTokens.light['--seq-4']],
  ['points', { latitude: 'lat', longitude: 'lon', boundarySetId: 'us-counties' }, '<circle'],
])('pictures of %s in Mercator have the basemap: water, towns and a scale', async (_, settings, data) => {
  const { svg } = await renderPicture(tiles, { ...answer, visualization: { type: 'map', settings } }, options)
  expect(svg).toContain('class="map-scale"')
  expect(svg).toContain('>Seattle</text>')
  const [, ground = ''] = /(<rect [^>]*#e3ebef.*?<\/g>)/.exec(svg) ?? []
  expect(ground).toContain('fill="#eae6df"')
  // The data are drawn above it.
  expect(svg.indexOf(ground)).toBeLessThan(svg.lastIndexOf(data))
  expect(ground.length).toBeLessThan(4_600)
})

test('a picture has names of regions on request', async () => {
  const hasNames = async (labels?: boolean) => {
    const settings = {
      region: 'county',
      boundarySetId: 'us-counties',
      ...(labels === undefined ? {} : { labels }),
    }
    const { svg } = await renderPicture(
      tiles,
      { ...answer, visualization: { type: 'map', settings } },
      options,
    )
    return svg.includes('>King</text>')
  }
  expect([await hasNames(), await hasNames(false), await hasNames(true)]).toEqual([false, false, true])
})
