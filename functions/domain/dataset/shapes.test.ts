import { sql } from 'kysely'
import type { Position } from 'geojson'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataTable, tableNameFor } from '#db/data-table.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { computeSignedArea } from '#functions/engine/tile/draw.ts'
import type { TilePoint } from '#functions/engine/tile/mvt.ts'
import { tile, type TileRequest } from './tile.ts'
import { countIn, layersIn, toTiles } from './tile.testing.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  spot: { name: 'Spot', type: 'point' },
  way: { name: 'Way', type: 'line' },
  area: { name: 'Area', type: 'multipolygon' },
}

type Ring = Position[]

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]
/** Wound the other way. */
const reverseRing = (ring: Ring): Ring => ring.toReversed()
const star = (lon: number, lat: number, radius: number): Ring => {
  const corners = Array.from({ length: 40 }, (_, i): Position => {
    const far = radius * (i % 2 ? 1 : 0.45)
    return [lon + far * Math.cos((i * Math.PI) / 20), lat + far * Math.sin((i * Math.PI) / 20)]
  })
  return [...corners, corners[0] as Position]
}

/** Rings of areas whose interior is compared point by point. */
const areas: Record<string, Ring[][]> = {
  donut: [[box(-100, 35, -90, 45), reverseRing(box(-98, 37, -92, 43))]],
  donutTurned: [[reverseRing(box(-80, 35, -70, 45)), box(-78, 37, -72, 43)]],
  star: [[star(10, 50, 6)]],
  acrossTheDateLine: [[box(175, -20, 180, -10)], [box(-180, -20, -174, -10)]],
  huge: [[box(-179, -60, 179, -30)]],
  neighbourWest: [
    [
      [
        [20, 0],
        [25.0003, 0.0001],
        [25.0007, 5.0001],
        [20, 5],
        [20, 0],
      ],
    ],
  ],
  neighbourEast: [
    [
      [
        [25.0003, 0.0001],
        [30, 0],
        [30, 5],
        [25.0007, 5.0001],
        [25.0003, 0.0001],
      ],
    ],
  ],
  polar: [[box(-60, 70, 60, 90)]],
}

const tiny = Array.from({ length: 300 }, (_, i) => {
  const [lon, lat] = [-122 + (i % 20) * 0.001, 47 + Math.floor(i / 20) * 0.001]
  return {
    id: `tiny${i}`,
    kind: i % 3 ? 'plot' : 'house',
    area: multi([[box(lon, lat, lon + 1e-4, lat + 1e-4)]]),
  }
})
const borders: Position[] = [
  [0, 66.51326044311186],
  [180, 0],
  [-180, 85.06],
  [90, 66.51326044311186],
]

function multi(coordinates: Ring[][]) {
  return { type: 'MultiPolygon', coordinates }
}

const rows = [
  ...tiny,
  ...Object.entries(areas).map(([id, coordinates]) => ({ id, kind: 'area', area: multi(coordinates) })),
  ...borders.map((coordinates, i) => ({
    id: `spot${i}`,
    kind: 'spot',
    spot: { type: 'Point', coordinates },
  })),
  {
    id: 'line',
    kind: 'way',
    way: {
      type: 'LineString',
      coordinates: [
        [-150, 10],
        [-60, 11],
        [-60, 40],
        [40, 30],
      ],
    },
  },
  {
    id: 'street',
    kind: 'way',
    way: {
      type: 'LineString',
      coordinates: [
        [-122, 47],
        [-122.00002, 47.00001],
      ],
    },
  },
  { id: 'nowhere', kind: 'way' },
]

let world: RecordsWorld
let ctx: Context
let source: string
const keys = new Map<string, number>()

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(anonymous)
  await world.dataType('shape', schema)
  source = await world.source('shape', 'public')
  const { rejected } = await ingest(world.as(system), source, rows)
  expect(rejected).toEqual([])
  const keyResult = await sql<{ id: string; key: string | null }>`
    select f_id as id, key from ${dataTable(tableNameFor('shape'))}`.execute(ctx.db.withoutPlugins())
  for (const { id, key } of keyResult.rows) if (key !== null) keys.set(id, Number(key))
}, 120_000)
afterAll(() => world.close())

const ask = (place: TileRequest['tile'], changes: Partial<TileRequest> = {}) =>
  tile(
    ctx,
    { placeId: 'oak', sourceId: source },
    { kind: 'shapes', tile: place, fields: ['id', 'kind'], query: {}, versions: { [source]: 1 }, ...changes },
  )

test.each([0, 1, 2, 3, 5, 8, 9, 10, 13, 17])('zoom %i counts every record in exactly one tile', async (z) => {
  const places = toTiles([...keys.values()], z)
  const counts = await Promise.all(places.map(async (place) => countIn(await ask(place))))
  expect(counts.reduce((sum, n) => sum + n, 0)).toBe(rows.length - 1)
  const houses = { query: { filters: { 'data.kind': 'house' } } }
  const filtered = await Promise.all(places.map(async (place) => countIn(await ask(place, houses))))
  expect(filtered.reduce((sum, n) => sum + n, 0)).toBe(100)
})

/** Mercator, in the units of a tile. */
function toTilePoint([lon = 0, lat = 0]: Position, { z, x, y }: TileRequest['tile']): TilePoint {
  const size = 4096 * 2 ** z
  const phi = (Math.max(-89, Math.min(89, lat)) * Math.PI) / 180
  const down = (1 - Math.asinh(Math.tan(phi)) / Math.PI) / 2
  return [((lon + 180) / 360) * size - x * 4096, down * size - y * 4096]
}

