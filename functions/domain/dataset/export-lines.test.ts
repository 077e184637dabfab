import { afterAll, beforeAll, expect, test } from 'vitest'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { exportRows } from './export.ts'
import { system } from '#functions/context.ts'
import {
  readCsv,
  buildFileSource,
  textIn,
  writeExport,
  plainOptions,
} from '#functions/engine/export/reading.testing.ts'
import { hardInstants, zones } from '#functions/engine/export/instants.testing.ts'

let world: RecordsWorld
let sourceId = ''
let hardSource = ''
beforeAll(async () => {
  world = await recordsWorld()
  await world.dataType('level', { n: { name: 'N', type: 'number' }, at: { name: 'At', type: 'date' } })
  sourceId = await world.source('level', 'public')
  const at = '2026-01-02T03:04:05.000Z'
  await ingest(world.as(system), sourceId, [{ n: 1, at }, { at }, { n: 3, at }])
  await world.dataType('moment', { at: { name: 'At', type: 'date' } })
  hardSource = await world.source('moment', 'public')
  const { rejected } = await ingest(
    world.as(system),
    hardSource,
    hardInstants.map((instant) => ({ at: instant })),
  )
  expect(rejected).toEqual([])
})
afterAll(() => world.close())

// Lines are made by the database, and by the writer where a spreadsheet is to open them.
test.each([
  ['csv', false],
  ['csv', true],
  ['tsv', false],
  ['tsv', true],
] as const)(
  'a %s of one column has a line for each row, empty ones too (for Excel: %s)',
  async (format, excel) => {
    const options = { format, fields: ['n'], excel }
    const { body } = await exportRows(world.as(system), { placeId: 'oak', sourceId }, options)
    const text = await new Response(body as BodyInit).text()
    expect(text.replace(/^\uFEFF/, '').split(/\r?\n/)).toEqual(['n', '1', '""', '3', ''])
  },
)

test.each(zones)('instants in the time zone %s are those of the writer, byte for byte', async (timezone) => {
  const scope = { placeId: 'oak', sourceId: hardSource }
  for (const format of ['csv', 'tsv'] as const) {
    const { body } = await exportRows(world.as(system), scope, { format, timezone })
    const rows = hardInstants.map((at, i) => ({ id: String(i), data: { at }, geometry: null }))
    const own = await writeExport(format, buildFileSource([{ key: 'at', name: 'At', type: 'date' }], rows), {
      ...plainOptions,
      timeZone: timezone,
    })
    const text = await new Response(body as BodyInit).text()
    expect(text).toBe(textIn(own))
    // Each means the moment that went in.
    const cells = readCsv(text, format === 'csv' ? ',' : '\t').slice(1)
    expect(cells.map(([at = '']) => Date.parse(at))).toEqual(hardInstants.map((at) => Date.parse(at)))
  }
})
