import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { city } from '#db/worlds/city.ts'
import { compareNames } from '#functions/shapes/compare-names.ts'
import { openWorld, type TestWorld, type TestContext } from '#db/worlds/world.ts'
import type { Settings } from '#functions/context.ts'

let world: TestWorld
let admin: TestContext
const places = { placeId: 'oakton' }
interface ListResult {
  results: { id: string }[]
  meta: { results: number; total: number; next?: string }
}

beforeAll(async () => {
  world = await openWorld(city)
  admin = world.as('organization_admin')
  // Names that are equal, and rows without a value: what orders must not stumble over.
  await world.as('system').transaction(async (tx) => {
    const row = { placeId: 'oakton', visibility: 'place' as const, createdBy: null }
    const sources = Array.from({ length: 30 }, (_, i) => ({
      ...row,
      id: `many-${String(i).padStart(2, '0')}`,
      dataTypeId: 'call',
      name: `Name ${i % 4}`,
      createdAt: sql<Date>`timestamptz '2026-01-01' + ${i % 7} * interval '1 microsecond'` as unknown as Date,
    }))
    await tx.insertInto('source').values(sources).execute()
    const insights = sources.map(({ id, name, createdAt }, i) => ({
      ...{ ...row, id, name, createdAt, dataTypeId: 'call', sourceId: i % 3 ? null : 'inner' },
      visualization: '{"type":"number"}',
      query: '{}',
    }))
    await tx.insertInto('insight').values(insights).execute()
  })
})
afterAll(() => world.close())

async function listAllIds(options: Record<string, unknown>, size: number) {
  const ids: string[] = []
  let next: string | undefined
  let pages = 0
  do {
    const page: ListResult = await call(v1.place.insight.find, admin, {
      params: places,
      options: { ...options, limit: size, ...(next && { next }) },
    })
    ids.push(...page.results.map(({ id }) => id))
    expect(page.meta.total).toBe(32)
    next = page.meta.next
    pages += 1
  } while (next !== undefined && pages < 50)
  return ids
}

const order = (field: string, direction: string) => ({ value: { field }, direction })

test('sorts names as people do, on pages as well, and equally in the browser', async () => {
  const names = ['apple', 'Birch', 'Éclair', 'elm', 'ward 2', 'Ward 10', 'ward 100']
  const rows = names.map((name, i) => ({
    ...{ id: `sorted-${i}`, placeId: 'oakton', visibility: 'place' as const, createdBy: null, name },
  }))
  await world.as('system').transaction(async (tx) => {
    await tx
      .insertInto('collection')
      .values([...rows].reverse())
      .execute()
  })
  const listedNames: string[] = []
  let next: string | undefined
  do {
    const page = await call(v1.place.collection.find, admin, {
      params: places,
      options: {
        filters: { id: { $in: rows.map(({ id }) => id) } },
        orderings: [order('name', 'asc')],
        limit: 2,
        ...(next && { next }),
      },
    })
    listedNames.push(...page.results.map(({ name }) => name))
    next = page.meta.next
  } while (next !== undefined)
  expect(listedNames).toEqual(names)
  expect([...names].reverse().sort(compareNames)).toEqual(names)
})

