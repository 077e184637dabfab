import { expect, test } from 'vitest'
import type { Context } from '#functions/context.ts'
import type { Answered } from './answered.server.ts'
import { showInsight } from './figure.server.ts'

const ctx = { attach: async (type: string) => `/f/${type}` } as unknown as Context

function insight(type: 'bar' | 'table', count: number): Answered {
  return {
    ...{ id: 'i', placeId: 'p', name: 'Calls', notes: '', visualization: { type } },
    output: {
      ...{ aggregations: [], groupings: [{ field: 'kind' }], orderings: [] },
      schema: { kind: { name: 'Kind', type: 'text' }, calls: { name: 'Calls', type: 'number' } },
    } as unknown as Answered['output'],
    rows: Array.from({ length: count }, (_, i) => ({ kind: `Kind ${i}`, calls: i })),
    question: { placeId: 'p', dataTypeId: 'd', sourceId: 's', visibility: 'public', query: {} },
  }
}

test.each([
  ['bar', 100, 100, undefined],
  ['bar', 1250, 100, 'The first 100 of 1,250 rows. The downloads below hold all of them.'],
  ['table', 200, 200, undefined],
  ['table', 1250, 200, 'The first 200 of 1,250 rows. The downloads below hold all of them.'],
] as const)('a %s of %i rows has %i in its table, and says so where these are not all', async (...asked) => {
  const [type, count, rows, caption] = asked
  const shown = await showInsight(ctx, insight(type, count), { locale: 'en', timeZone: 'UTC' })
  if (shown.kind !== 'figure') throw new Error('A number is no figure.')
  expect(shown.figure.table?.rows).toHaveLength(rows)
  expect(shown.figure.table?.caption).toBe(caption)
  expect(shown.figure.csvHref).toBe('/f/text/csv; charset=utf-8')
})
