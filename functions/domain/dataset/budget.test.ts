import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hubMemory, pageMemory } from '#functions/platform/cache/memo.ts'
import { anonymous, system, type Actor, type Context, type Limiter } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { hasRealPostgres } from '#db/testing.ts'
import { ask } from '#functions/domain/insight/answers.ts'
import { analytics, find } from './dataset.ts'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { countHeavy, queryLimitsFor } from './budget.ts'
import { run } from './open.ts'
import { cluster } from './cluster.ts'
import { values } from './values.ts'

const schema: FieldSchema = { n: { name: 'N', type: 'number' }, kind: { name: 'Kind', type: 'text' } }
const session = { id: 's', token: 't', expiresAt: new Date('2100-01-01'), provedAt: null, ssoPlaceId: null }
const person = (changes: Partial<Actor>): Actor => ({
  ...{ ...anonymous, kind: 'user' },
  user: {
    ...{
      id: 'p',
      email: 'p@example.com',
      name: 'P',
      image: null,
      verified: true,
      welcomed: true,
      role: null,
    },
  },
  ...changes,
})

let world: RecordsWorld
let sourceId: string
beforeAll(async () => {
  world = await recordsWorld()
  await world.dataType('thing', schema)
  sourceId = await world.source('thing', 'public')
  await ingest(
    world.as(system),
    sourceId,
    Array.from({ length: 100 }, (_, i) => ({ n: i, kind: `k${i % 7}` })),
  )
})
afterAll(() => world.close())

/** A context with budgets of 1,000, 10,000 and 100,000 steps for the three kinds of callers. */
function openContext(actor: Actor, changes: Partial<Context> = {}): Context {
  const ctx = world.as(actor)
  const questionSteps = { anonymous: 1000, key: 10_000, staff: 100_000 }
  return Object.assign(ctx, { settings: { ...ctx.settings, questionSteps }, ...changes })
}

const branches = (many: number) => ({
  filters: { $or: Array.from({ length: many }, (_, i) => ({ 'data.n': i })) },
})
const countQuery = { aggregations: [{ alias: 'n', value: { function: 'count', arguments: [] } }] }

describe('the budget of a question', () => {
  const staff = person({ session, memberships: [{ placeId: 'oak', role: 'viewer' }] as Actor['memberships'] })
  const askers: [string, Actor, number][] = [
    ['a stranger', anonymous, 1000],
    ['a key', person({ memberships: staff.memberships }), 10_000],
    ['who belongs to no organization', person({ session }), 10_000],
    ['staff', staff, 100_000],
  ]

  test.each(askers)('%s', async (_who, actor, most) => {
    const ctx = openContext(actor)
    // Four steps per record, one for each branch; in a list each condition is evaluated twice.
    const allowed = Math.floor((most - 400) / 100)
    await expect(analytics(ctx, { sourceId }, { ...countQuery, ...branches(allowed) })).resolves.toBeTruthy()
    for (const runQuery of [
      () => analytics(ctx, { sourceId }, { ...countQuery, ...branches(allowed + 1) }),
      () => find(ctx, { sourceId }, branches(allowed + 1)),
      () => values(ctx, { sourceId }, { field: ['data.kind'], ...branches(allowed + 1) } as never),
    ])
      await expect(runQuery()).rejects.toMatchObject({
        kind: 'invalid',
        issues: [
          { path: ['filters'], message: expect.stringContaining('Too much for one question') as string },
        ],
      })
  })

  test('the system is not limited, as itself and when it renders pages of hubs', async () => {
    await expect(find(openContext(system), { sourceId }, branches(2000))).resolves.toBeTruthy()
    const page = openContext(anonymous, { memo: pageMemory(hubMemory()) })
    expect(queryLimitsFor(page, {})).toEqual({})
  })

  test('a question saved by staff costs its readers nothing', async () => {
    const question = {
      ...{ placeId: 'oak', dataTypeId: 'thing', sourceId, visibility: 'public' as const },
      query: { ...countQuery, ...branches(500) },
    }
    await expect(ask(openContext(anonymous), question, [{ id: sourceId }])).rejects.toMatchObject({
      issues: [{ path: ['query', 'filters'] }],
    })
    await expect(
      ask(openContext(anonymous), { ...question, isSaved: true }, [{ id: sourceId }]),
    ).resolves.toBeTruthy()
  })
})

