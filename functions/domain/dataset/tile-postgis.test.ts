import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { cluster } from './cluster.ts'
import { tile } from './tile.ts'
import { countIn, layersIn } from './tile.testing.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  location: { name: 'Where', type: 'point' },
}
/** The world of web mercator in metres, from edge to edge. */
const worldWidth = 40_075_016.685578488

/** The same numbers between 0 and 1 in every run. */
function numbersFrom(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const next = numbersFrom(2026)
const generatePositions = (count: number, lon: number, lat: number, width: number) =>
  Array.from({ length: count }, (): [number, number] => [
    lon + (next() - 0.5) * width,
    lat + (next() - 0.5) * width,
  ])
const city: [number, number] = [-122.33, 47.6]
/** A crowded city, of which tiles have clusters, a region, a country and the whole world. */
const positions = [
  ...generatePositions(2600, ...city, 0.02),
  ...generatePositions(80, 13.4, 52.5, 0.3),
  ...generatePositions(30, 10, 51, 8),
  ...generatePositions(20, 0, 0, 160),
]

let world: RecordsWorld
let ctx: Context
let sourceId: string
const totals = { cells: 0, tiles: 0, clusters: 0, dots: 0, mostStepsApart: 0 }
beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(anonymous)
  await world.dataType('spot', schema)
  sourceId = await world.source('spot', 'public')
  const located = positions.map((coordinates, i) => ({
    id: String(i),
    location: { type: 'Point', coordinates },
  }))
  await ingest(world.as(system), sourceId, located)
}, 240_000)
afterAll(async () => {
  writeMeasurements('tiles-postgis-points', totals)
  await world.close()
})

interface PlacedCount {
  coordinates: number[]
  count: number
}

/** The counts of some places by the cell of a level that contains them, as PostGIS projects them. */
async function countsByCell(places: PlacedCount[], level: number): Promise<Map<string, number>> {
  const [lons, lats] = [0, 1].map((axis) => places.map(({ coordinates }) => coordinates[axis]))
  const { rows } = await sql<{ x: number; y: number; n: number }>`
    with projected as (
      select ST_Transform(ST_SetSRID(ST_MakePoint(lon, lat), 4326), 3857) as at, n
      from unnest(${lons}::float8[], ${lats}::float8[], ${places.map(({ count }) => count)}::int[]) as p (lon, lat, n))
    select floor((ST_X(at) / ${worldWidth}::float8 + 0.5) * ${2 ** level}::float8)::int as x,
      floor((0.5 - ST_Y(at) / ${worldWidth}::float8) * ${2 ** level}::float8)::int as y, sum(n)::int as n
    from projected group by 1, 2 order by 1, 2`.execute(ctx.db)
  return new Map(rows.map(({ x, y, n }) => [`${x}/${y}`, n]))
}

const records = positions.map((coordinates) => ({ coordinates, count: 1 }))
const boxAround = ([lon, lat]: [number, number], half: number) => ({
  ...{ xmin: lon - half, ymin: lat - half },
  ...{ xmax: lon + half, ymax: lat + half },
})

test.each([
  [0, undefined],
  [2, undefined],
  [4, undefined],
  [9, boxAround(city, 1)],
  [11, boxAround(city, 0.2)],
  [14, boxAround(city, 0.05)],
])('zoom %i: each cell has as many records as in PostGIS', async (zoom, within) => {
  const { features, meta } = await cluster(
    ctx,
    { placeId: 'oak', sourceId },
    { zoom, ...(within && { within }) },
  )
  expect(meta.zoom).toBe(zoom)
  const places = features.map(({ geometry, properties }) => ({
    coordinates: (geometry as { coordinates: number[] }).coordinates,
    count: Number(properties.point_count ?? 1),
  }))
  const inside = within ? records.slice(0, 2600) : records
  const cells = await countsByCell(inside, zoom + 3)
  expect(await countsByCell(places, zoom + 3)).toEqual(cells)
  expect(features).toHaveLength(cells.size)
  totals.cells += cells.size
})

/** The tiles of a zoom that contain records, each with its records in steps of the tile, as PostGIS places them. */
async function tilesByPostgis(zoom: number) {
  const [lons, lats] = [0, 1].map((axis) => positions.map((position) => position[axis]))
  const { rows } = await sql<{ x: number; y: number; xs: number[]; ys: number[] }>`
    with projected as materialized (
      select ST_Transform(ST_SetSRID(ST_MakePoint(lon, lat), 4326), 3857) as at
      from unnest(${lons}::float8[], ${lats}::float8[]) as p (lon, lat)),
    numbered as (
      select at, floor((ST_X(at) / ${worldWidth}::float8 + 0.5) * ${2 ** zoom}::float8)::int as x,
        floor((0.5 - ST_Y(at) / ${worldWidth}::float8) * ${2 ** zoom}::float8)::int as y
      from projected),
    placed as (select at, x, y, ST_TileEnvelope(${zoom}::int, x, y) as tile from numbered)
    select x, y, array_agg((ST_X(at) - ST_XMin(tile)) / (ST_XMax(tile) - ST_XMin(tile)) * 4096) as xs,
      array_agg((ST_YMax(tile) - ST_Y(at)) / (ST_YMax(tile) - ST_YMin(tile)) * 4096) as ys
    from placed where ST_Covers(tile, at) group by x, y order by x, y`.execute(ctx.db)
  return rows
}

/**
 * The steps by which a record in a tile is away from where PostGIS places it, at most: half a step of rounding, and up
 * to half a cell of 0.6 m, of which a tile of zoom 14 has one a step. Found: 1.0 in each direction.
 */
const maxStepsApart = 1.01

test.each([0, 5, 9, 12, 14])('zoom %i: each tile has the records that PostGIS finds in it', async (z) => {
  const tiles = await tilesByPostgis(z)
  expect(tiles.reduce((sum, { xs }) => sum + xs.length, 0)).toBe(positions.length)
  for (const { x, y, xs, ys } of tiles) {
    const question = { kind: 'points', fields: [], query: {}, versions: { [sourceId]: 1 } } as const
    const bytes = await tile(ctx, { placeId: 'oak', sourceId }, { ...question, tile: { z, x, y } })
    expect(countIn(bytes), `${z}/${x}/${y}`).toBe(xs.length)
    totals.tiles += 1
    const { points = [], clusters = [] } = layersIn(bytes)
    totals.clusters += clusters.length
    if (clusters.length > 0) continue
    const rest = xs.map((at, i) => [at, ys[i] ?? 0] as const)
    for (const point of points) {
      const [dot] = point.loadGeometry()[0] ?? []
      const distances = rest.map(([left, top]) =>
        Math.max(Math.abs(left - (dot?.x ?? 0)), Math.abs(top - (dot?.y ?? 0))),
      )
      const least = Math.min(...distances)
      totals.mostStepsApart = Math.max(totals.mostStepsApart, least)
      totals.dots += 1
      expect(least, `${z}/${x}/${y}`).toBeLessThan(maxStepsApart)
      rest.splice(distances.indexOf(least), 1)
    }
  }
})
