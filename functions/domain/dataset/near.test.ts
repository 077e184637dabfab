import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableNameFor } from '#db/data-table.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { ingest } from '../records/ingest.ts'
import { recount } from '../records/recount.ts'
import { removeRecords } from '../records/remove.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { find } from './dataset.ts'
import { open, compileRows, run } from './open.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  spot: { name: 'Spot', type: 'point' },
  way: { name: 'Way', type: 'line' },
  area: { name: 'Area', type: 'polygon' },
}

let world: RecordsWorld
let ctx: Context

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('thing', schema)
  await world.dataType('spot', { id: schema.id as never, spot: schema.spot as never })
})
afterAll(() => world.close())

function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
type Random = ReturnType<typeof randomFrom>

/** Longitudes at edges of cells and other special numbers. */
const longitudes = [-180, 180, 179.9999999, -179.9999999, 0, 90, 5.625, -122.34375]
const latitudes = [
  -90, 90, 85.0511287798066, -85.0511287798066, 86, -89.5, 0, 40.97989806962013, 66.51326044311186,
]
const longitude = (random: Random) =>
  random() < 0.3 ? (longitudes[Math.floor(random() * longitudes.length)] ?? 0) : random() * 360 - 180
const latitude = (random: Random) =>
  random() < 0.3 ? (latitudes[Math.floor(random() * latitudes.length)] ?? 0) : random() * 180 - 90
const clampNumber = (value: number, most: number) => Math.max(-most, Math.min(most, value))

/** Points at special places; lines and areas from a step to half the world. */
function thing(random: Random, id: string, kinds: number) {
  const [x, y] = [longitude(random), latitude(random)]
  const kind = Math.floor(random() * kinds)
  const size = 10 ** (random() * 6 - 4)
  const to = (dx: number, dy: number): [number, number] => [
    clampNumber(x + dx * size, 180),
    clampNumber(y + dy * size, 90),
  ]
  if (kind === 0) return { id, spot: { type: 'Point', coordinates: [x, y] } }
  if (kind === 1) {
    const coordinates = [to(0, 0), to(random() * 4 - 2, 1), to(3, random() * 4 - 2)]
    return { id, way: { type: 'LineString', coordinates } }
  }
  const [west, south] = [clampNumber(x, 179), clampNumber(y, 89)]
  const [east, north] = [Math.min(180, west + size), Math.min(90, south + size * random() + 0.0001)]
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return { id, area: { type: 'Polygon', coordinates: [ring] } }
}

/** Boxes of all sizes, of none, upside down, at the edges of the world and all of it; and on corners of records. */
function box(random: Random, shapes: { coordinates: unknown }[]) {
  const pickCorner = () => {
    const shape = shapes[Math.floor(random() * shapes.length)]
    const numbers = [shape?.coordinates].flat(4) as number[]
    return [numbers[0] ?? 0, numbers[1] ?? 0] as const
  }
  const [x, y] = random() < 0.5 ? pickCorner() : ([longitude(random), latitude(random)] as const)
  const kind = random()
  if (kind < 0.05) return { xmin: -180, ymin: -90, xmax: 180, ymax: 90 }
  if (kind < 0.3) return { xmin: x, ymin: y, xmax: x, ymax: y }
  const size = 10 ** (random() * 7 - 5)
  const [xmax, ymax] = [clampNumber(x + size, 180), clampNumber(y + size * random(), 90)]
  return kind < 0.4 ? { xmin: xmax, ymin: ymax, xmax: x, ymax: y } : { xmin: x, ymin: y, xmax, ymax }
}

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const boxes = 50

/** For each query the ids of records found through keys, and through the plain predicate. */
async function findIdsBothWays(source: string, options: Record<string, unknown>[]) {
  const dataset = await open(ctx, { sourceId: source })
  const plain = { ...dataset, env: { ...dataset.env, near: undefined } }
  const ids = (variant: typeof dataset, option: Record<string, unknown>) => {
    const conditions = sql.join([...dataset.scope.where, ...compileRows(variant, option).where], sql` and `)
    return sql`array(select t.external_id from ${dataset.scope.from} where ${conditions} order by 1)`
  }
  const selects = options.map(
    (option, i) =>
      sql`select ${i}::int as i, ${ids(dataset, option)} as near, ${ids(plain, option)} as plain`,
  )
  return run(
    ctx,
    dataset,
    sql<{ near: string[]; plain: string[] }>`${sql.join(selects, sql` union all `)} order by i`,
  )
}

