import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { findSortKeys, selectPage } from './order.ts'
import { open as opened } from './open.ts'
import { find } from './dataset.ts'
import { buildPositionConditions } from '#functions/domain/noun/keyset.ts'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { system, type Context } from '../../context.ts'

let world: RecordsWorld
let open: string
let ctx: Context

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  const schema = {
    type: { name: 'Type', type: 'text' as const },
    cost: { name: 'Cost', type: 'number' as const },
    at: { name: 'At', type: 'date' as const },
    isUrgent: { name: 'Urgent', type: 'boolean' as const },
  }
  await world.dataType('call', schema, 'at')
  open = await world.source('call', 'public')
  const calls = Array.from({ length: 120 }, (_, i) => ({
    type: ['fire', 'noise', 'tree'][i % 3],
    cost: i % 4 === 0 ? undefined : i / 3,
    at: i % 9 === 0 ? undefined : new Date(Date.UTC(2021, 2, 1, i % 30)).toISOString(),
    isUrgent: i % 2 === 0,
  }))
  await ingest(ctx, open, calls)
})
afterAll(() => world.close())

const getOpenScope = () => ({ placeId: 'oak', sourceId: open })

describe('pages of records', () => {
  test.each([
    ['the newest first, those without a date last', undefined],
    ['dates going up', [{ value: { field: 'data.at' }, direction: 'asc' }]],
    ['numbers going down, those without first', [{ value: { field: 'data.cost' }, direction: 'desc' }]],
    [
      'texts, then a boolean',
      [
        { value: { field: 'data.type' }, direction: 'asc' },
        { value: { field: 'data.isUrgent' }, direction: 'desc' },
      ],
    ],
    ['ids', [{ value: { field: 'id' }, direction: 'desc' }]],
  ])('goes through all pages by `next` in the order of one page: %s', async (_what, orderings) => {
    const whole = (
      await find(ctx, getOpenScope(), { ...(orderings && { orderings }), limit: 120 })
    ).results.map(({ id }) => id)
    const ids: unknown[] = []
    let next: string | undefined
    do {
      const page = await find(ctx, getOpenScope(), { ...(orderings && { orderings }), limit: 11, next })
      ids.push(...page.results.map(({ id }) => id))
      next = page.meta.next
    } while (next)
    expect(ids).toEqual(whole)
  })

  test('rejects a token of another order, and gives none where the order is by more than fields', async () => {
    const { next } = (await find(ctx, getOpenScope(), { limit: 5 })).meta
    const year = { function: 'bucket', arguments: ['year', { field: 'data.at' }] }
    for (const value of [{ field: 'data.at' }, year]) {
      const attempt = find(ctx, getOpenScope(), { next, orderings: [{ value, direction: 'desc' }] })
      await expect(attempt).rejects.toMatchObject({
        issues: [{ path: ['next'], message: 'Not a valid token.' }],
      })
    }
    expect(
      (await find(ctx, getOpenScope(), { orderings: [{ value: year, direction: 'asc' }], limit: 5 })).meta,
    ).not.toHaveProperty('next')
  })

  test('reads no more rows deep in the list than at its start', async () => {
    await world.dataType('many', { at: { name: 'At', type: 'date' } }, 'at')
    const sourceId = await world.source('many', 'public')
    const rows = Array.from({ length: 6000 }, (_, i) => ({
      at: new Date(Date.UTC(2021, 0, 1, 0, i)).toISOString(),
    }))
    await ingest(ctx, sourceId, rows)
    const scope = { placeId: 'oak', sourceId }
    const deep = await find(ctx, scope, { limit: 10, offset: 3000 })
    const dataset = await opened(ctx, scope)
    const keys = findSortKeys(dataset, undefined) ?? []
    const position = [deep.results.at(-1)?.data?.at as string, deep.results.at(-1)?.id ?? '']
    const { from, orderBy } = selectPage(dataset, keys, buildPositionConditions(keys, position), [], 11)
    const plan = await ctx.transaction(async (tx) => {
      // Without statistics, which only the owner can collect, the planner assumes ten rows.
      await sql`select set_config('enable_bitmapscan', 'off', true)`.execute(tx)
      const { rows: lines } = await sql<Record<string, string>>`
        explain (analyze, timing off, costs off) select t.id from ${from} order by ${orderBy}`.execute(
        tx.withoutPlugins(),
      )
      return lines
    })
    const text = plan.map((line) => Object.values(line)[0]).join('\n')
    expect(text).not.toMatch(/Seq Scan on t_many|Rows Removed by Filter: \d{2,}/)
    const read = [...text.matchAll(/Scan.*\(actual rows=([\d.]+)/g)].map(([, n]) => Number(n))
    expect(Math.max(...read)).toBeLessThan(50)
  })
})
