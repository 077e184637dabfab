import { roundStep } from '#functions/engine/chart/ticks.ts'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { pickFieldKnowledge } from '#functions/shapes/field.ts'
import { wallTime } from '#functions/shapes/wall-time.ts'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { isEmptyAt, type Column, type ColumnFile } from './column-file.ts'
import { matchingRows } from './select.ts'
import type { TableState } from './table-state.ts'

/** More bars cannot be distinguished: only the most frequent values are shown, with their total number. */
const maxBars = 20
const dayLength = 86_400_000
/** Up to this number of days they are counted individually; beyond it by month, and beyond this number of months by year. */
const [mostDays, mostMonths] = [62, 62]

/**
 * A chart of the selected records by the values of a column: texts by frequency, numbers in round bins, dates by day,
 * month or year in `timeZone`. Records without a value are left out. Null where none has one. `title` names the chart,
 * `measured` what is counted.
 */
export async function stateChart(
  file: ColumnFile,
  state: TableState,
  key: string,
  {
    timeZone,
    locale,
    title,
    measured,
  }: { timeZone: string; locale: string; title: string; measured: string },
): Promise<ChartInput | null> {
  const column = await file.read(key)
  if (!column) return null
  const rows = (await matchingRows(file, state, timeZone)).filter((row) => !isEmptyAt(column, row))
  if (rows.length === 0) return null
  const { field } = column.head
  const knowledge = {
    ...{ name: field.name, ...pickFieldKnowledge(field) },
    ...(field.measurement && { measurement: field.measurement }),
  }
  const of = countValues(column, rows, timeZone)
  const x: OutputField =
    of.bucket !== null
      ? { name: field.name, type: 'date', measurement: { type: 'bucket', value: of.bucket } }
      : { ...knowledge, type: of.isNumber ? 'number' : column.head.kind === 'boolean' ? 'boolean' : 'text' }
  return {
    ...{ title, locale, timeZone },
    visualization: { type: of.isNumber ? 'histogram' : 'bar' },
    output: {
      schema: { x, n: { name: measured, type: 'number' } },
      aggregations: [
        { alias: 'x', name: x.name },
        { alias: 'n', name: measured, function: 'count' },
      ],
      groupings: [{ alias: 'x' }],
      orderings: of.bucket === null && !of.isNumber ? [{ alias: 'n', direction: 'desc' }] : [],
      ...(of.total > of.counts.length && { total: of.total }),
    },
    rows: of.counts.map(([value, n]) => ({ x: value, n })),
  }
}

interface Counts {
  counts: [value: unknown, count: number][]
  /** The number of distinct values. */
  total: number
  bucket: 'day' | 'month' | 'year' | null
  isNumber: boolean
}

function countValues(column: Column, rows: Uint32Array, timeZone: string): Counts {
  const { kind } = column.head
  if ('at' in column || kind === 'boolean') {
    const counts = new Map<unknown, number>()
    for (const row of rows) {
      const value = 'at' in column ? column.words[(column.at[row] ?? 0) - 1] : column.numbers[row] === 1
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    const sorted = [...counts].sort((a, b) => b[1] - a[1])
    return { counts: sorted.slice(0, maxBars), total: counts.size, bucket: null, isNumber: false }
  }
  const values = Float64Array.from(rows, (row) => column.numbers[row] ?? 0)
  return kind === 'day' || kind === 'instant'
    ? countsOfDays(kind === 'day' ? values : toLocalDays(values, timeZone))
    : countsOfNumbers(values)
}

/** Time zone offsets change only at full quarters of an hour, so the offset is constant within one. */
const quarter = 900_000

/** The days of instants on the clock of a zone, in days since 1970. */
function toLocalDays(instants: Float64Array, timeZone: string): Float64Array {
  const ahead = new Map<number, number>()
  return instants.map((at) => {
    const begin = Math.floor(at / quarter) * quarter
    let offset = ahead.get(begin)
    if (offset === undefined) ahead.set(begin, (offset = wallTime(begin, timeZone) - begin))
    return Math.floor((at + offset) / dayLength)
  })
}

/** Counts dates by the smallest unit with few enough periods; empty periods are left out. */
function countsOfDays(days: Float64Array): Counts {
  const [first, last] = computeRange(days)
  const toMonth = (day: number) => {
    const date = new Date(day * dayLength)
    return date.getUTCFullYear() * 12 + date.getUTCMonth()
  }
  const months = toMonth(last) - toMonth(first)
  const bucket = last - first < mostDays ? 'day' : months < mostMonths ? 'month' : 'year'
  const toPeriod = (day: number) =>
    bucket === 'day' ? day : bucket === 'month' ? toMonth(day) : Math.floor(toMonth(day) / 12)
  const counts = new Map<number, number>()
  for (let period = toPeriod(first); period <= toPeriod(last); period += 1) counts.set(period, 0)
  for (const day of days) counts.set(toPeriod(day), (counts.get(toPeriod(day)) ?? 0) + 1)
  const formatPeriod = (period: number) => {
    if (bucket === 'day') return new Date(period * dayLength).toISOString().slice(0, 10)
    const [year, month] = bucket === 'month' ? [Math.floor(period / 12), period % 12] : [period, 0]
    return new Date(Date.UTC(2000, month, 1))
      .toISOString()
      .slice(0, 10)
      .replace('2000', String(year).padStart(4, '0'))
  }
  const all = [...counts].map(([period, count]): [unknown, number] => [formatPeriod(period), count])
  return { counts: all, total: all.length, bucket, isNumber: false }
}

/** Counts numbers between round ones, about twenty of them. */
function countsOfNumbers(values: Float64Array): Counts {
  const [least, most] = computeRange(values)
  const isWhole = values.every(Number.isInteger)
  const round = roundStep(most - least || 1, maxBars)
  const step = isWhole ? Math.max(1, Math.ceil(round)) : round
  const from = Math.floor(least / step)
  const counts = new Map<number, number>()
  for (let bin = from; bin <= Math.floor(most / step); bin += 1) counts.set(bin, 0)
  for (const value of values) {
    const bin = Math.floor(value / step)
    counts.set(bin, (counts.get(bin) ?? 0) + 1)
  }
  // Products of decimals have spurious digits.
  const all = [...counts].map(([bin, count]): [unknown, number] => [
    Number((bin * step).toPrecision(12)),
    count,
  ])
  return { counts: all, total: all.length, bucket: null, isNumber: true }
}

function computeRange(values: Float64Array): [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity]
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return [least, most]
}
