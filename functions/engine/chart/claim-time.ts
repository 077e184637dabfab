import {
  buildClaimBase,
  isCut,
  isSum,
  measureBy,
  buildRangeClaim,
  type Claim,
  type Mark,
  type Measure,
  type Operand,
  type Period,
} from './claim.ts'
import type { ChartInput } from './frame.ts'
import { toNumber } from './measure.ts'
import { createExtentFinder, findTimeColumn, yearBefore, type Extent } from './periods.ts'
import type { Roles } from './roles.ts'
import type { DateBucket } from '#functions/shapes/field.ts'

/** A value at a time. */
interface Moment extends Operand {
  clock: number
  time: { alias: string; value: unknown }
  extent: Extent
}

/** Buckets of a year and more, which have no seasonality. */
const yearly = new Set<DateBucket | undefined>(['year', 'customYear', 'decade'])

const day = 86_400_000

/**
 * The claim of values over time. Only fully covered buckets are compared: years with years, from the first to the last;
 * shorter ones with the same bucket of the year before, since comparing the ends would show seasonality. Several series
 * are compared in the last bucket. Null where nothing can be compared.
 */
export function claimOverTime(input: ChartInput, parts: Roles): Claim | null {
  const { x, y, series, measures } = parts
  const times = findTimeColumn(input.output, x)
  if (x === undefined || y === undefined || !times) return { ...buildClaimBase(input), kind: 'nothing' }
  const isFolded = series === undefined && measures.length > 1
  const isOfSeveral = isFolded || series !== undefined
  // Which series exist at the end is unknown for a truncated answer.
  if (isOfSeveral && isCut(input)) return { ...buildClaimBase(input), kind: 'cut' }
  const measure = isFolded ? createCommonMeasure(y, input) : measureBy(y, input)
  const summed = series !== undefined && input.visualization.type === 'bar' && isSum(input, measure, series)
  const moments = buildMoments(input, parts, isFolded, summed)
  const [first, last] = [moments[0], moments.at(-1)]
  if (!first || !last) {
    // Rows without a date are data as well.
    const hasValues = input.rows.some((row) => measures.some((alias) => toNumber(row[alias]) !== null))
    return hasValues ? null : { ...buildClaimBase(input), kind: 'nothing' }
  }
  const period: Period = {
    ...{ alias: x, from: first.time.value, to: last.time.value },
    partial: [...new Set(moments.filter(({ extent }) => extent === 'partial').map(({ time }) => time.value))],
  }
  const wholeMoments = moments.filter(({ extent }) => extent === 'whole')
  const claim =
    isOfSeveral && !summed
      ? findLatestClaim(measure, wholeMoments, moments, input)
      : findSingleSeriesClaim(measure, wholeMoments, moments, times.bucket, input)
  return claim && { ...claim, period }
}

/** Several measures with a common unit, described as one. */
const createCommonMeasure = (y: string, input: ChartInput): Measure => {
  const { function: _of, ...measure } = measureBy(y, input)
  return { ...measure, alias: null, name: '' }
}

/** The values in order of time: of each measure and series, or of all series added up. */
function buildMoments(
  input: ChartInput,
  { x = '', y = '', series, measures }: Roles,
  isFolded: boolean,
  isSummed: boolean,
): Moment[] {
  const times = findTimeColumn(input.output, x)
  const getExtent = createExtentFinder(input, x)
  const rows: Moment[] = []
  const sums = new Map<string, Moment>()
  for (const row of input.rows) {
    const clock = times?.toLocalTime(row[x], input.timeZone) ?? null
    if (clock === null) continue
    const time = { alias: x, value: row[x] }
    for (const alias of isFolded ? measures : [y]) {
      const value = toNumber(row[alias])
      if (value === null) continue
      // By the value in the answer: an ambiguous local hour occurs twice.
      const sum = isSummed ? sums.get(String(row[x])) : undefined
      if (sum) {
        sum.value += value
        continue
      }
      const marks: Mark[] = isFolded
        ? [{ measure: alias }]
        : series === undefined || isSummed
          ? [time]
          : [{ alias: series, value: row[series] }]
      const moment = { value, at: marks, clock, time, extent: getExtent(row[x]) }
      rows.push(moment)
      if (isSummed) sums.set(String(row[x]), moment)
    }
  }
  return rows.sort((a, b) => a.clock - b.clock)
}

const toOperand = ({ value, at }: Moment): Operand => ({ value, at })

/** Several series at the last span that the data cover. */
function findLatestClaim(
  measure: Measure,
  wholeMoments: Moment[],
  all: Moment[],
  input: ChartInput,
): Claim | null {
  const last = wholeMoments.at(-1) ?? (isAlone(all) ? undefined : null)
  if (last === null) return null
  const { clock, time } = last ?? (all[0] as Moment)
  const latest = (last ? wholeMoments : all).filter((each) => each.clock === clock)
  return buildRangeClaim(measure, latest.map(toOperand), input, time)
}