describe('the values of fields', () => {
  test('cost as much as their groups, for each field again', async () => {
    const ctx = openContext(anonymous)
    const ask = (many: number) =>
      values(ctx, { sourceId }, { field: Array.from({ length: many }, () => 'data.n') } as never)
    await expect(ask(1)).resolves.toMatchObject({ meta: { total: 100 } })
    await expect(ask(2)).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['field'], message: expect.stringContaining('Ask for fewer fields') as string }],
    })
  })

  test('that are counted anyway cost nothing', async () => {
    const field = Array.from({ length: 50 }, () => 'data.kind')
    await expect(values(openContext(anonymous), { sourceId }, { field } as never)).resolves.toBeTruthy()
  })
})

test('a join by fields with few distinct values is estimated before it runs', async () => {
  const buildJoinQuery = (filters: unknown, value: string) => ({
    aggregations: [{ alias: 'm', value: { function: 'max', arguments: [{ field: value }] } }],
    joins: [{ alias: 'other', sourceId, filters }],
  })
  const buildJoinByField = (path: string) =>
    buildJoinQuery({ [path]: { field: `~parent.${path}` } }, '~other.data.n')
  const ctx = openContext(anonymous)
  ctx.settings.questionSteps = { anonymous: 4000, key: 4000, staff: 4000 }
  await expect(analytics(ctx, { sourceId }, buildJoinByField('data.n') as never)).resolves.toBeTruthy()
  // Seven distinct values, so each record has fourteen matches.
  await expect(analytics(ctx, { sourceId }, buildJoinByField('data.kind') as never)).rejects.toMatchObject({
    issues: [{ path: ['joins', 0] }],
  })
})

test('a list of fields and texts matches each of them, however many there are', async () => {
  const ctx = world.as(system)
  const ask = (condition: unknown) =>
    find(ctx, { sourceId }, { filters: { 'data.n': condition }, limit: 1000 } as never)
  const many = Array.from({ length: 4000 }, () => ({ field: 'data.n' }))
  expect((await ask({ $in: many })).results).toHaveLength(100)
  expect((await ask({ $in: [5, ...many.slice(0, 1), 6] })).results).toHaveLength(100)
  expect((await ask({ $notIn: many })).results).toHaveLength(0)
  const next = { function: 'add', arguments: [{ field: 'data.n' }, 1] }
  expect((await ask({ $in: [next, 5, 6] })).results).toHaveLength(2)
  expect((await ask({ $notIn: [next, 5, 6] })).results).toHaveLength(98)
})

test('an expensive list counts as a heavy request, a cheap one does not', async () => {
  const calls: string[] = []
  const limits: Limiter = {
    rates: { anonymous: 60, key: 600, heavy: 1 },
    consumeToken: async (name, who) => calls.push(`${name} ${who}`) <= 1,
  }
  const request = { id: 'r', headers: new Headers(), ip: '2001:db8:1:2::9' }
  const ctx = Object.assign(world.as(anonymous), { limits, request })
  await find(ctx, { sourceId }, branches(3))
  expect(calls).toEqual([])
  await countHeavy(ctx, 20_000_000)
  expect(calls).toEqual(['heavy 2001:db8:1:2::/64'])
  await expect(countHeavy(ctx, 20_000_000)).rejects.toMatchObject({ kind: 'tooMany' })
})

test('so do the other ways to read records', async () => {
  const calls: string[] = []
  const limits: Limiter = {
    rates: { anonymous: 60, key: 600, heavy: 9 },
    consumeToken: async (name) => calls.push(name) > 0,
  }
  const ctx = Object.assign(world.as(anonymous), { limits })
  const filters = { $or: Array.from({ length: 3000 }, () => ({ 'data.kind': { $regexp: '^k1$' } })) }
  await find(ctx, { sourceId }, { filters } as never)
  await values(ctx, { sourceId }, {
    field: ['data.n', 'data.n'],
    filters: { $and: [filters, { 'data.n': 8 }] },
  } as never)
  await cluster(ctx, { sourceId }, { zoom: 3, filters } as never)
  expect(calls).toEqual(['heavy', 'heavy', 'heavy'])
})

test.skipIf(!hasRealPostgres)('a statement is stopped by the timeout of the asker', async () => {
  const startMs = performance.now()
  await expect(
    run(world.as(anonymous), { sourceIds: [sourceId], statementMs: 200 }, sql`select pg_sleep(10)`),
  ).rejects.toMatchObject({ kind: 'tooSlow' })
  expect(performance.now() - startMs).toBeLessThan(5000)
})
