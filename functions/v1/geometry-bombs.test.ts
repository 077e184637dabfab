import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, type Wire } from './testing/ask.testing.ts'
import { openProofWorld, type ProofWorld } from './testing/world.testing.ts'
import { placeState } from '#functions/domain/place/place-state.ts'
import { parseGeoJson } from '#functions/engine/query/library/geojson.ts'
import { findComplexityProblem } from '#functions/engine/query/library/intricate.ts'
import { writePlaceState } from '#functions/edge/hub/place-state.ts'
import { tileMaker } from './record-tile.ts'
import { serveRecordTiles, type TileServices } from '#functions/edge/tiles/records.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

/** Expensive shapes: each is answered quickly, or rejected with the path of the problem. */
let world: ProofWorld
const hubs = memoryBucket()
beforeAll(async () => {
  world = await openProofWorld()
  const state = await placeState(world.as('system'), 'oakton')
  if (state) await writePlaceState(hubs, state)
})
afterAll(() => world.close())

type Position = number[]
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_none, i) => make(i))
const closeRing = (ring: Position[]): Position[] => [...ring, ring[0] ?? []]
const round = (value: number) => Math.round(value * 1000) / 1000
const computeCirclePoint = (angle: number, radius: number) => [
  round(Math.cos(angle) * radius),
  round(Math.sin(angle) * radius),
]
/** Each corner is joined with the one nearly opposite. */
const star = (corners: number) =>
  closeRing(
    times(corners, (i) =>
      computeCirclePoint((2 * Math.PI * ((i * ((corners >> 1) - 1)) % corners)) / corners, 50),
    ),
  )
const circle = (corners: number, depth: number) =>
  closeRing(times(corners, (i) => computeCirclePoint((2 * Math.PI * i) / corners, i % 2 ? 50 : 50 - depth)))
const comb = (teeth: number, y = 0) => times(teeth, (i) => [round((100 * i) / teeth), y + (i % 2)])
const bar = (at: number, isTurned: boolean) =>
  [
    [at, -1],
    [at + 0.001, -1],
    [at + 0.001, 61],
    [at, 61],
    [at, -1],
  ].map(([x = 0, y = 0]) => (isTurned ? [y, x] : [x, y]))
const box = (west: number, south: number, east: number, north: number) =>
  closeRing([
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ])

const polygon = (...coordinates: Position[][]) => ({ type: 'Polygon', coordinates })
const line = (coordinates: Position[]) => ({ type: 'LineString', coordinates })
const grid = {
  type: 'MultiPolygon',
  coordinates: times(200, (i) => [[bar(i / 4, false)], [bar(i / 4, true)]]).flat(),
}
const collection = (...geometries: unknown[]) => ({ type: 'GeometryCollection', geometries })
const nestCollections = (depth: number) =>
  `${'{"type":"GeometryCollection","geometries":['.repeat(depth)}{"type":"Point","coordinates":[0,0]}${']}'.repeat(depth)}`

/** A shape that only the guard keeps from the database, where it could not be interrupted: without the guard it is not sent. */
function guarded(shape: unknown): unknown {
  const read = parseGeoJson(JSON.stringify(shape))
  if (typeof read === 'string' || findComplexityProblem(read.geometry) === undefined)
    throw new Error('The guard lets it through.')
  return shape
}

const asText = (shape: unknown) => (typeof shape === 'string' ? shape : JSON.stringify(shape))
const call = (name: string, ...values: unknown[]) => ({ function: name, arguments: values })
const geojson = (shape: unknown) => call('geojson', asText(shape))
const here = { field: 'geometry' }

const asJson = { 'content-type': 'application/json', 'x-http-method-override': 'GET' }
const source = '/places/oakton/sources/spots'
const posted = (path: string, options: unknown): Wire => ({
  ...{ method: 'post', path: `${source}${path}`, headers: asJson },
  raw: JSON.stringify(options),
})
/** A query that selects a value for each record. */
const value = (expression: unknown) =>
  posted('/analytics', { aggregations: [{ alias: 'a', value: expression }] })
const analytics = (shape: unknown) =>
  posted('/analytics', {
    aggregations: [{ alias: 'a', value: call('count') }],
    filters: call('intersects', here, geojson(shape)),
  })
const list = (shape: unknown) => posted('/data', { filters: call('intersects', here, geojson(shape)) })
const cluster = (shape: unknown) =>
  posted('/data/cluster', { zoom: 3, filters: call('intersects', here, geojson(shape)) })
const buildBox = (xmin: unknown, ymin: unknown, xmax: unknown, ymax: unknown) => ({ xmin, ymin, xmax, ymax })

const tooMany = /too many/
const filters = ['filters', 'arguments', 1]

