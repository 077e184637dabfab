import { afterAll, beforeAll, expect, test } from 'vitest'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { find } from './dataset.ts'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { open, compileRows } from './open.ts'
import { listTotal, countTotal } from './total.ts'
import { values } from './values.ts'

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  kind: { name: 'Kind', type: 'text', search: true },
  wide: { name: 'Wide', type: 'text' },
  isOpen: { name: 'Open', type: 'boolean' },
  amount: { name: 'Amount', type: 'number' },
  at: { name: 'At', type: 'date' },
  meta: { name: 'Meta', type: 'object' },
}

let world: RecordsWorld
let ctx: Context
const kinds = ['a', 'b', 'Ä', '__proto__', 'constructor']

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('thing', schema, 'at')
  for (const from of [0, 500]) {
    const source = await world.source('thing', 'public')
    await ingest(
      ctx,
      source,
      Array.from({ length: 400 + from }, (_, i) => ({
        id: String(from + i),
        kind: i % 11 ? kinds[(i * i) % kinds.length] : undefined,
        wide: `wide ${i}`,
        isOpen: i % 3 === 0,
        amount: i % 50,
        at: new Date(1.6e12 + i * 3.6e6).toISOString(),
        meta: { unit: 'm' },
      })),
    )
  }
})
afterAll(() => world.close())

async function totals(question: Record<string, unknown>, most?: number) {
  const visitor = world.as(anonymous)
  const dataset = await open(visitor, { dataTypeId: 'thing' })
  const { where } = compileRows(dataset, question)
  let statementCount = 0
  const exact = await countTotal(visitor, dataset, where)
  visitor.db = spied(visitor.db, () => (statementCount += 1))
  return {
    quick: await listTotal(visitor, dataset, where, question, 'estimate', most),
    statementCount,
    exact,
  }
}

/** The database, telling of every statement. */
function spied(db: Context['db'], onStatement: () => void): Context['db'] {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'withoutPlugins') onStatement()
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? (member as () => unknown).bind(target) : member
    },
  })
}

const equalities = [
  { filters: { 'data.kind': 'a' } },
  { filters: [{ 'data.kind': 'a' }] },
  { filters: { data: { kind: 'b' } } },
  { where: { 'data.kind': { $eq: 'Ä' } } },
  { filters: { 'data.kind': { $in: ['a', 'b', 'a', 'nothing'] } } },
  { filters: { 'data.kind': ['a', 'Ä'] } },
  { filters: { 'data.kind': '__proto__' } },
  { filters: { 'data.kind': 'toString' } },
  { filters: { 'data.kind': '' } },
  { filters: { 'data.isOpen': true } },
  { filters: { 'data.isOpen': { $eq: false } } },
  {},
]

test('stored counts are exact and need no query', async () => {
  for (const question of equalities) {
    const { quick, statementCount, exact } = await totals(question, 1)
    expect(quick, JSON.stringify(question)).toEqual({ total: exact })
    expect(statementCount, JSON.stringify(question)).toBe(0)
  }
})

const others = [
  { filters: { 'data.wide': 'wide 3' } },
  { filters: { 'data.kind': null } },
  { filters: { 'data.kind': { $ne: 'a' } } },
  { filters: { 'data.kind': 'a', 'data.isOpen': true } },
  { filters: { 'data.kind': 'a' }, where: { 'data.isOpen': true } },
  { filters: [{ 'data.kind': 'a' }, { 'data.kind': 'b' }] },
  { filters: { 'data.kind': 'a' }, search: 'a' },
  { filters: { 'data.kind': { $eq: 'a', $ne: 'b' } } },
  { filters: { $or: [{ 'data.kind': 'a' }, { 'data.amount': 3 }] } },
  { filters: { 'data.kind': { $iLike: 'A' } } },
  { filters: { 'data.kind': { field: 'data.wide' } } },
  { filters: { 'data.kind': { $not: 'a' } } },
  { filters: { 'data.kind': { $in: [] } } },
  { filters: { data: { kind: { $not: { $eq: 'a' } } } } },
  { filters: { 'data.isOpen': 'true' } },
  { filters: { 'data.meta.unit': 'm' } },
  { filters: { data: { meta: { unit: 'm' } } } },
  { filters: { 'data.amount': { $gte: 10, $lt: 20 } } },
  { filters: { 'data.at': { $gte: '2020-09-13T12:26:40Z' } } },
  { after: '2000-01-01T00:00:00Z' },
  { within: { xmin: -180, ymin: -90, xmax: 180, ymax: 90 } },
]

test('every other question is counted, up to a limit', async () => {
  for (const question of others) {
    const { quick, statementCount, exact } = await totals(question)
    expect(quick, JSON.stringify(question)).toEqual({ total: exact })
    expect(statementCount, JSON.stringify(question)).toBe(1)
  }
})

test('beyond the limit it is an estimate marked as such, within known bounds', async () => {
  const all = (await totals({})).exact
  for (const question of others) {
    const { quick, statementCount, exact } = await totals(question, 20)
    if (exact <= 20) expect(quick).toEqual({ total: exact })
    else {
      expect(quick.estimated, JSON.stringify(question)).toBe(true)
      expect(quick.total).toBeGreaterThan(20)
      expect(quick.total).toBeLessThanOrEqual(all)
      expect(statementCount).toBe(2)
    }
  }
})

test('a data type that never had a record has none, for any question', async () => {
  await world.dataType('empty', schema)
  await world.source('empty', 'public')
  const filters = { 'data.amount': { $lt: 10 } }
  const { meta } = await find(world.as(anonymous), { dataTypeId: 'empty' }, { filters })
  expect(meta).toEqual({ results: 0, total: 0 })
})

test('a list has the requested kind of total', async () => {
  const visitor = world.as(anonymous)
  const ask = async (count: 'exact' | 'estimate' | 'none') => {
    const filters = { 'data.amount': { $lt: 10 } }
    const { meta } = await find(visitor, { dataTypeId: 'thing' }, { filters, count, limit: 3 })
    return { total: meta.total, estimated: meta.estimated, hasNext: meta.next !== undefined }
  }
  const { exact } = await totals({ filters: { 'data.amount': { $lt: 10 } } })
  expect(await ask('exact')).toEqual({ total: exact, estimated: undefined, hasNext: true })
  expect(await ask('estimate')).toEqual({ total: exact, estimated: undefined, hasNext: true })
  expect(await ask('none')).toEqual({ total: undefined, estimated: undefined, hasNext: true })
})

test('the number of values is given regardless of the limit, stored or counted', async () => {
  const visitor = world.as(anonymous)
  for (const filters of [undefined, { 'data.amount': { $gte: 0 } }]) {
    const query = { field: ['data.kind'], ...(filters && { filters }) }
    const { meta } = (await values(visitor, { dataTypeId: 'thing' }, query)) as { meta: { total: number } }
    expect(meta.total).toBe(4)
    const none = await values(visitor, { dataTypeId: 'thing' }, { ...query, limit: 0 })
    expect(none).toEqual({ results: [], meta: { results: 0, total: 4 } })
  }
})
