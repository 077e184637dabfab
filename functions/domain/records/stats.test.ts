import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataTable, tableNameFor } from '#db/data-table.ts'
import { system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { maxFacets, maxFacetValues } from './facets.ts'
import { change, prepareRecordSubject } from './change.ts'
import { Incoming } from './incoming.ts'
import { ingest, writeValidRows } from './ingest.ts'
import {
  cellsPerTileBits,
  deinterleave,
  keyLevel,
  prefix,
  pyramidZoom,
} from '#functions/engine/tile/morton.ts'
import { prepare } from './prepare.ts'
import { fieldOfFacet } from './pyramid.ts'
import { deleteById as deleteSource, restore as restoreSource } from '#functions/domain/source/sources.ts'
import { recount } from './recount.ts'
import { removeRecord, removeRecords, wipe } from './remove.ts'
import { rollBackVersion } from './replay.ts'
import { recordsWorld, type RecordsWorld } from './testing.ts'
import { maxListed, maxListedLength } from './tally.ts'
import { isCrossSection } from '#functions/v1/testing/figures.testing.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  wide: { name: 'Wide', type: 'text' },
  amount: { name: 'Amount', type: 'number' },
  at: { name: 'At', type: 'date' },
  isOpen: { name: 'Open', type: 'boolean' },
  location: { name: 'Where', type: 'point' },
  path: { name: 'Path', type: 'line' },
}

let world: RecordsWorld
let ctx: Context

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('thing', schema, 'at')
})
afterAll(() => world.close())