type Bomb = [name: string, wire: () => Wire, status: number, said?: { path: unknown[]; message?: RegExp }]
const bombs: Bomb[] = [
  [
    'a star of 400 corners',
    () => analytics(guarded(polygon(star(400)))),
    400,
    { path: filters, message: tooMany },
  ],
  ['the star in a list', () => list(guarded(polygon(star(400)))), 400, { path: filters, message: tooMany }],
  ['the star on a map', () => cluster(guarded(polygon(star(400)))), 400, { path: filters, message: tooMany }],
  [
    'the star as what is measured',
    () => value(call('area', geojson(guarded(polygon(star(400)))))),
    400,
    { path: ['aggregations', 0, 'value', 'arguments', 0], message: tooMany },
  ],
  [
    'the star among collections',
    () => list(guarded(collection(collection(polygon(star(400)))))),
    400,
    { path: filters, message: tooMany },
  ],
  ['a grid of bars', () => analytics(guarded(grid)), 400, { path: filters, message: tooMany }],
  [
    '5,000 spikes',
    () => analytics(guarded(polygon(circle(10_000, 45)))),
    400,
    { path: filters, message: tooMany },
  ],
  ['a million corners', () => analytics(polygon(circle(1_000_000, 0))), 413],
  ['a circle of 10,000 corners', () => analytics(polygon(circle(10_000, 0))), 200],
  ['a comb of 20,000 teeth', () => list(line(comb(20_000))), 200],
  [
    'two combs whose teeth cross',
    () =>
      value(
        call(
          'intersects',
          geojson(line(comb(5000))),
          geojson(line(comb(5000).map(([x = 0, y = 0]) => [y * 50, x]))),
        ),
      ),
    200,
  ],
  [
    'the distance of two combs',
    () => value(call('distance', geojson(line(comb(6400))), geojson(line(comb(6400, 20))))),
    400,
    { path: ['aggregations', 0, 'value'], message: tooMany },
  ],
  [
    'the distance of two small combs',
    () => value(call('distance', geojson(line(comb(500))), geojson(line(comb(500, 20))))),
    200,
  ],
  ['across the date line', () => analytics(polygon(box(170, -10, -170, 10))), 200],
  ['past the date line', () => value(call('area', geojson(polygon(box(170, -10, 190, 10))))), 200],
  ['the whole world', () => analytics(polygon(box(-180, -90, 180, 90))), 200],
  [
    'the area of the whole world, whose edges may go either way around it',
    () => value(call('area', geojson(polygon(box(-180, -90, 180, 90))))),
    400,
    { path: [], message: /half of the way around/ },
  ],
  [
    'a way from pole to pole, which may go anywhere',
    () =>
      value(
        call(
          'length',
          geojson(
            line([
              [0, 90],
              [0, -90],
            ]),
          ),
        ),
      ),
    200,
  ],
  [
    'a ring of nothing but a pole',
    () =>
      value(
        call(
          'area',
          geojson(
            polygon(
              closeRing([
                [0, 90],
                [90, 90],
                [180, 90],
              ]),
            ),
          ),
        ),
      ),
    200,
  ],
  [
    'the poles',
    () =>
      value(
        call(
          'distance',
          geojson({ type: 'Point', coordinates: [0, 90] }),
          geojson({ type: 'Point', coordinates: [77, -90] }),
        ),
      ),
    200,
  ],
  ['NaN', () => analytics('{"type":"Point","coordinates":[NaN,0]}'), 400, { path: filters }],
  ['Infinity', () => analytics('{"type":"Point","coordinates":[1e999,0]}'), 400, { path: filters }],
  [
    'the largest number there is',
    () => value(call('area', geojson(polygon(box(-1e308, -1e308, 1e308, 1e308))))),
    200,
  ],
  ['the largest number on a map', () => list(polygon(box(-1e308, -1e308, 1e308, 1e308))), 200],
  ['the smallest number there is', () => list(polygon(box(0, 0, 5e-324, 5e-324))), 200],
  ['no corner', () => analytics(polygon()), 400, { path: filters }],
  ['an empty ring', () => analytics(polygon([])), 400, { path: filters }],
  ['an empty collection', () => analytics(collection()), 400, { path: filters }],
  ['a ring without area', () => analytics(polygon(times(50, () => [1, 1]))), 200],
  ['collections in collections', () => analytics(nestCollections(10_000)), 400, { path: filters }],
  [
    'coordinates in coordinates',
    () => analytics(`{"type":"Polygon","coordinates":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
    400,
    { path: filters },
  ],
  [
    '5,000 points to be united',
    () => analytics(collection(...times(5000, (i) => ({ type: 'Point', coordinates: [i / 100, i / 100] })))),
    200,
  ],
  ['a box of the whole world', () => posted('/data', { within: buildBox(-180, -90, 180, 90) }), 200],
  [
    'a box of the whole world at the deepest zoom',
    () => posted('/data/cluster', { zoom: 22, within: buildBox(-180, -90, 180, 90) }),
    200,
  ],
  [
    'a map of the whole world in small cells',
    () => posted('/data/cluster', { zoom: 15, within: buildBox(-180, -90, 180, 90) }),
    200,
  ],
  [
    'a box beyond the world',
    () => posted('/data', { within: buildBox(-181, -90, 180, 90) }),
    400,
    { path: ['within', 'xmin'] },
  ],
  [
    'a box of no numbers',
    () => posted('/data', { within: buildBox('NaN', 0, 'Infinity', 1) }),
    400,
    { path: ['within', 'xmin'] },
  ],
  [
    'a map of no numbers',
    () => posted('/data/cluster', { zoom: 3, within: buildBox('NaN', 0, 'Infinity', 1) }),
    400,
    { path: ['within', 'xmin'] },
  ],
  [
    'a point beyond the world',
    () => posted('/data', { intersects: { x: 0, y: 1e308 } }),
    400,
    { path: ['intersects', 'y'] },
  ],
  [
    'a shape where a point belongs',
    () => posted('/data', { intersects: polygon(star(400)) }),
    400,
    { path: ['intersects', 'x'] },
  ],
  ['a box of numbers without end', () => value(call('boundingBox', -1e308, -1e308, 1e308, 1e308)), 200],
]

/**
 * CPU milliseconds of the faster of two runs, as the embedded database runs in this process and wall time includes waiting. With a
 * server: wall time, with a generous limit.
 */
async function cost(run: () => Promise<unknown>): Promise<number> {
  let least = Infinity
  for (let i = 0; i < 2 && least >= 1500; i += 1) {
    const [before, startMs] = [process.cpuUsage(), performance.now()]
    await run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
    expect(performance.now() - startMs).toBeLessThan(15_000)
  }
  return least
}

describe.each(bombs)('%s', (_name, make, status, expectedIssue) => {
  test(`is ${status}, in less than two seconds`, async () => {
    const wire = make()
    const ask = () => send(world, world.asker('anonymous'), wire)
    let answer = {} as Awaited<ReturnType<typeof ask>>
    const ms = await cost(async () => void (answer = await ask()))
    expect(answer.reported).toEqual([])
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)])
    if (expectedIssue) {
      const { fields } = answer.json as { fields: { path: unknown[]; message: string }[] }
      expect(fields[0]?.path).toEqual(expectedIssue.path)
      expect(fields[0]?.message).toMatch(expectedIssue.message ?? /./)
    }
    expect(ms).toBeLessThan(2000)
  })
})

describe('tiles', () => {
  const ports: TileServices = {
    ...{ hubs, cache: null, origin: 'https://app.test', build: null, waitUntil: (work) => void work },
    ask: tileMaker(async () => ({ ctx: world.as('anonymous'), close: async () => {} })),
  }
  /** Requests a record tile; an outdated data version is redirected to the current one. */
  async function requestTile(layer: string, tile: string, shape: unknown) {
    const filters = JSON.stringify(call('intersects', here, geojson(shape)))
    const path = `/t/${layer}/oakton/source/spots@0/${tile}.mvt?filters=${encodeURIComponent(filters)}`
    const moved = await serveRecordTiles(new Request(`https://oakton.test${path}`), ports)
    expect(moved.status).toBe(302)
    const to = new URL(moved.headers.get('location') ?? '', 'https://oakton.test')
    return serveRecordTiles(new Request(to), ports)
  }
  const small = (corners: number) => polygon(star(corners).map((at) => at.map(Math.round)))

  test.each<[string, string, () => unknown, number]>([
    ['a star', '0/0/0', () => guarded(small(100)), 400],
    ['a star at the deepest zoom', '22/1235000/1575000', () => guarded(small(100)), 400],
    ['more than an address may hold', '0/0/0', () => guarded(polygon(star(400))), 413],
    ['the whole world', '0/0/0', () => polygon(box(-180, -90, 180, 90)), 200],
    ['the largest number there is', '0/0/0', () => polygon(box(-1e308, -1e308, 1e308, 1e308)), 200],
    ['NaN', '0/0/0', () => '{"type":"Point","coordinates":[NaN,0]}', 400],
  ])('%s, tile %s: is answered in less than two seconds', async (_name, tile, make, status) => {
    const shape = make()
    for (const layer of ['points', 'shapes']) {
      let answer = new Response()
      const ms = await cost(async () => void (answer = await requestTile(layer, tile, shape)))
      expect([layer, answer.status, (await answer.text()).slice(0, 200)]).toEqual([
        layer,
        status,
        expect.any(String),
      ])
      expect(ms).toBeLessThan(2000)
    }
  })
})
