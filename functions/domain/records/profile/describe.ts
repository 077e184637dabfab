import type { FieldProfile } from '#functions/shapes/field-profile.ts'
import { bucketError, edgeAt, computeBucketMiddle, widerBins } from './numbers.ts'
import {
  formatFirstDay,
  longer,
  formatPeriod,
  periodUnits,
  type Periods,
  type PeriodUnit,
} from './periods.ts'
import {
  getBins,
  getBuckets,
  distinctIn,
  isWhole,
  longestValue,
  getPeriods,
  type FieldState,
  type Value,
} from './state.ts'

/** Most values listed, bars of a histogram of numbers, bars of one of dates, and gaps listed. */
const [mostListed, mostBars, mostDateBars, mostGaps] = [50, 30, 62, 10]

const percents = [5, 25, 50, 75, 95] as const

/**
 * A field's profile for the API, from its aggregated state. Every number is exact or marked as estimated.
 * `unit`: the shortest period that the field's dates distinguish.
 */
export function describe(state: FieldState, unit: PeriodUnit): FieldProfile {
  const { kind, records, empty, min, max } = state
  const filledCount = records - empty
  const isDate = kind === 'instant' || kind === 'day'
  const hasValues = filledCount > 0 && kind !== 'other'
  const periods = isDate && hasValues ? getPeriods(state, unit) : null
  return {
    count: filledCount,
    empty,
    distinct: kind === 'other' ? null : countDistinct(state),
    min,
    max,
    quantiles: hasValues && (isDate || kind === 'number') ? computeQuantiles(state, periods) : null,
    top: kind === 'other' ? null : computeTopValues(state),
    histogram: hasValues ? computeHistogram(state, periods) : null,
    coverage: periods && computeCoverage(periods, kind === 'instant'),
  }
}

const countDistinct = (state: FieldState) => ({
  count: distinctIn(state),
  ...(!isWhole(state) && { estimated: true as const }),
})

/**
 * The most frequent values. Where not all values are stored, only those are listed that no other value can
 * exceed: none where all occur about equally often.
 */
function computeTopValues(state: FieldState): NonNullable<FieldProfile['top']> {
  const { top, leftOut, tooLowBy, records, empty } = state
  const isCertain = ([, count]: [Value, number]) => isWhole(state) || (count >= leftOut && count > 1)
  const frequent = top.filter(isCertain).slice(0, mostListed)
  const sum = frequent.reduce((all, [, count]) => all + count, 0)
  return {
    values: frequent.map(([value, count]) => ({ value: shortenValue(value), count })),
    of: countDistinct(state),
    others: records - empty - sum,
    ...(tooLowBy > 0 && { tooLowBy }),
  }
}

/** The value as shown: of a long text, which is stored as prefix and hash, the prefix and an ellipsis. */
function shortenValue(value: Value): Value {
  if (typeof value !== 'string' || value.length <= longestValue) return value
  const characters = [...value]
  return characters.length > longestValue ? `${characters.slice(0, longestValue).join('')}…` : value
}

/**
 * Quantiles by nearest rank: the smallest value such that the given percentage of all values is not above it.
 */
function computeQuantiles(
  state: FieldState,
  periods: Periods | null,
): NonNullable<FieldProfile['quantiles']> {
  const { top, min, max } = state
  if (isWhole(state)) {
    const byValue = [...top].sort(([a], [b]) => (a < b ? -1 : 1))
    return { values: rank(byValue) }
  }
  if (periods)
    return {
      values: rank(periods.counts.map(([period, count]) => [formatPeriod(periods.unit, period), count])),
      estimated: true,
      within: periods.unit,
    }
  const { bits, counts } = getBuckets(state)
  const clampBucketMiddle = ([bucket, count]: [number, number]): [number, number] => [
    Math.min(Math.max(computeBucketMiddle(bucket, bits), Number(min)), Number(max)),
    count,
  ]
  return { values: rank(counts.map(clampBucketMiddle)), estimated: true, within: bucketError(bits) }
}

function rank<T extends Value>(counts: [T, number][]) {
  const total = counts.reduce((all, [, count]) => all + count, 0)
  let [at, sum] = [0, counts[0]?.[1] ?? 0]
  return percents.map((percent) => {
    while (sum * 100 < percent * total && at < counts.length - 1) sum += counts[(at += 1)]?.[1] ?? 0
    return { percent, value: counts[at]?.[0] ?? null }
  })
}

function computeHistogram(state: FieldState, periods: Periods | null): FieldProfile['histogram'] {
  if (state.min === state.max) return null
  if (periods) return dateBars(periods)
  if (state.kind !== 'number') return null
  let { step, counts } = getBins(state)
  while ((counts.at(-1)?.[0] ?? 0) - (counts[0]?.[0] ?? 0) >= mostBars)
    ({ step, counts } = widerBins({ step, counts }, step + 1))
  const bars = fillMissingCounts(counts).map(([bin, count]) => ({
    from: Math.max(edgeAt(step, bin), -Number.MAX_VALUE),
    to: Math.min(edgeAt(step, bin + 1), Number.MAX_VALUE),
    count,
  }))
  return { bars }
}

function dateBars(periods: Periods): FieldProfile['histogram'] {
  const units = periodUnits.slice(periodUnits.indexOf(periods.unit))
  const all = units.map((unit) => longer(periods, unit))
  const fit = all.find(({ counts }) => computeSpan(counts) <= mostDateBars) ?? all.at(-1) ?? periods
  const bars = fillMissingCounts(fit.counts).map(([period, count]) => ({
    from: formatFirstDay(fit.unit, period),
    to: formatFirstDay(fit.unit, period + 1),
    count,
  }))
  return { unit: fit.unit, bars }
}

const computeSpan = (counts: [number, number][]) => (counts.at(-1)?.[0] ?? 0) - (counts[0]?.[0] ?? 0) + 1

/** The counts with zeros for the keys in between that are missing. */
function fillMissingCounts(counts: [key: number, count: number][]): [number, number][] {
  const first = counts[0]?.[0] ?? 0
  const countByKey = new Map(counts)
  return Array.from({ length: counts.length ? computeSpan(counts) : 0 }, (_none, i) => [
    first + i,
    countByKey.get(first + i) ?? 0,
  ])
}

/**
 * The periods that the dates span and how many of them have no date, with the longest gaps in the order of
 * time.
 */
function computeCoverage(
  { unit, counts }: Periods,
  isInstant: boolean,
): NonNullable<FieldProfile['coverage']> {
  const gaps = counts.slice(1).flatMap(([period], i) => {
    const before = counts[i]?.[0] ?? period
    return period - before > 1 ? [{ first: before + 1, last: period - 1 }] : []
  })
  const longest = [...gaps].sort((a, b) => b.last - b.first - (a.last - a.first) || a.first - b.first)
  const shortGaps = longest.slice(0, mostGaps).sort((a, b) => a.first - b.first)
  return {
    unit,
    ...(isInstant && { timeZone: 'UTC' as const }),
    from: formatPeriod(unit, counts[0]?.[0] ?? 0),
    to: formatPeriod(unit, counts.at(-1)?.[0] ?? 0),
    periods: computeSpan(counts),
    filled: counts.length,
    gaps: gaps.length,
    longestGaps: shortGaps.map(({ first, last }) => ({
      from: formatPeriod(unit, first),
      to: formatPeriod(unit, last),
      periods: last - first + 1,
    })),
  }
}
