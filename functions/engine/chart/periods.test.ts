import { expect, it } from 'vitest'
import type { Coverage } from '#functions/shapes/analytics.ts'
import { createExtentFinder } from './periods.ts'
import { buildOutput } from './samples.testing.ts'

const hour = 3_600_000
const iso = (text: string) => new Date(text).toISOString()

/** Which of some spans the data do not cover. */
function filterPartialSpans(
  starts: string[],
  bucket: string,
  [from, to, step]: [from: string, to: string, step?: number],
  timeZone = 'UTC',
): string[] {
  const span = { name: 'Span', type: 'date' as const, measurement: { type: 'bucket', value: bucket } }
  const moments = { from: iso(from), to: iso(to), ...(step !== undefined && { step }) }
  const coverage: Coverage = { alias: 'at', from: '2020-01-01', to: '2020-12-31', precision: 'day', moments }
  const rows = starts.map((start) => ({ at: iso(start), n: 1 }))
  const schema = { at: span, n: { name: 'N', type: 'number' as const } }
  const getExtent = createExtentFinder(
    { output: { ...buildOutput(schema, ['at']), coverage }, rows, timeZone },
    'at',
  )
  return starts.filter((start) => getExtent(iso(start)) !== 'whole')
}

const hours = ['2020-02-29T00:00Z', '2020-02-29T01:00Z', '2020-02-29T02:00Z']
const toInstant = (time: string) => `2020-02-29T${time}Z`

it.each<[string, Parameters<typeof filterPartialSpans>[2], string[]]>([
  ['within which the data begin and end', [toInstant('00:20'), toInstant('02:40')], ['00:00', '02:00']],
  ['that the data fill to the last moment', [toInstant('00:00'), toInstant('02:59:59.999')], []],
  ['that end a second early', [toInstant('00:00'), toInstant('02:59:59')], ['02:00']],
  ['with a reading each quarter', [toInstant('00:00'), toInstant('02:45'), hour / 4], []],
  ['without the last reading', [toInstant('00:00'), toInstant('02:30'), hour / 4], ['02:00']],
  ['without the first one', [toInstant('00:15'), toInstant('02:45'), hour / 4], ['00:00']],
])('hours %s', (_name, moments, partial) => {
  expect(filterPartialSpans(hours, 'hour', moments)).toEqual(partial.map(toInstant))
})

const midnights = ['2020-02-28T05:00Z', '2020-02-29T05:00Z']

it.each<[string, Parameters<typeof filterPartialSpans>[2], string[]]>([
  ['with a reading each hour', ['2020-02-28T05:00Z', '2020-03-01T04:00Z', hour], []],
  ['without the last reading', ['2020-02-28T05:00Z', '2020-03-01T03:00Z', hour], ['2020-02-29T05:00Z']],
  ['with one reading at noon', ['2020-02-28T17:00Z', '2020-02-29T17:00Z', 24 * hour], []],
  ['at whose end events end', ['2020-02-28T05:00Z', '2020-03-01T04:00Z'], ['2020-02-29T05:00Z']],
])('days of New York %s', (_name, moments, partial) => {
  expect(filterPartialSpans(midnights, 'day', moments, 'America/New_York')).toEqual(partial)
})

it('weeks are partial by their hours', () => {
  const mondays = ['2020-03-02T00:00Z', '2020-03-09T00:00Z']
  expect(filterPartialSpans(mondays, 'week', ['2020-03-02T18:00Z', '2020-03-15T23:00Z', hour])).toEqual([
    mondays[0],
  ])
  expect(filterPartialSpans(mondays, 'week', ['2020-03-02T00:00Z', '2020-03-15T23:00Z', hour])).toEqual([])
})

it('months and longer spans are partial by their days', () => {
  const moments: Parameters<typeof filterPartialSpans>[2] = ['2020-01-01T13:00Z', '2020-12-31T13:00Z']
  expect(filterPartialSpans(['2020-01-01T00:00Z', '2020-12-01T00:00Z'], 'month', moments)).toEqual([])
})