/** Whether there is a single value, without anything to compare it with. */
const isAlone = (all: Moment[]) => all.length === 1

/** The value of a single bucket, the change between two comparable ones, or the range of all. */
function findSingleSeriesClaim(
  measure: Measure,
  wholeMoments: Moment[],
  all: Moment[],
  bucket: DateBucket | undefined,
  input: ChartInput,
): Claim | null {
  const alone = isAlone(all) ? all[0] : wholeMoments.length === 1 ? wholeMoments[0] : undefined
  const common = buildClaimBase(input, measure.alias)
  if (alone) {
    const isPartial = alone.extent === 'partial'
    return {
      ...{ ...common, kind: 'level', measure, isPartial, isExact: false },
      operands: [toOperand(alone)],
    }
  }
  const [first, last] = [wholeMoments[0], wholeMoments.at(-1)]
  if (!first || !last) return null
  // Rows limited by size have gaps anywhere, and their first and last time mean nothing.
  const isByTime = input.output.orderings[0]?.alias === first.time.alias
  if (isCut(input) && !isByTime) return buildRangeClaim(measure, wholeMoments.map(toOperand), input)
  if (yearly.has(bucket)) return buildChangeClaim(measure, 'ends', wholeMoments, input)
  const before = yearBefore(last.clock, bucket)
  const dayBefore = wholeMoments.find(({ clock }) => Math.floor(clock / day) * day === before)
  if (dayBefore) return buildChangeClaim(measure, 'yearBefore', [dayBefore, last], input)
  return buildBetweenClaim(measure, wholeMoments, input)
}

function buildBetweenClaim(measure: Measure, wholeMoments: Moment[], input: ChartInput): Claim {
  const claim = buildRangeClaim(measure, wholeMoments.map(toOperand), input)
  if (claim.kind !== 'range' || claim.operands.most[0]?.value === claim.operands.least[0]?.value) return claim
  const { subject, of, period, operands } = claim
  return { ...{ subject, of, period, kind: 'between', measure, operands } }
}

/** A value as it is displayed: differences below its last decimal do not count. */
function roundForDisplay({ field, decimals }: Measure, value: number): number {
  const scale = field?.measurement?.type === 'percentage' ? 100 : 1
  return decimals === undefined ? value * scale : Number((value * scale).toFixed(decimals))
}

/** Whether two displayed values differ. Where both are displayed unrounded, any difference counts. */
function direction(measure: Measure, before: number, now: number): 'rose' | 'fell' | 'alike' | 'same' {
  if (before === now) return 'same'
  const scale = measure.field?.measurement?.type === 'percentage' ? 100 : 1
  const isExact = [before, now].every(
    (value) =>
      Math.abs(roundForDisplay(measure, value) - value * scale) <=
      1e-9 * Math.max(1, Math.abs(value * scale)),
  )
  const difference = Number((Math.abs(now - before) * scale).toPrecision(12))
  const least = isExact || measure.decimals === undefined ? 0 : 10 ** -measure.decimals
  if (difference <= least || roundForDisplay(measure, before) === roundForDisplay(measure, now))
    return 'alike'
  return now > before ? 'rose' : 'fell'
}

/** The change from the first to the last of several moments, and the extreme on the way. */
function buildChangeClaim(
  measure: Measure,
  comparable: 'ends' | 'yearBefore',
  moments: Moment[],
  input: ChartInput,
): Claim {
  const [before, now] = [moments[0] as Moment, moments.at(-1) as Moment]
  const trend = direction(measure, before.value, now.value)
  return {
    ...{ ...buildClaimBase(input, measure.alias), kind: 'change', measure, comparable, direction: trend },
    operands: [toOperand(before), toOperand(now)],
    turn: findTurningPoint(measure, moments, trend),
  }
}

/** For a rise the peak, for a fall the low, unless at the end; otherwise the extreme farthest from both ends. */
function findTurningPoint(measure: Measure, moments: Moment[], trend: ReturnType<typeof direction>) {
  const ends = [moments[0], moments.at(-1)].flatMap((each) => (each ? [each.value] : []))
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  const lowest = moments.reduce((a, b) => (b.value < a.value ? b : a))
  const highest = moments.reduce((a, b) => (b.value > a.value ? b : a))
  const peak = direction(measure, high, highest.value) === 'rose' && {
    ...{ kind: 'peak' as const, operand: toOperand(highest) },
  }
  const dip = direction(measure, low, lowest.value) === 'fell' && {
    ...{ kind: 'low' as const, operand: toOperand(lowest) },
  }
  const isDipFirst = trend === 'fell' || (trend !== 'rose' && low - lowest.value > highest.value - high)
  return (isDipFirst ? dip || peak : peak || dip) || null
}