const getEdges = (ring: TilePoint[]) =>
  ring.map((a, i) => [a, ring[(i + 1) % ring.length] as TilePoint] as const)

/** Even-odd over all rings. */
function holds(rings: TilePoint[][], [px, py]: TilePoint): boolean {
  let isIn = false
  for (const [[ax, ay], [bx, by]] of rings.flatMap(getEdges))
    if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax) isIn = !isIn
  return isIn
}

function distance(rings: TilePoint[][], [px, py]: TilePoint): number {
  const far = rings.flatMap(getEdges).map(([[ax, ay], [bx, by]]) => {
    const [dx, dy] = [bx - ax, by - ay]
    const share = Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1)))
    return Math.hypot(px - ax - share * dx, py - ay - share * dy)
  })
  return Math.min(...far)
}

const listTilePlaces = (z: number) =>
  Array.from({ length: 4 ** z }, (_, i) => ({ z, x: i % 2 ** z, y: Math.floor(i / 2 ** z) }))

describe.each([0, 2, 3, 4])('areas at zoom %i', (z) => {
  test('cover the right pixels, including holes and across the antimeridian, and are wound as the format says', async () => {
    const areaIds = new Set<string>()
    let pointCount = 0
    for (const place of listTilePlaces(z)) {
      const { shapes = [] } = layersIn(await ask(place))
      for (const feature of shapes.filter(({ type }) => type === 3)) {
        const id = String(feature.properties['data.id'])
        areaIds.add(id)
        const rings = feature
          .loadGeometry()
          .map((ring) => ring.slice(0, -1).map(({ x, y }): TilePoint => [x, y]))
        expect(computeSignedArea(rings[0] ?? [])).toBeGreaterThan(0)
        for (const [x, y] of rings.flat()) {
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(-64)
          expect(Math.max(x, y)).toBeLessThanOrEqual(4096 + 64)
        }
        const holes = rings.filter((ring) => computeSignedArea(ring) < 0)
        if (holes.length > 0) expect(id).toMatch(/donut/)
        const expectedRings = (areas[id] ?? [])
          .flat()
          .map((ring) => ring.slice(0, -1).map((at) => toTilePoint(at, place)))
        for (let i = 0; i < 64; i++) {
          const at: TilePoint = [(i % 8) * 512 + 256, Math.floor(i / 8) * 512 + 256]
          if (distance(expectedRings, at) < 12) continue
          pointCount += 1
          expect({ id, place, at, isIn: holds(rings, at) }).toEqual({
            id,
            place,
            at,
            isIn: holds(expectedRings, at),
          })
        }
      }
    }
    expect([...areaIds].sort()).toEqual(Object.keys(areas).sort())
    expect(pointCount).toBeGreaterThan(100)
  })
})

test('neighbours share every position of their border', async () => {
  for (const place of toTiles([keys.get('neighbourWest') ?? 0, keys.get('neighbourEast') ?? 0], 6)) {
    const { shapes = [] } = layersIn(await ask(place))
    const getRing = (id: string) =>
      shapes.find(({ properties }) => properties['data.id'] === id)?.loadGeometry()[0] ?? []
    const border = (id: string) =>
      getRing(id)
        .filter(({ x }) => Math.abs(x - toTilePoint([25.0005, 2], place)[0]) < 8)
        .map(({ x, y }) => `${x} ${y}`)
    expect(new Set(border('neighbourWest'))).toEqual(new Set(border('neighbourEast')))
  }
})

test('a line is drawn in every tile it crosses, and clipped to each', async () => {
  const tileNames = new Set<string>()
  for (const place of listTilePlaces(3)) {
    const { shapes = [] } = layersIn(await ask(place))
    for (const feature of shapes.filter(({ type }) => type === 2)) {
      tileNames.add(`${place.x}/${place.y}`)
      for (const { x, y } of feature.loadGeometry().flat())
        expect(x >= -64 && x <= 4160 && y >= -64 && y <= 4160).toBe(true)
    }
  }
  for (const at of ['0/3', '1/3', '2/3', '3/3', '4/3']) expect([...tileNames]).toContain(at)
})

test('a shape smaller than a pixel is counted; at a closer zoom it is drawn', async () => {
  const getTileAtZoom = (z: number) => toTiles([keys.get('tiny0') ?? 0], z)[0] ?? { z: 0, x: 0, y: 0 }
  const far = layersIn(await ask(getTileAtZoom(6)))
  expect(far['shapes'] ?? []).toEqual([])
  expect(far['points']?.length).toBe(301)
  const near = layersIn(await ask(getTileAtZoom(17)))
  expect(near['shapes']?.length).toBeGreaterThan(1)
  expect(near['points'] ?? []).toEqual([])
})

test('shows the number of shapes where too many are near, and says so where large ones reach too far', async () => {
  const { db } = world.as(system)
  await db
    .updateTable('sourceStat')
    .set({ count: 50_000, reach: '[360,180]' })
    .where('sourceId', '=', source)
    .execute()
  const place = toTiles([keys.get('tiny0') ?? 0], 14)[0] ?? { z: 14, x: 0, y: 0 }
  const close = layersIn(await ask(place))
  expect(close['cut']).toHaveLength(1)
  expect(countIn(await ask(place))).toBeGreaterThan(1)
  await db.updateTable('clusterPyramid').set({ n: 30_000 }).where('sourceId', '=', source).execute()
  const far = layersIn(await ask({ z: 2, x: 0, y: 1 }))
  expect(far['shapes']).toBeUndefined()
  expect(far['clusters']?.length).toBeGreaterThan(0)
})
