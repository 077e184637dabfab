import { expect, test } from 'vitest'
import { answerCsv, csvNotes } from './answer-csv.ts'
import type { AnswerRow, Output, OutputField } from '#functions/shapes/analytics.ts'
import type { Precision } from '#functions/shapes/field.ts'

test('texts and headers that a spreadsheet would run as formulas get an apostrophe, numbers do not', () => {
  const schema = { '=kind': { name: 'Kind', type: 'text' }, total: { name: 'Total', type: 'number' } }
  const answer = {
    output: { schema } as unknown as Output,
    rows: [
      { '=kind': ' =1+1', total: -5 },
      { '=kind': 'Oak', total: 2 },
    ] as unknown as AnswerRow[],
  }
  expect(answerCsv(answer, 'UTC')).toBe("'=kind,total\r\n' =1+1,-5\r\nOak,2\r\n")
})

const cut = (value: string, precision?: Precision): OutputField => ({
  ...{ name: value, type: 'date', measurement: { type: 'bucket', value } },
  ...(precision && { precision }),
})
const buildAnswer = (schema: Record<string, OutputField>, rows: AnswerRow[], timeZone?: string) => ({
  output: { schema, ...(timeZone !== undefined && { timeZone }) } as unknown as Output,
  rows,
})

test.each([
  ['day', '2012-01-01T08:00:00.000Z', '2012-01-01'],
  ['month', '2012-01-01T08:00:00.000Z', '2012-01'],
  ['quarter', '2012-10-01T07:00:00.000Z', '2012-Q4'],
  ['year', '2012-01-01T08:00:00.000Z', '2012'],
  ['decade', '2010-01-01T08:00:00.000Z', '2010'],
  // The week of a Monday that is still of the old year, and one of a year of 53 weeks.
  ['week', '2012-12-31T08:00:00.000Z', '2013-W01'],
  ['week', '2020-12-28T08:00:00.000Z', '2020-W53'],
  ['customQuarter', '2012-05-01T07:00:00.000Z', '2012-05'],
  ['customYear', '2012-07-01T07:00:00.000Z', '2012-07'],
  ['hour', '2012-07-01T07:00:00.000Z', '2012-07-01T00:00:00-07:00'],
  // A local mean time of no whole minutes: it was midnight, to the second.
  ['day', '1880-03-04T07:52:58.000Z', '1880-03-04'],
])('a bucket of a %s has its usual name: %s is %s', (bucket, at, text) => {
  const answer = buildAnswer({ at: cut(bucket) }, [{ at }], 'America/Los_Angeles')
  // The clock by which it was cut counts, not another one.
  expect(answerCsv(answer, 'Asia/Tokyo')).toBe(`at\r\n${text}\r\n`)
})

test('a day that begins at 01:00 because of daylight saving time is that day', () => {
  const answer = buildAnswer({ at: cut('day') }, [{ at: '2018-11-04T03:00:00.000Z' }], 'America/Sao_Paulo')
  expect(answerCsv(answer, 'UTC')).toBe('at\r\n2018-11-04\r\n')
})

test('calendar dates have no time zone, and keep their precision', () => {
  const schema = {
    ...{ m: cut('month', 'month'), y: cut('year', 'year'), q: cut('quarter', 'month') },
    ...{
      d: { name: 'D', type: 'date', precision: 'day' },
      raw: { name: 'R', type: 'date', precision: 'month' },
    },
  } as Record<string, OutputField>
  const day = '2012-01-01'
  const answer = buildAnswer(schema, [{ m: day, y: day, q: day, d: day, raw: day }, { m: null }])
  expect(answerCsv(answer, 'Pacific/Honolulu')).toBe(
    'm,y,q,d,raw\r\n2012-01,2012,2012-Q1,2012-01-01,2012-01\r\n,,,,\r\n',
  )
})

test('timestamps have their offset, and numbers all digits; the notes describe the format', () => {
  const schema = { at: { name: 'At', type: 'date' }, n: { name: 'N', type: 'number' }, m: cut('month') }
  const rows = [{ at: '2026-03-01T09:00:00.000Z', n: 7.123456789012345, m: '2026-03-01T08:00:00.000Z' }]
  const answer = buildAnswer(schema as Record<string, OutputField>, rows)
  expect(answerCsv(answer, 'America/Los_Angeles')).toBe(
    'at,n,m\r\n2026-03-01T01:00:00-08:00,7.123456789012345,2026-03\r\n',
  )
  expect(csvNotes(answer, 'America/Los_Angeles')).toEqual({
    numbers: 'full precision',
    timeZone: 'America/Los_Angeles',
    spans: { m: 'month' },
  })
})
