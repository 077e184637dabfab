import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataTable, makeTable, tableNameFor } from '#db/data-table.ts'
import { countPartitions } from '#db/data-type-change.ts'
import { system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import * as dataset from './dataset.ts'
import { cluster } from './cluster.ts'
import { exportRows } from './export.ts'
import { findOversizedTables, partition } from './partitions.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { removeRecord, wipe } from '#functions/domain/records/remove.ts'
import { updateRecord } from '#functions/domain/records/single.ts'
import { person, recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  at: { name: 'At', type: 'date' },
  place: { name: 'Place', type: 'point' },
}
const table = dataTable(tableNameFor('tree'))

let world: RecordsWorld
let ctx: Context
let open: string
let shut: string

const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: String(from + i),
    kind: i % 2 ? 'oak' : 'elm',
    at: new Date(1.6e12 + i * 1e7).toISOString(),
    place: { type: 'Point', coordinates: [-73 - i / 100, 40 + i / 100] },
  }))

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('tree', schema, 'at')
  open = await world.source('tree', 'public')
  shut = await world.source('tree', 'place', 'elm')
  await ingest(ctx, open, rows(0, 60))
  await ingest(ctx, shut, rows(0, 30))
})
afterAll(() => world.close())

async function readStoredRows() {
  const { rows } = await sql<Record<string, unknown>>`select * from ${table} order by id`.execute(
    ctx.db.withoutPlugins(),
  )
  return rows
}

test('a table above the threshold is partitioned, and nothing else changes', async () => {
  expect(await findOversizedTables(ctx)).toEqual([])
  expect(await findOversizedTables(ctx, 90)).toEqual([])
  expect(await findOversizedTables(ctx, 89)).toEqual([{ id: 'tree', records: 90 }])
  const before = await readStoredRows()
  const stranger = world.as(person('eva', { elm: 'organization_admin' }))
  await expect(partition(stranger, 'tree')).rejects.toThrow(/not allowed/)
  await partition(ctx, 'tree', 4)
  expect(await countPartitions(ctx.db, tableNameFor('tree'))).toBe(4)
  expect(await readStoredRows()).toEqual(before)
  expect(await findOversizedTables(ctx, 89)).toEqual([])
})

test('row-level security applies, and cannot be bypassed', async () => {
  const stranger = world.as(person('ada', { oak: 'viewer' }))
  const { rows: visibleRows } = await sql<{ n: string }>`select count(*) as n from ${table}`.execute(
    stranger.db,
  )
  expect(Number(visibleRows[0]!.n)).toBe(60)
  for (const one of ['data_part.t_tree_0', 'data_part.t_tree_3'])
    await expect(sql`select * from ${sql.table(one)}`.execute(ctx.db)).rejects.toThrow(/permission denied/)
  await expect(
    sql`insert into ${table} (place_id, source_id, external_id) values ('elm', ${shut}, 'x')`.execute(
      stranger.db,
    ),
  ).rejects.toThrow(/row-level security/)
})

test('records are added, changed and deleted as in any table, under ids that were never used', async () => {
  const highest = Math.max(...(await readStoredRows()).map(({ id }) => Number(id)))
  expect(await ingest(ctx, open, rows(50, 20))).toMatchObject({ created: 10, updated: 10, unchanged: 0 })
  expect(await ingest(ctx, shut, rows(0, 10), { mode: 'replace' })).toMatchObject({
    unchanged: 10,
    removed: 20,
  })
  const now = await readStoredRows()
  const ids = now.map(({ id }) => Number(id))
  expect(new Set(ids).size).toBe(ids.length)
  const newRows = now.filter(({ external_id: id, source_id: of }) => of === open && Number(id) >= 60)
  expect(newRows).toHaveLength(10)
  for (const { id } of newRows) expect(Number(id)).toBeGreaterThan(highest)
  const one = String(newRows[0]!.id)
  expect(await updateRecord(ctx, open, one, { kind: 'ash' })).toMatchObject({
    id: one,
    data: { kind: 'ash' },
  })
  expect(await removeRecord(ctx, open, one)).toBeDefined()
})

test('questions, pages, the map and files contain all of it', async () => {
  const scope = { sourceId: open }
  const page = await dataset.find(ctx, scope, { limit: 5, filters: { 'data.kind': 'oak' } })
  expect(page.results).toHaveLength(5)
  const answer = await dataset.analytics(
    ctx,
    { dataTypeId: 'tree' },
    { aggregations: [{ alias: 'n', value: { function: 'count' } }] },
  )
  expect(answer.results).toEqual([{ n: 79 }])
  const map = await cluster(ctx, scope, { zoom: 3 })
  expect(JSON.stringify(map)).toContain('FeatureCollection')
  const file = await exportRows(ctx, scope, { format: 'csv' })
  const text = await new Response(file.body).text()
  expect(text.trim().split('\n')).toHaveLength(70)
})

test('columns can be added, and a wiped source is empty', async () => {
  await makeTable(ctx.db, {
    id: 'tree',
    schema: { ...schema, height: { type: 'number' } },
    temporal: { primary: 'at' },
    tableName: 't_tree',
  })
  expect((await readStoredRows())[0]).toHaveProperty('f_height', null)
  expect(await wipe(ctx, open)).toMatchObject({ count: 69 })
  expect(await readStoredRows()).toHaveLength(10)
})

test('can be unpartitioned again', async () => {
  const before = await readStoredRows()
  await partition(ctx, 'tree', 0)
  expect(await countPartitions(ctx.db, 't_tree')).toBe(0)
  expect(await readStoredRows()).toEqual(before)
  await ingest(ctx, open, rows(0, 3))
  const ids = (await readStoredRows()).map(({ id }) => Number(id))
  expect(Math.min(...ids.slice(-3))).toBeGreaterThan(Math.max(...before.map(({ id }) => Number(id))))
})