describe('pages by next', () => {
  test.each([
    ['the list’s own', undefined],
    ['dates that differ by a microsecond', [order('createdAt', 'desc')]],
    ['rows without a value, going up', [order('sourceId', 'asc')]],
    ['rows without a value, going down', [order('sourceId', 'desc')]],
    ['several', [order('sourceId', 'desc'), order('name', 'asc'), order('createdAt', 'desc')]],
    ['several that end with the id', [order('name', 'desc'), order('id', 'desc')]],
  ])('return every row once, in the order of one page: %s', async (_what, orderings) => {
    const options = orderings ? { orderings } : {}
    const whole: ListResult = await call(v1.place.insight.find, admin, {
      params: places,
      options: { ...options, limit: 100 },
    })
    expect(whole.meta).toEqual({ results: 32, total: 32 })
    const ids = whole.results.map(({ id }) => id)
    for (const size of [1, 5, 16, 31]) expect([size, await listAllIds(options, size)]).toEqual([size, ids])
  })

  test('respect the filters and what the actor may see', async () => {
    const options = { filters: { name: 'Name 1' }, limit: 3 }
    const first: ListResult = await call(v1.place.insight.find, admin, { params: places, options })
    expect(first.meta).toMatchObject({ results: 3, total: 8 })
    const token = { ...options, next: first.meta.next }
    const second: ListResult = await call(v1.place.insight.find, admin, { params: places, options: token })
    expect(second.results.map(({ id }) => id)).toEqual(['many-13', 'many-17', 'many-21'])
    const stranger: ListResult = await call(v1.place.insight.find, world.as('anonymous'), {
      params: places,
      options: token,
    })
    expect(stranger).toEqual({ results: [], meta: { results: 0, total: 0 } })
  })

  test('accept a token of the previous secret while that is accepted, and not after', async () => {
    const find = (settings: Settings, next?: string): Promise<ListResult> =>
      call(
        v1.place.insight.find,
        { ...admin, settings },
        {
          params: places,
          options: { limit: 2, ...(next !== undefined && { next }) },
        },
      )
    const before = admin.settings
    const fresh = { ...before, authSecret: 'the secret that comes in its place, long enough' }
    const both = { ...fresh, previousAuthSecret: before.authSecret }
    const { next } = (await find(before)).meta
    const second = await find(both, next)
    expect(second.results).toEqual((await find(before, next)).results)
    expect((await find(fresh, second.meta.next)).results).toEqual(
      (await find(both, second.meta.next)).results,
    )
    await expect(find(fresh, next)).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('reject a token that was changed, made up, or of another list or order', async () => {
    const find = (
      options: object,
      endpoint: typeof v1.place.insight.find | typeof v1.place.source.find = v1.place.insight.find,
    ) =>
      call(endpoint as typeof v1.place.insight.find, admin, {
        params: places,
        options: { limit: 2, ...options },
      })
    const { meta } = (await find({})) as ListResult
    const next = meta.next ?? ''
    const expectedError = { kind: 'invalid', issues: [{ path: ['next'], message: 'Not a valid token.' }] }
    const flips = Array.from(
      { length: next.length },
      (_, i) => `${next.slice(0, i)}${next[i] === 'A' ? 'B' : 'A'}${next.slice(i + 1)}`,
    )
    for (const token of [...flips, 'x', '.', 'W10.AAAAAAAAAAAAAAAA', `${next}x`, "' or true --"])
      await expect(find({ next: token }), token).rejects.toMatchObject(expectedError)
    for (const orderings of [
      [order('name', 'desc')],
      [order('name', 'asc'), order('createdAt', 'asc')],
      [order('createdAt', 'asc')],
    ])
      await expect(find({ next, orderings })).rejects.toMatchObject(expectedError)
    await expect(find({ next }, v1.place.source.find)).rejects.toMatchObject(expectedError)
    // The order a list has of its own is the same order when it is asked for.
    expect(((await find({ next, orderings: [order('name', 'asc')] })) as ListResult).results).toHaveLength(2)
  })
})

describe('filters of lists, in the query language', () => {
  const now = { function: 'now' }
  test.each<[unknown, number]>([
    [{ name: { $iLike: 'NAME %' } }, 30],
    [{ name: { $like: { $any: ['Name 1', '% 2'] } } }, 15],
    [{ name: { $regexp: '^Name [12]$' } }, 15],
    [{ $not: { name: { $in: ['Name 1', 'Name 2'] } } }, 17],
    [{ name: { $not: { $or: ['Name 1', { $like: '%2' }] } } }, 17],
    [{ id: { $between: ['many-10', 'many-19'] } }, 10],
    [{ id: { $gte: 'many-10', $lt: 'many-20' } }, 10],
    [{ name: { $in: [] } }, 0],
    [{ name: { $notIn: [] } }, 32],
    [[{ name: 'Name 1' }, { id: { $ne: 'many-01' } }], 7],
    [{ sourceId: { $ne: null } }, 10],
    // A missing value is neither equal nor unequal, as everywhere in the language.
    [{ sourceId: { $ne: 'inner' } }, 0],
    [{ createdAt: { $lt: now } }, 32],
    [{ function: 'gt', arguments: [{ field: 'createdAt' }, now] }, 0],
    [{ createdAt: { $gt: { function: 'last', arguments: ['P1D'] } } }, 2],
    [{ updatedAt: { $gte: { field: 'createdAt' } } }, 32],
  ])('%j', async (filters, total) => {
    const list = (await call(v1.place.insight.find, admin, {
      params: places,
      options: { filters },
    })) as ListResult
    expect(list.meta.total).toBe(total)
  })
})

describe('times of change', () => {
  const start = '2026-01-01T00:00:00Z'
  const listInsights = async (options: Record<string, unknown>): Promise<ListResult> =>
    call(v1.place.insight.find, admin, { params: places, options: { limit: 100, ...options } })

  test('`before` and `after` list rows that were created or last changed then', async () => {
    const { db } = world.as('system')
    await db
      .updateTable('insight')
      .set({ createdAt: new Date('2025-06-01T00:00:00Z'), updatedAt: new Date('2025-07-01T00:00:00Z') })
      .where('id', '=', 'many-00')
      .execute()
    const ids = async (options: Record<string, unknown>) =>
      (await listInsights(options)).results.map(({ id }) => id)
    expect(await ids({ before: '2025-08-01' })).toEqual(['many-00'])
    // Created before, changed after.
    expect(await ids({ before: '2025-06-15' })).toEqual(['many-00'])
    expect(await ids({ before: '2025-05-01' })).toEqual([])
    expect(await ids({ after: '2025-06-15' })).toHaveLength(32)
    expect(await ids({ after: '2025-08-01' })).not.toContain('many-00')
    expect(await ids({ after: '2025-08-01', before: start })).toEqual([])
    await db
      .updateTable('insight')
      .set({ createdAt: new Date(start), updatedAt: new Date() })
      .where('id', '=', 'many-00')
      .execute()
  })
})

describe('filters by dates', () => {
  const countInsights = async (createdAt: unknown) => {
    const { meta }: ListResult = await call(v1.place.insight.find, admin, {
      params: places,
      options: { filters: { createdAt } },
    })
    return meta.total
  }
  test('compare dates', async () => {
    expect(await countInsights({ $lt: '2026-01-01T00:00:00Z' })).toBe(0)
    expect(await countInsights({ $lte: '2026-01-01T00:00:00Z' })).toBe(5)
    expect(await countInsights({ $gt: '2026-01-01T00:00:00Z', $lt: '2026-01-02' })).toBe(25)
    expect(await countInsights({ $gte: '2026-01-01T00:00:00Z' })).toBe(32)
  })
  test.each([
    [{ createdAt: { $gt: 'soon' } }, ['filters', 'createdAt'], 'Not a valid date value'],
    [{ createdAt: { $gt: null } }, ['filters', 'createdAt'], 'Not a valid date value'],
    [{ createdAt: { $gt: ['2026-01-01'] } }, ['filters', 'createdAt'], 'Not a valid date value'],
    [
      { createdAt: { $iLike: '2026%' } },
      ['filters', 'createdAt'],
      'Operator cannot be used with a field of type date: $iLike',
    ],
    [{ name: { $near: 'a' } }, ['filters', 'name'], 'Operator does not exist: $near'],
    [{ name: { $regexp: '(' } }, ['filters', 'name'], 'Not a valid pattern'],
    [
      { createdAt: { $gt: { function: 'last', arguments: ['P1Q'] } } },
      ['filters', 'createdAt'],
      'Invalid duration!',
    ],
    [
      { function: 'gt', arguments: [{ function: 'round', arguments: [1.5] }, 1] },
      ['filters', 'arguments', 0, 'function'],
      'Function cannot be used in a list: round',
    ],
    [{ function: 'now' }, ['filters'], 'Must be of type: boolean - instead got date'],
  ])('%j is rejected with its path', async (filters, path, message) => {
    const response = call(v1.place.insight.find, admin, { params: places, options: { filters } })
    await expect(response).rejects.toMatchObject({ kind: 'invalid', issues: [{ path, message }] })
  })
})