/** A random generator: the same seed repeats the run. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function thing(random: (below: number) => number, ids: number) {
  const maybe = <T>(value: T) => (random(5) === 0 ? undefined : value)
  const west = random(3600) / 10 - 180
  const corner = [west, random(1600) / 10 - 80.05]
  const text = random(400) === 0 ? 'l'.repeat(300) : `wide ${random(130)}`
  return {
    id: String(random(ids)),
    kind: maybe(['a', 'b', 'Ä', '__proto__', ''][random(5)]),
    wide: maybe(text),
    amount: maybe(random(40) - 20),
    at: maybe(new Date(1.5e12 + random(1000) * 1e9 + random(1000)).toISOString()),
    isOpen: maybe(random(2) === 0),
    location: maybe({ type: 'Point', coordinates: corner }),
    path: random(10) ? undefined : { type: 'LineString', coordinates: [corner, [west / 2, 1]] },
  }
}

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

test(`stored statistics equal the table, after random writes (SEED=${seed})`, async () => {
  const random = randomFrom(seed)
  const source = await world.source('thing')
  let version = 0
  for (let step = 0; step < (isCrossSection ? 6 : 14); step++) {
    const mode = random(4) === 0 ? 'replace' : 'upsert'
    const rows = Array.from({ length: [1, 30, 250, 600][random(4)] ?? 1 }, () => thing(random, 400))
    const result = await ingest(ctx, source, rows, { mode })
    expect(result.created + result.updated + result.unchanged + result.rejected.length).toBe(rows.length)
    version = result.version
    if (random(3) === 0) {
      const { rows: some } = await table<{ id: string }>(
        source,
        sql`select id from`,
        sql`order by external_id limit 40`,
      )
      for (const { id } of some.slice(0, 1 + random(12))) await removeRecord(ctx, source, id)
      version = 0
    }
    await expectExact(source)
  }
  if (version) expect((await readVersion(source)).dataVersion).toBe(version)
})

test('a recount repairs wrong statistics', async () => {
  const random = randomFrom(seed + 1)
  const source = await world.source('thing')
  await ingest(
    ctx,
    source,
    Array.from({ length: 700 }, () => thing(random, 900)),
  )
  const { dataVersion } = await readVersion(source)
  await ctx.db
    .updateTable('sourceStat')
    .set({ count: 3, extent: '[0,0,1,1]', fields: '{"kind":{"min":1,"max":2,"nulls":9,"values":{"x":5}}}' })
    .where('sourceId', '=', source)
    .execute()
  await ctx.db.updateTable('clusterPyramid').set({ n: 7 }).where('sourceId', '=', source).execute()
  await ctx.db.updateTable('facetPyramid').set({ n: 7 }).where('sourceId', '=', source).execute()
  const { rows } = await table(source, sql`select from`)
  expect(await recount(ctx, source)).toBe(rows.length)
  await expectExact(source)
  expect(await readVersion(source)).toEqual({ dataVersion })
  await ctx.db.deleteFrom('sourceStat').where('sourceId', '=', source).execute()
  await ctx.db.deleteFrom('clusterPyramid').where('sourceId', '=', source).execute()
  await recount(ctx, source)
  await expectExact(source)
})

test('a write into more map cells than the limit has them counted from the table', async () => {
  const random = randomFrom(seed + 5)
  const source = await world.source('thing')
  const subject = await prepareRecordSubject(ctx, source)
  if (!subject) throw new Error('There is such a source.')
  for (const most of [20, 20, 1_000_000]) {
    const { rows } = await prepare(
      Array.from({ length: 600 }, () => thing(random, 900)),
      schema,
    )
    await change(ctx, subject, async (pendingChange) => {
      pendingChange.pyramid.most = most
      const incoming = new Incoming(pendingChange.target.columns, rows)
      const count = await writeValidRows(pendingChange, incoming, 'upsert', { created: 0, updated: 0 }, [])
      count()
      expect(pendingChange.pyramid.isLost).toBe(most === 20)
    })
    await expectExact(source)
  }
})

test('a source without records, or none, is counted too', async () => {
  const source = await world.source('thing')
  expect(await recount(ctx, source)).toBe(0)
  expect(await recount(ctx, 'nowhere')).toBeUndefined()
})

test('wiped, emptied record by record or replaced by none, and filled again: statistics equal the table', async () => {
  const random = randomFrom(seed + 2)
  const source = await world.source('thing')
  const createThings = (count: number) => Array.from({ length: count }, () => thing(random, 60))
  const idsIn = async () =>
    (await table<{ id: string }>(source, sql`select id from`)).rows.map(({ id }) => id)
  await ingest(ctx, source, createThings(80))
  const { rows } = await table(source, sql`select from`)
  expect(await wipe(ctx, source)).toMatchObject({ count: rows.length })
  await expectExact(source)
  await ingest(ctx, source, createThings(8))
  for (const id of await idsIn()) {
    await removeRecord(ctx, source, id)
    await expectExact(source)
  }
  expect(await idsIn()).toEqual([])
  await ingest(ctx, source, createThings(30))
  await removeRecords(ctx, source, await idsIn())
  await expectExact(source)
  await ingest(ctx, source, createThings(30))
  await ingest(ctx, source, [], { mode: 'replace' })
  await expectExact(source)
  await ingest(ctx, source, createThings(30))
  await expectExact(source)
})

test('a source restored after its deletion has its statistics', async () => {
  const random = randomFrom(seed + 3)
  const source = await world.source('thing')
  await ingest(
    ctx,
    source,
    Array.from({ length: 50 }, () => thing(random, 50)),
  )
  const request = { params: { sourceId: source }, options: {}, data: undefined, placeId: 'oak' }
  const before = await readVersion(source)
  await deleteSource(ctx, request)
  await expect(ingest(ctx, source, [{ id: 'late' }])).rejects.toThrow()
  await expectExact(source)
  expect(await restoreSource(ctx, request)).toMatchObject({ id: source })
  await expectExact(source)
  expect(await readVersion(source)).toEqual(before)
  await ingest(ctx, source, [{ id: 'late', kind: 'a' }])
  await expectExact(source)
})

test('a rollback restores records to the last column, and the statistics with them', async () => {
  const random = randomFrom(seed + 4)
  const source = await world.source('thing')
  const undo = async (version: number) => {
    const subject = await prepareRecordSubject(ctx, source)
    if (!subject) throw new Error('There is such a source.')
    let done = {}
    await change(
      ctx,
      subject,
      async (pendingChange) => void (done = await rollBackVersion(pendingChange, version)),
    )
    return done
  }
  const readRows = async () =>
    (await table<{ row: unknown }>(source, sql`select to_jsonb(t) as row from`, sql`order by id`)).rows
  for (let step = 0; step < (isCrossSection ? 4 : 8); step++) {
    const before = await readRows()
    const mode = (['upsert', 'replace', 'append'] as const)[random(3)] ?? 'upsert'
    const rows = Array.from({ length: [3, 120, 500][random(3)] ?? 1 }, () => thing(random, 400))
    const { version, ...did } = await ingest(ctx, source, rows, { mode })
    const after = await readRows()
    // A write without changes makes no version, so there is nothing to roll back.
    if (did.created + did.updated + did.removed === 0) {
      expect(after).toEqual(before)
      continue
    }
    const expectedCounts = { created: did.removed, updated: did.updated, removed: did.created }
    expect(await undo(version)).toEqual(expectedCounts)
    expect(await readRows()).toEqual(before)
    if (version > 1) await expectExact(source)
    expect(await readVersion(source)).toEqual({ dataVersion: version + 1 })
    // A rollback stores undo snapshots like any write.
    if (version > 1) await undo(version + 1)
    else await ingest(ctx, source, rows, { mode })
    if (version > 1) expect(await readRows()).toEqual(after)
    await expectExact(source)
  }
})

function readVersion(source: string) {
  return ctx.db.selectFrom('source').select('dataVersion').where('id', '=', source).executeTakeFirstOrThrow()
}

function table<T>(source: string, select: ReturnType<typeof sql>, after = sql``) {
  return sql<T>`${select} ${dataTable(tableNameFor('thing'))} t where source_id = ${source} ${after}`.execute(
    ctx.db.withoutPlugins(),
  )
}

/** Numbers and ISO dates in their order; other types are not compared. */
function order(value: unknown): number | string {
  return typeof value === 'number' ? value : String(value)
}