for (const [type, kinds] of [
  ['spot', 1],
  ['thing', 3],
] as const) {
  test(`finds by keys exactly the shapes that intersect: ${type}s (SEED=${seed})`, async () => {
    const random = randomFrom(seed)
    const source = await world.source(type)
    let matchCount = 0
    for (let step = 0; step < 3; step++) {
      const rows = Array.from({ length: 300 }, () => thing(random, String(Math.floor(random() * 600)), kinds))
      // A few random shapes are invalid: the point 0, 0, or a line without length.
      expect((await ingest(ctx, source, rows, { mode: 'upsert' })).rejected.length).toBeLessThan(50)
      if (step > 0) {
        const { results } = await find(ctx, { sourceId: source }, { limit: 1000 })
        const going = results.filter(() => random() < 0.4).flatMap(({ id }) => id ?? [])
        await removeRecords(ctx, source, going)
      }
      const shapes = rows.map(
        ({ spot, way, area }: Record<string, unknown>) => (spot ?? way ?? area) as never,
      )
      const queries = Array.from({ length: boxes }, () => box(random, shapes)).flatMap((within) => [
        { within },
        { intersects: { x: within.xmin, y: within.ymin } },
      ])
      for (const [i, { near, plain }] of (await findIdsBothWays(source, queries)).entries()) {
        expect(near, JSON.stringify(queries[i])).toEqual(plain)
        matchCount += near.length
      }
    }
    expect(matchCount).toBeGreaterThan(boxes)
    const storedReach = await reachKept(source)
    await recount(ctx, source)
    const recountedReach = await reachKept(source)
    // Deleted records may have had a larger reach; the table has that of the current ones.
    expect(storedReach[0]).toBeGreaterThanOrEqual(recountedReach[0] - 1e-12)
    expect(storedReach[1]).toBeGreaterThanOrEqual(recountedReach[1] - 1e-12)
    if (kinds === 1)
      expect([storedReach, recountedReach]).toEqual([
        [0, 0],
        [0, 0],
      ])
    else expect(recountedReach[0]).toBeGreaterThan(1)
  }, 60_000)
}

async function reachKept(source: string): Promise<[number, number]> {
  const { reach } = await ctx.db
    .selectFrom('sourceStat')
    .select('reach')
    .where('sourceId', '=', source)
    .executeTakeFirstOrThrow()
  if (!reach) throw new Error('No reach is kept.')
  return reach
}

test('computes of a new shape the same as the database', async () => {
  const random = randomFrom(7)
  for (let i = 0; i < 12; i++) {
    const source = await world.source('thing')
    await ingest(ctx, source, [thing(random, 'one', 3)])
    const storedReach = await reachKept(source)
    await recount(ctx, source)
    const recountedReach = await reachKept(source)
    expect(recountedReach[0]).toBeCloseTo(storedReach[0], 10)
    expect(recountedReach[1]).toBeCloseTo(storedReach[1], 10)
  }
})

test('when the reach of shapes is unknown, scans all of them until the next write', async () => {
  const source = await world.source('thing')
  const area = (id: string, x: number) => ({
    id,
    area: {
      type: 'Polygon',
      coordinates: [
        [
          [x, 0],
          [x + 20, 0],
          [x + 20, 20],
          [x, 20],
          [x, 0],
        ],
      ],
    },
  })
  const { rejected } = await ingest(ctx, source, [area('a', 0.5), area('b', 50)])
  expect(rejected).toEqual([])
  await ctx.db.updateTable('sourceStat').set({ reach: null }).where('sourceId', '=', source).execute()
  const query = { within: { xmin: 1, ymin: 1, xmax: 1.1, ymax: 1.1 } }
  const { env } = await open(ctx, { sourceId: source })
  expect(env.overlapsBounds?.(query.within)).toBeUndefined()
  expect(await findIdsBothWays(source, [query])).toEqual([{ i: 0, near: ['a'], plain: ['a'] }])
  await ingest(ctx, source, [area('c', 100)])
  expect((await reachKept(source))[0]).toBeGreaterThan(9.9)
  expect(await findIdsBothWays(source, [query])).toEqual([{ i: 0, near: ['a'], plain: ['a'] }])
})

test('uses the index of keys, also for the public under row-level security', async () => {
  const source = await world.source('spot', 'public')
  const random = randomFrom(3)
  const rows = Array.from({ length: 20_000 }, (_, i) => ({
    id: String(i),
    spot: { type: 'Point', coordinates: [random() * 2, random() * 2] },
  }))
  await ingest(ctx, source, rows)
  const public_ = world.as(anonymous)
  const dataset = await open(public_, { sourceId: source })
  const plan = async (env: typeof dataset.env) => {
    const { where } = compileRows(
      { ...dataset, env },
      { within: { xmin: 1, ymin: 1, xmax: 1.02, ymax: 1.02 } },
    )
    const conditions = sql.join([...dataset.scope.where, ...where], sql` and `)
    const lines = await run(
      public_,
      dataset,
      sql<Record<string, string>>`explain select t.id from ${dataset.scope.from} where ${conditions}`,
    )
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  }
  const index = `${tableNameFor('spot')}_key`
  expect(await plan(dataset.env)).toContain(index)
  const without = await plan({ ...dataset.env, overlapsBounds: undefined })
  expect(without).not.toContain(index)
  expect(without).not.toContain('_geometry on')
})
