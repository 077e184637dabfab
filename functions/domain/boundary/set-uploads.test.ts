import { readFileSync } from 'node:fs'
import { topology } from 'topojson-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { serve } from '#functions/api/serve.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { buildDbf, buildShp, buildZip } from '#functions/engine/import/parse/files.testing.ts'
import { generateDistricts } from '#functions/engine/region/districts.testing.ts'
import { collection } from './sets.testing.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const tiles = memoryBucket()
const openContext = () => world.as('content_admin', { tiles })
const params = { placeId: 'oakton' }
const { boundarySet } = v1.place
const answerTo = serve(v1)

const create = (file: File) =>
  call(boundarySet.create, openContext(), { params, data: { name: 'Upload', file } })

/** The numbers of sets and of their areas, whoever may see them. */
async function countStored() {
  const { db } = world.as('system')
  const sets = await db.selectFrom('boundarySet').select('id').execute()
  const areas = await db.selectFrom('boundarySetArea').select('number').execute()
  return [sets.length, areas.length]
}
let storedCounts: number[]
beforeEach(async () => {
  storedCounts = await countStored()
})

/** 900 districts, of some 100,000 corners together. */
const districts = collection(
  ...[...generateDistricts(30, 28, { width: 10, height: 10 })].map((ring, i) => {
    const closed = [...ring, ring[0] as number[]]
    return [{ name: `District ${i}` }, { type: 'Polygon', coordinates: [closed] }] as [
      object,
      { type: 'Polygon'; coordinates: number[][][] },
    ]
  }),
)
const kml = `<kml><Document>${districts.features
  .map(({ geometry }, i) => {
    const ring = (geometry as { coordinates: number[][][] }).coordinates[0] ?? []
    return `<Placemark><name>District ${i}</name><Polygon><outerBoundaryIs><LinearRing><coordinates>${ring.map((position) => position.join(',')).join(' ')}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`
  })
  .join('')}</Document></kml>`

const texts: [name: string, text: string, message: RegExp][] = [
  [
    'districts.geojson',
    JSON.stringify(districts),
    /^The document ends (in the middle of what begins in line 1|too early) \(line 1, column \d+\)\.$/,
  ],
  [
    'districts.topojson',
    JSON.stringify(topology({ districts })),
    /^The topology is not JSON, or breaks off\.$/,
  ],
  ['districts.kml', kml, /unclosed|ends before its root is closed|breaks off/i],
]

test.each(texts)(
  '%s that breaks off is refused with the reason, and nothing of it is stored',
  async (name, text, message) => {
    expect(text.length).toBeGreaterThan(1_000_000)
    for (const share of [0.3, 0.5, 0.99]) {
      const half = new File([text.slice(0, Math.floor(text.length * share))], name)
      await expect(create(half), `${share}`).rejects.toMatchObject({
        kind: 'invalid',
        issues: [
          { path: ['file'], message: expect.stringMatching(message) as string, validator: 'readable' },
        ],
      })
    }
    expect(await countStored()).toEqual(storedCounts)
  },
)

const square = [
  [0, 0],
  [0, 1],
  [1, 1],
  [1, 0],
  [0, 0],
]
const binaries: [name: string, bytes: Uint8Array][] = [
  ['wards.gpkg', readFileSync('functions/engine/region/wards.testing.gpkg')],
  ['districts.kmz', buildZip({ 'doc.kml': kml })],
  [
    'districts.zip',
    buildZip({
      'a.shp': buildShp(
        Array.from({ length: 900 }, () => ({ type: 5, parts: [square] })),
        [0, 0, 1, 1],
      ),
      'a.dbf': buildDbf(
        [{ name: 'NAME', type: 'C', length: 10 }],
        Array.from({ length: 900 }, (_, i) => [`D ${i}`]),
      ),
    }),
  ],
]

test.each(binaries)('%s that breaks off is refused, and nothing of it is stored', async (name, bytes) => {
  for (const share of [0.3, 0.5, 0.95]) {
    const half = new File([bytes.slice(0, Math.floor(bytes.length * share)) as BlobPart], name)
    await expect(create(half), `${share}`).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['file'], validator: 'readable' }],
    })
  }
  expect(await countStored()).toEqual(storedCounts)
  // The whole file is readable.
  expect((await create(new File([bytes as BlobPart], name))).areaCount).toBeGreaterThan(0)
  storedCounts = await countStored()
})

test('a file of more than 25 MB is refused with its size', async () => {
  const message = 'A file of boundaries may have 25 MB; this has 25.1 MB.'
  await expect(create(new File([new Uint8Array(25_100_000)], 'a.geojson'))).rejects.toMatchObject({
    ...{ kind: 'tooLarge', message },
    issues: [{ path: ['file'], message, validator: 'size' }],
  })
  expect(await countStored()).toEqual(storedCounts)
})

test('one area of 2,000,000 corners is refused with their number', async () => {
  const ring = Array.from({ length: 1_999_999 }, (_, i) => `[${i % 90},${i % 80}]`)
  const head = '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":'
  const text = `${head}{"type":"Polygon","coordinates":[[${ring.join()},[0,0]]]}}]}`
  const message = 'It has 2,000,000 corners; a set may have 1,000,000.'
  await expect(create(new File([text], 'a.geojson'))).rejects.toMatchObject({
    ...{ kind: 'tooLarge', message },
    issues: [{ path: ['file'], message, validator: 'size' }],
  })
  expect(await countStored()).toEqual(storedCounts)
})

test('a request whose body breaks off is refused, and nothing of it is stored', async () => {
  const form = new FormData()
  form.set('name', 'Upload')
  form.set('file', new File([JSON.stringify(districts)], 'districts.geojson'))
  const whole = new Request('http://hub.test/', { method: 'POST', body: form })
  const headers = { 'content-type': whole.headers.get('content-type') ?? '' }
  const bytes = new Uint8Array(await whole.arrayBuffer())
  const send = (isWhole: boolean) => {
    let at = 0
    const body = new ReadableStream<Uint8Array>({
      pull(control) {
        if (at >= bytes.length) return control.close()
        if (!isWhole && at > bytes.length / 2) return control.error(new Error('The connection was lost.'))
        control.enqueue(bytes.slice(at, at + 65_536))
        at += 65_536
      },
    })
    const length = String(bytes.length)
    return answerTo(
      new Request(`http://hub.test/v1/places/${params.placeId}/boundarySets`, {
        ...{ method: 'POST', body, duplex: 'half' },
        headers: { ...headers, 'content-length': length },
      } as RequestInit),
      openContext(),
    )
  }
  const lost = await send(false)
  expect(lost.status).toBe(400)
  expect(await lost.json()).toMatchObject({ error: { kind: 'invalid', message: 'The form cannot be read.' } })
  expect(await countStored()).toEqual(storedCounts)
  expect((await send(true)).status).toBe(201)
  expect((await countStored())[1]).toBe((storedCounts[1] ?? 0) + 900)
})