async function expectExact(source: string) {
  const storedStats = await ctx.db
    .selectFrom('sourceStat')
    .selectAll()
    .where('sourceId', '=', source)
    .executeTakeFirstOrThrow()
  const { rows } = await table<Record<string, unknown>>(
    source,
    sql`select *, st_xmin(geometry) w, st_ymin(geometry) s, st_xmax(geometry) e, st_ymax(geometry) n from`,
  )
  expect(storedStats.count).toBe(rows.length)
  const rowsWithGeometry = rows.filter((row) => row.geometry !== null)
  const edge = (name: string, pick: (...numbers: number[]) => number) =>
    pick(...rowsWithGeometry.map((row) => row[name] as number))
  const extent = rowsWithGeometry.length
    ? [edge('w', Math.min), edge('s', Math.min), edge('e', Math.max), edge('n', Math.max)]
    : null
  expect(storedStats.extent).toEqual(extent)
  for (const [key, { type }] of Object.entries(schema)) {
    const all = rows.map((row) => row[`f_${key}`])
    const values = all.filter((value) => value !== null).map((v) => (v instanceof Date ? v.toISOString() : v))
    const sorted = [...values].sort((a, b) => (order(a) < order(b) ? -1 : 1))
    const isRange = type === 'number' || type === 'date'
    const counts = new Map<string, number>()
    for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
    const isListed =
      (type === 'text' || type === 'boolean') &&
      counts.size <= maxListed &&
      ![...counts.keys()].some((value) => value.length > maxListedLength)
    expect({ key, stat: storedStats.fields[key] }).toEqual({
      key,
      stat: {
        min: isRange ? (sorted[0] ?? null) : null,
        max: isRange ? (sorted.at(-1) ?? null) : null,
        nulls: all.length - values.length,
        values: isListed ? Object.fromEntries(counts) : null,
      },
    })
  }
  await expectPyramid(
    source,
    rows.flatMap((row) => (row.key === null ? [] : [Number(row.key)])),
  )
  await expectFacets(source, storedStats.facets, rows)
}

/** The expected cells by zoom, number and value, counted record by record. */
function slowly(records: { key: number; value: string }[]) {
  const expected = new Map<string, { n: number; x: number; y: number }>()
  for (let z = 0; z <= pyramidZoom; z++) {
    for (const { key, value } of records) {
      const name = `${z}/${prefix(key, keyLevel - cellsPerTileBits - z)}${value}`
      const { x, y } = deinterleave(key)
      const before = expected.get(name) ?? { n: 0, x: 0, y: 0 }
      expected.set(name, { n: before.n + 1, x: before.x + x, y: before.y + y })
    }
  }
  return expected
}

async function expectPyramid(source: string, keys: number[]) {
  const storedCells = await ctx.db
    .selectFrom('clusterPyramid')
    .selectAll()
    .where('sourceId', '=', source)
    .execute()
  const sumsByCell = new Map(
    storedCells.map(({ z, cell, n, sumX, sumY }) => [`${z}/${cell}`, { n, x: sumX, y: sumY }]),
  )
  expect(sumsByCell).toEqual(slowly(keys.map((key) => ({ key, value: '' }))))
}

/** Three facets with few values are stored, earlier ones first, and their cells have the right counts. */
async function expectFacets(source: string, facets: string[], rows: Record<string, unknown>[]) {
  const few = ['id', 'kind', 'wide', 'isOpen'].filter((key) => {
    const values = new Set(rows.map((row) => row[`f_${key}`]).filter((value) => value !== null))
    const isShort = ![...values].some((value) => String(value).length > maxListedLength)
    return values.size > 0 && values.size <= maxFacetValues && isShort
  })
  const names = facets.map((facet) => facet.split(':')[0] ?? '')
  expect(names.filter((name) => !few.includes(name))).toEqual([])
  expect(new Set(names).size).toBe(Math.min(few.length, maxFacets))
  const storedCells = await ctx.db
    .selectFrom('facetPyramid')
    .selectAll()
    .where('sourceId', '=', source)
    .execute()
  expect(
    [...new Set(storedCells.map(({ facet }) => facet))].filter((facet) => !facets.includes(facet)),
  ).toEqual([])
  for (const facet of facets) {
    const cells = storedCells.filter((row) => row.facet === facet)
    const sumsByCell = new Map(
      cells.map(({ z, cell, value, n, sumX, sumY }) => [`${z}/${cell}${value}`, { n, x: sumX, y: sumY }]),
    )
    const records = rows.flatMap((row) => {
      const value = row[`f_${fieldOfFacet(facet)}`] as string | boolean | null
      return row.key === null ? [] : [{ key: Number(row.key), value: value === null ? '' : `=${value}` }]
    })
    expect({ facet, found: sumsByCell }).toEqual({ facet, found: slowly(records) })
  }
}
