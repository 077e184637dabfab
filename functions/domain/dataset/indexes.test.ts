import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableNameFor } from '#db/data-table.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { find } from './dataset.ts'
import { open, compileRows, run } from './open.ts'
import { countUse, flushUse } from './field-use.ts'
import { maintainIndexes } from './indexes.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { person, recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text' },
  permit: { name: 'Permit', type: 'text' },
  cost: { name: 'Cost', type: 'number' },
  at: { name: 'At', type: 'date' },
  closedAt: { name: 'Closed', type: 'date' },
  isOpen: { name: 'Open', type: 'boolean' },
}
const limits = { asked: 3, records: 1000, most: 3, days: 30 }
const table = tableNameFor('call')

let world: RecordsWorld
let ctx: Context
let source: string

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('call', schema, 'at')
  source = await world.source('call', 'public')
  await ingest(
    ctx,
    source,
    Array.from({ length: 5000 }, (_, i) => ({
      id: String(i),
      kind: ['a', 'b'][i % 2],
      permit: i === 7 ? 'x'.repeat(9000) : `permit ${i}`,
      cost: (i * 7919) % 5000,
      at: new Date(1.6e12 + i * 3.6e6).toISOString(),
      closedAt: new Date(1.6e12 + ((i * 31) % 5000) * 3.6e6).toISOString(),
      isOpen: i % 2 === 0,
    })),
  )
})
afterAll(() => world.close())

const ask = (question: object) => find(world.as(anonymous), { sourceId: source }, question)
const daysLater = (days: number) => () => new Date(Date.now() + days * 86_400_000)

async function uses() {
  await flushUse(ctx.db)
  const rows = await ctx.db.selectFrom('fieldUse').select(['field', 'kind', 'asked']).execute()
  return Object.fromEntries(
    rows.map(({ field, kind, asked: useCount }) => [`${kind} ${field}`, Number(useCount)]),
  )
}

/** The columns whose conditions use an index. */
async function indexed(question: object) {
  const visitor = world.as(anonymous)
  const dataset = await open(visitor, { sourceId: source })
  const conditions = sql.join(
    [...dataset.scope.where, ...compileRows(dataset, { ...question }).where],
    sql` and `,
  )
  const lines = await run(
    visitor,
    dataset,
    sql<Record<string, string>>`explain select count(*) from ${dataset.scope.from} where ${conditions}`,
  )
  const answered = lines.map((line) => line['QUERY PLAN'] ?? '').filter((line) => line.includes('Index Cond'))
  return ['f_cost', 'f_permit'].filter((column) => answered.join().includes(column))
}

const byCost = { filters: { 'data.cost': { $lt: 5 } } }
const byPermit = { filters: { data: { permit: 'permit 12' } } }

test('counts how questions use fields, each use once per question, whatever the kind of question', async () => {
  await uses()
  await ctx.db.deleteFrom('fieldUse').execute()
  await ask({ filters: { $or: [{ 'data.cost': 3 }, { 'data.cost': 4 }], 'data.at': { $gte: '2020-01-01' } } })
  await ask({ filters: [{ data: { cost: { $in: [1, 2] } } }], where: { 'data.permit': ['a', 'b'] } })
  await ask({ filters: { 'data.cost': { $and: [{ $gt: 1 }, { $lte: 9 }] } } })
  await ask({
    orderings: ['data.closedAt', 'data.cost'].map((field) => ({ value: { field }, direction: 'asc' })),
  })
  await ask({ filters: { 'data.permit': { $ne: 'a', $iLike: 'a%' }, 'data.cost': { field: 'data.cost' } } })
  await ask({ filters: { function: 'gt', arguments: [{ field: 'data.cost' }, 3] } })
  await ask({})
  const expected = {
    'equality cost': 2,
    'range at': 1,
    'equality permit': 1,
    'range cost': 1,
    'order closedAt': 1,
  }
  expect(await uses()).toEqual(expected)
  expect(await flushUse(ctx.db)).toBe(0)
  const hostile = [
    null,
    'filters',
    { filters: 'data.cost', where: 7, orderings: {} },
    { filters: { 'data.__proto__': 1, 'data.constructor': 1, "data.cost'; drop table place": 1 } },
    { filters: { data: { toString: { $eq: 1 }, cost: { constructor: 1, __proto__: 1, $toString: 1 } } } },
    { orderings: [{ value: { field: ['data.cost'] } }] },
  ]
  for (const question of hostile) countUse(new Date(), 'call', schema, question)
  countUse(new Date(), 'no such type', schema, byCost)
  expect(await uses()).toEqual(expected)
})

