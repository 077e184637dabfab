import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { system, type Context } from '#functions/context.ts'
import { readCsv } from '#functions/engine/export/reading.testing.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { ExportOptions } from '#functions/shapes/datum.ts'
import { analytics, find } from './dataset.ts'
import { ingest } from '../records/ingest.ts'
import { recordsWorld, type RecordsWorld } from '../records/testing.ts'
import { exportRows } from './export.ts'
import type { Scope } from './open.ts'
import { values } from './values.ts'

/** Far from Greenwich on both sides, with half hours, and with clocks that change. */
const zones = ['Pacific/Auckland', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Honolulu', 'UTC']

const schema: FieldSchema = {
  id: { name: 'Id', type: 'text' },
  day: { name: 'Day', type: 'date', precision: 'day', validation: { max: '2030-12-31' } },
  month: { name: 'Month', type: 'date', precision: 'month' },
  year: { name: 'Year', type: 'date', precision: 'year' },
  days: { name: 'Days', type: 'array', items: { name: 'Day', type: 'date', precision: 'day' } },
  at: { name: 'At', type: 'date' },
  place: {
    name: 'Place',
    type: 'object',
    schema: { since: { name: 'Since', type: 'date', precision: 'day' } },
  },
}

/** The first and last day of years and months, a day that only leap years have, the first day that there is. */
const days = [
  '0001-01-01',
  '1899-12-31',
  '1990-01-01',
  '2000-02-29',
  '2002-07-25',
  '2012-01-01',
  '2012-03-31',
]
const rows = days.map((day, i) => ({
  id: String(i),
  day,
  month: `${day.slice(0, 7)}-01`,
  year: `${day.slice(0, 4)}-01-01`,
  days: [day, null],
  at: `${day}T23:30:00.000Z`,
  place: { since: day },
}))

let world: RecordsWorld
let ctx: Context
let scope: Scope

beforeAll(async () => {
  world = await recordsWorld()
  ctx = world.as(system)
  await world.dataType('event', schema, 'day')
  const sourceId = await world.source('event', 'public')
  scope = { placeId: 'oak', sourceId }
  const { rejected } = await ingest(ctx, sourceId, rows)
  expect(rejected).toEqual([])
})
afterAll(() => world.close())

const toFieldReference = (key: string) => ({ field: `data.${key}` })
const call = (name: string, ...args: unknown[]) => ({ function: name, arguments: args })

async function askInAllZones(ask: (timezone: string) => Promise<unknown>): Promise<unknown> {
  const [first, ...others] = await Promise.all(zones.map(ask))
  for (const other of others) expect(other).toEqual(first)
  return first
}

const answer = async (question: Record<string, unknown>) => (await analytics(ctx, scope, question)).results
const findIds = async (question: Record<string, unknown>) =>
  (await find(ctx, scope, question)).results.map(({ data }) => data?.id)

async function file(options: ExportOptions): Promise<Uint8Array> {
  const { body } = await exportRows(ctx, scope, options)
  return new Uint8Array(await new Response(body as BodyInit).arrayBuffer())
}

describe('calendar dates', () => {
  test('are returned as they were sent, in any time zone; a list orders them by day', async () => {
    const records = await askInAllZones(async (timezone) =>
      (await find(ctx, scope, { timezone })).results.map(({ data }) => data),
    )
    expect(records).toEqual([...rows].reverse())
  })

  test('pages by position continue with the next day', async () => {
    const first = await find(ctx, scope, { limit: 3 })
    const second = await find(ctx, scope, { limit: 10, next: first.meta.next })
    const both = [...first.results, ...second.results].map(({ data }) => data?.day)
    expect(both).toEqual([...days].reverse())
    const orderings = [{ value: toFieldReference('month'), direction: 'asc' }]
    const asc = await find(ctx, scope, { limit: 2, orderings })
    const rest = await find(ctx, scope, { limit: 10, orderings, next: asc.meta.next })
    expect([...asc.results, ...rest.results].map(({ data }) => data?.id)).toEqual(rows.map(({ id }) => id))
  })

  test.each([
    ['a day', '2002-07-25', ['4']],
    ['midnight in UTC, as clients of before send it', '2002-07-25T00:00:00.000Z', ['4']],
    ['a list', ['2002-07-25', '1990-01-01'], ['4', '2']],
    ['a range', { $gte: '2012', $lt: '2012-02' }, ['5']],
    ['between', { $between: ['2000-02-29', '2002-07-25'] }, ['4', '3']],
    ['another field', { $eq: toFieldReference('month') }, ['5', '2', '0']],
    ['an instant by the clocks of the zone', { $lt: toFieldReference('at') }, []],
  ])('are filtered by %s', async (_, condition, expected) => {
    expect(await findIds({ filters: { 'data.day': condition }, timezone: 'UTC' })).toEqual(expected)
  })

  test('an instant compared with them is its day in the time zone of the question', async () => {
    const later = { 'data.day': { $lt: toFieldReference('at') } }
    expect(await findIds({ filters: later, timezone: 'UTC' })).toEqual([])
    expect(await findIds({ filters: later, timezone: 'Asia/Kolkata' })).toEqual(
      days.map((_, i) => String(i)).reverse(),
    )
    const clock = {
      aggregations: [{ alias: 'n', value: call('count') }],
      filters: { 'data.day': { $gte: call('last', 'P1D') } },
    }
    expect(await answer(clock)).toEqual([{ n: 0 }])
    const pastQuery = {
      aggregations: [{ alias: 'n', value: call('count') }],
      filters: call('lt', toFieldReference('day'), call('now')),
    }
    expect(await answer(pastQuery)).toEqual([{ n: days.length }])
  })

  test('are truncated to calendar months and years, equally in all time zones', async () => {
    const cut = (unit: string) => (timezone: string) =>
      answer({
        timezone,
        customYearStart: 7,
        aggregations: [
          { alias: 'x', value: call('bucket', unit, toFieldReference('day')) },
          { alias: 'n', value: call('count') },
        ],
        groupings: [{ field: 'x' }],
        orderings: [{ value: { field: 'x' }, direction: 'asc' }],
      })
    const starts = async (unit: string) =>
      ((await askInAllZones(cut(unit))) as { x: string }[]).map(({ x }) => x)
    expect(await starts('day')).toEqual(days)
    expect(await starts('month')).toEqual(rows.map(({ month }) => month))
    expect(await starts('year')).toEqual([
      '0001-01-01',
      '1899-01-01',
      '1990-01-01',
      '2000-01-01',
      '2002-01-01',
      '2012-01-01',
    ])
    expect(await starts('week')).toContain('2002-07-22')
    // The year before the year 1 is 0, as ISO 8601 counts.
    const years = ['0000', '1899', '1989', '1999', '2002', '2011']
    expect(await starts('customYear')).toEqual(years.map((year) => `${year}-07-01`))
  })

  test('have calendar parts, ends and lengths', async () => {
    const one = await askInAllZones((timezone) =>
      answer({
        timezone,
        filters: { 'data.id': '4' },
        aggregations: [
          { alias: 'dayOfWeek', value: call('extract', 'dayOfWeek', call('min', toFieldReference('day'))) },
          { alias: 'month', value: call('extract', 'month', call('max', toFieldReference('month'))) },
          { alias: 'first', value: call('min', toFieldReference('year')) },
          {
            alias: 'length',
            value: call(
              'interval',
              call('min', toFieldReference('month')),
              call('max', toFieldReference('day')),
            ),
          },
          { alias: 'isBefore', value: call('max', toFieldReference('day')) },
        ],
      }),
    )
    expect(one).toEqual([
      { dayOfWeek: 4, month: 7, first: '2002-01-01', length: 24 * 86_400_000, isBefore: '2002-07-25' },
    ])
  })

  test('are supported as items of lists', async () => {
    const question = {
      aggregations: [{ alias: 'x', value: call('expand', toFieldReference('days')) }],
      groupings: [{ field: 'x' }],
      filters: { 'data.days': { $overlap: ['2012-01-01'] } },
    }
    const expanded = (await answer(question)) as { x: string | null }[]
    expect(expanded.map(({ x }) => x).sort()).toEqual(['2012-01-01', null])
  })

  test('have values that are counted as days, and statistics that are a range of days', async () => {
    const dayCounts = await values(ctx, scope, { field: ['data.day'], limit: 100 })
    expect((dayCounts.results as { value: string }[]).map(({ value }) => value).sort()).toEqual(days)
    const stat = await ctx.db
      .selectFrom('sourceStat')
      .select('fields')
      .where('sourceId', '=', scope.sourceId ?? '')
      .executeTakeFirstOrThrow()
    expect((stat.fields as unknown as Record<string, unknown>).day).toMatchObject({
      min: '0001-01-01',
      max: '2012-03-31',
    })
  })

  test('the answer says their precision', async () => {
    const { output } = await analytics(ctx, scope, {
      aggregations: [
        { alias: 'x', value: call('bucket', 'quarter', toFieldReference('day')) },
        { alias: 'y', value: toFieldReference('year') },
      ],
      groupings: [{ field: 'x' }, { field: 'y' }],
    })
    expect(output.schema).toMatchObject({
      x: { type: 'date', precision: 'month' },
      y: { type: 'date', precision: 'year' },
    })
  })

  test.each([
    [
      'a time of day',
      { filters: { 'data.day': { $gte: '2002-07-25T10:00:00Z' } } },
      ['filters', 'data', 'day'],
    ],
    ['a day there is none', { filters: { 'data.day': '2001-02-29' } }, ['filters', 'data', 'day']],
    [
      'a time of day in a function',
      { filters: call('gt', toFieldReference('day'), '2002-07-25T10:00:00Z') },
      ['filters', 'arguments', 1],
    ],
    [
      'hours',
      { aggregations: [{ alias: 'x', value: call('bucket', 'hour', toFieldReference('day')) }] },
      ['aggregations', 0, 'value'],
    ],
    [
      'the hour of the day',
      { aggregations: [{ alias: 'x', value: call('extract', 'hourOfDay', toFieldReference('day')) }] },
      ['aggregations', 0, 'value'],
    ],
    [
      'months of years',
      { aggregations: [{ alias: 'x', value: call('bucket', 'month', toFieldReference('year')) }] },
      ['aggregations', 0, 'value'],
    ],
  ])('rejects a question for %s with its path', async (_, question, path) => {
    await expect(analytics(ctx, scope, question)).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path }],
    })
  })

  test('rejects an invalid date of a record with the reason', async () => {
    const bad = [
      { id: 'x', day: '2001-02-29' },
      { id: 'x', day: '2001-02' },
      { id: 'x', day: '2001-02-01T10:00:00Z' },
      { id: 'x', month: '2001-02-15' },
      { id: 'x', year: '2001-02' },
      { id: 'x', day: '0000-01-01' },
      { id: 'x', day: '2031-01-01' },
    ]
    const { rejected } = await ingest(ctx, scope.sourceId ?? '', bad)
    expect(rejected.map(({ issues }) => issues[0]?.message)).toEqual([
      ...Array.from({ length: 6 }, () => 'Not a valid date value'),
      'Failed Maximum validation',
    ])
    const { rejected: none } = await ingest(ctx, scope.sourceId ?? '', [
      {
        id: '2',
        day: '1990-01-01T00:00:00Z',
        month: '1990-01',
        year: '1990',
        days: ['1990-01-01', null],
        at: rows[2]?.at,
        place: rows[2]?.place,
      },
    ])
    expect(none).toEqual([])
    expect((await find(ctx, scope, { filters: { 'data.id': '2' } })).results[0]?.data).toEqual(rows[2])
  })

  test.each([null, ...zones])(
    'files in the time zone %s contain the days of the source',
    async (timezone) => {
      const options = timezone === null ? {} : { timezone }
      const text = new TextDecoder().decode(await file({ format: 'csv', ...options }))
      const [head = [], ...lines] = readCsv(text)
      const column = (key: string) => lines.map((line) => line[head.indexOf(key)]).sort()
      expect(column('day')).toEqual([...days].sort())
      expect(column('year')).toEqual(rows.map(({ year }) => year).sort())
      const json = JSON.parse(new TextDecoder().decode(await file({ format: 'json', ...options }))) as {
        day: string
      }[]
      expect(json.map(({ day }) => day).sort()).toEqual([...days].sort())
      const parquet = await file({ format: 'parquet', ...options })
      const read = await parquetReadObjects({ file: parquet.buffer as ArrayBuffer })
      expect(read.map(({ day }) => (day as Date).toISOString().slice(0, 10)).sort()).toEqual([...days].sort())
    },
  )
})
