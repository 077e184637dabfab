import { afterAll, beforeAll, expect, test } from 'vitest'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { exportRows } from './export.ts'
import { system } from '#functions/context.ts'

let world: RecordsWorld
let sourceId = ''
beforeAll(async () => {
  world = await recordsWorld()
  await world.dataType('level', { n: { name: 'N', type: 'number' }, at: { name: 'At', type: 'date' } })
  sourceId = await world.source('level', 'public')
  const at = '2026-01-02T03:04:05.000Z'
  await ingest(world.as(system), sourceId, [{ n: 1, at }, { at }, { n: 3, at }])
})
afterAll(() => world.close())

// Lines are made by the database, and by the writer where dates follow a clock.
test.each([
  ['csv', undefined],
  ['csv', 'UTC'],
  ['tsv', undefined],
  ['tsv', 'UTC'],
] as const)(
  'a %s of one column has a line for each row, for empty ones too (clock: %s)',
  async (format, timezone) => {
    const options = { format, fields: ['n'], ...(timezone ? { timezone } : {}) }
    const { body } = await exportRows(world.as(system), { placeId: 'oak', sourceId }, options)
    const text = await new Response(body as BodyInit).text()
    expect(text.split(/\r?\n/)).toEqual(['n', '1', '""', '3', ''])
  },
)