test('counts are kept when they cannot be written', async () => {
  const before = await uses()
  countUse(new Date(), 'call', schema, byCost)
  await expect(flushUse(world.as(anonymous).db)).rejects.toThrow(/row-level security/)
  expect((await uses())['range cost']).toBe((before['range cost'] ?? 0) + 1)
})

test('creates an index for a field that is often used, and drops it when it is no longer used', async () => {
  await ctx.db.deleteFrom('fieldUse').execute()
  for (let i = 0; i < 3; i++) {
    await ask(byCost)
    await ask(byPermit)
    // The primary date has an index, few values need none, booleans neither.
    await ask({ filters: { 'data.at': { $gte: '2020-01-01' }, 'data.kind': 'a', 'data.isOpen': true } })
  }
  await ask({ filters: { 'data.closedAt': { $gte: '2020-01-01' } } })
  await flushUse(ctx.db)
  expect(await indexed(byCost)).toEqual([])
  expect(await maintainIndexes(ctx, { ...limits, records: 6000 })).toEqual({
    made: [],
    dropped: [],
    failed: [],
  })
  expect(await maintainIndexes(ctx, { ...limits, most: 0 })).toEqual({ made: [], dropped: [], failed: [] })
  const tended = await maintainIndexes(ctx, limits)
  expect(tended).toEqual({ made: ['call.cost', 'call.permit'], dropped: [], failed: [] })
  expect(await indexed(byCost)).toEqual(['f_cost'])
  expect(await indexed(byPermit)).toEqual(['f_permit'])
  expect((await ask(byCost)).meta.total).toBe(5)
  // Texts that are too long for a B-tree can still be stored.
  const long = {
    id: 'long',
    permit: Array.from({ length: 9000 }, (_, i) => String.fromCharCode(97 + ((i * i) % 26))).join(''),
  }
  expect((await ingest(ctx, source, [long])).created).toBe(1)
  expect((await ask({ filters: { 'data.permit': long.permit } })).meta.total).toBe(1)

  expect(await maintainIndexes(ctx, limits)).toEqual({ made: [], dropped: [], failed: [] })
  const later = world.as(system)
  later.now = daysLater(20)
  countUse(later.now(), 'call', schema, byCost)
  await flushUse(later.db)
  later.now = daysLater(32)
  expect(await maintainIndexes(later, limits)).toEqual({ made: [], dropped: ['call.f_permit'], failed: [] })
  expect(await indexed(byCost)).toEqual(['f_cost'])
  expect(await indexed(byPermit)).toEqual([])
})

test('only the system creates indexes, on columns of record tables, up to a limit', async () => {
  const make = (who: Context, name: string, column: string, most = 9) =>
    sql<{ name: string | null }>`select make_field_index(${name}, ${column}, ${most}::int) as name`.execute(
      who.db,
    )
  const member = world.as(person('ann', { oak: 'organization_admin' }))
  await expect(make(member, table, 'f_closedAt')).rejects.toThrow(/not allowed/)
  await expect(sql`select drop_field_index(${table}, 'f_cost')`.execute(member.db)).rejects.toThrow(
    /not allowed/,
  )
  const names = ['t_call" on place; --', 'place', 'public.place', 't_nothing', '', 't_call.x', "t_'||'call"]
  for (const name of names) await expect(make(ctx, name, 'f_cost'), name).rejects.toThrow(/bad table name/)
  const columns = [
    'f_nothing',
    'place_id',
    'id',
    'f_cost"',
    'f_cost; drop table place',
    '',
    'F_COST',
    'geometry',
  ]
  for (const column of columns) await expect(make(ctx, table, column), column).rejects.toThrow(/bad column/)
  await expect(sql`select drop_field_index('place; --', 'f_cost')`.execute(ctx.db)).rejects.toThrow(
    /bad table/,
  )
  // Indexes that it did not create are not dropped.
  const others = [
    't_call_key',
    't_call_pkey',
    't_call_by_',
    't_call_by_0123456789; --',
    't_other_by_0123456789',
  ]
  for (const index of others)
    await expect(sql`select drop_field_index(${table}, ${index})`.execute(ctx.db), index).rejects.toThrow(
      /bad/,
    )
  expect((await make(ctx, table, 'f_closedAt', 1)).rows).toEqual([{ name: null }])
})
