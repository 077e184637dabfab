import type { AnswerRow, Output } from '#functions/shapes/analytics.ts'
import { buildBars, isStacked } from './bar-parts.ts'
import { fitVisualization } from './fit.ts'
import { formatValue } from './format.ts'
import type { ChartInput } from './frame.ts'
import { columnDecimals, getCountNoun, toNumber, formatMeasure } from './measure.ts'
import { getPhrases } from './phrases.ts'
import { toReadableAnswer } from './readable.ts'
import { getDimensions, assignRoles, type Roles } from './roles.ts'
import { buildSeries, formatTooltip, type XAxis, type Point, type Series } from './series.ts'
import { foldRest } from './stack.ts'
import { chartTypes } from './type/index.ts'
import { plural } from '#functions/shapes/plural.ts'

/** The most bars with a name of their own. */
const maxBars = 30

/**
 * The bar of all others is drawn at most this many times as long as the longest one, so that the others remain
 * distinguishable.
 */
const maxTimes = 3

/** Whether the values of a column may be summed: the answer says that they are counts or sums. */
function mayAddUp({ aggregations }: Output, alias: string | undefined): boolean {
  const own = aggregations.find((each) => each.alias === alias)?.function
  return own === 'count' || own === 'sum'
}

/** The bars of an answer. */
export interface BarSeries {
  along: XAxis
  /** With a point for all others after the last category, where there are `others`. */
  series: Series[]
  /** The number of omitted series, which are too many and may not be summed. */
  seriesLeft: number
  /** The indices of the categories with bars of their own, in order. */
  order: number[]
  /** The remaining categories as one; null where there are none or they may not be summed. */
  others: { place: number; name: string; count: number; isDrawn: boolean } | null
}

/** The bars of an answer: those beyond the thirtieth merged, if all are known and may be summed. */
export function buildBarSeries(input: ChartInput, parts: Roles): BarSeries {
  const { output, locale } = input
  const { along, series: all } = buildSeries(input, parts)
  const isAdded = parts.measures.length > 0 && parts.measures.every((alias) => mayAddUp(output, alias))
  const { series, left: seriesLeft } = foldedSeries(input, parts, along, all)
  const places = orderPlaces(input, along, series)
  const isCut = along.kind === 'category' && places.length > maxBars
  const order = isCut ? places.slice(0, maxBars) : places
  const plain = { along, series, seriesLeft, order, others: null }
  const rest = new Set(places.slice(order.length))
  if (rest.size === 0 || !isAdded || output.total !== undefined) return plain
  // The room of a bar for one other is room for that one itself.
  if (rest.size === 1) return { ...plain, order: places }
  const name = plural(getPhrases(locale).others, rest.size, locale)
  const place = along.categories.length
  const field = parts.y === undefined ? undefined : output.schema[parts.y]
  const withRest = series.map((one): Series => {
    const values = one.points.filter(({ x }) => rest.has(x)).map(({ y }) => y)
    if (values.length === 0) return one
    const y = values.reduce((sum, value) => sum + value, 0)
    const own = one.points[0]?.s ?? ''
    const point: Point = {
      x: place,
      y,
      s: own,
      tip: formatTooltip(own, name, formatMeasure(y, field, input), getCountNoun(parts.y, input)),
      rest: true,
    }
    return { ...one, points: [...one.points, point] }
  })
  const own = new Set(order)
  const bars = buildBars(withRest, isStacked(input, withRest))
  const longest = (isIncluded: (at: number) => boolean) =>
    Math.max(0, ...bars.filter(({ at }) => isIncluded(at)).map(({ high }) => Math.abs(high)))
  const isDrawn = longest((at) => at === place) <= maxTimes * longest((at) => own.has(at))
  // Only bars of a single series have labels, and are drawn for them.
  const isKnown = bars.some(({ at }) => at === place)
  if (!isKnown || (!isDrawn && series.length > 1)) return plain
  return { ...plain, series: withRest, others: { place, name, count: rest.size, isDrawn } }
}

/** Merges the series beyond the eighth if their values may be summed, otherwise drops them. */
export function foldedSeries(
  input: ChartInput,
  parts: Roles,
  along: XAxis,
  series: Series[],
): { series: Series[]; left: number } {
  if (series.length <= 8) return { series, left: 0 }
  if (!mayAddUp(input.output, parts.y)) return { series: series.slice(0, 8), left: series.length - 8 }
  const { other } = getPhrases(input.locale)
  const field = parts.y === undefined ? undefined : input.output.schema[parts.y]
  const noun = getCountNoun(parts.y, input)
  const makeTip = (x: number, y: number) =>
    formatTooltip(other, along.texts.get(x) ?? '', formatMeasure(y, field, input), noun)
  return { series: foldRest(series, other, makeTip), left: 0 }
}

// The order of the query, or else the largest bar first
function orderPlaces(input: ChartInput, along: XAxis, series: Series[]): number[] {
  const places = along.categories.map((_, place) => place)
  if (input.output.orderings.length > 0 || along.kind !== 'category') return places
  const sums = places.map((place) =>
    series.reduce((sum, one) => sum + (one.points.find((point) => point.x === place)?.y ?? 0), 0),
  )
  return places.sort((a, b) => (sums[b] ?? 0) - (sums[a] ?? 0))
}

/**
 * A sentence about merged or omitted bars, shown next to the drawing and read by screen readers; '' where each category
 * has its own.
 */
export function describeOtherBars(value: Omit<ChartInput, 'width' | 'height'>): string {
  const { visualization } = fitVisualization(value.visualization, value.output)
  if (!chartTypes[visualization.type].leavesOutGroups || value.rows.length === 0) return ''
  const input: ChartInput = toReadableAnswer({ ...value, visualization })
  const parts = assignRoles(visualization, input.output)
  const { along, series, order, others } = buildBarSeries(input, parts)
  const { othersSum, othersAsOne, barsCut } = getPhrases(input.locale)
  if (along.kind !== 'category' || order.length === along.categories.length) return ''
  if (!others) return barsCut(formatNumber(order.length, input), formatNumber(along.categories.length, input))
  const [only] = series
  const sum = only?.points.find(({ x }) => x === others.place)?.y
  if (series.length > 1 || sum === undefined) return othersAsOne(others.name)
  return othersSum(
    others.name,
    formatMeasure(sum, parts.y === undefined ? undefined : input.output.schema[parts.y], input),
  )
}

const formatNumber = (n: number, { locale }: ChartInput) => new Intl.NumberFormat(locale).format(n)

/**
 * Merges the rows of an answer from an index on into one table row, with sums where possible and '' elsewhere; null
 * where the answer is truncated, does not have exactly one grouping, or has nothing to sum.
 */
export function buildOthersRow(
  input: { output: Output; rows: AnswerRow[]; locale: string; timeZone: string },
  from: number,
): string[] | null {
  const { output, rows, locale, timeZone } = toReadableAnswer(input)
  const [group] = getDimensions(output)
  const fields = Object.entries(output.schema)
  const isGroup = group !== undefined && output.schema[group]?.type !== 'date'
  if (!isGroup || output.groupings.length !== 1 || output.total !== undefined || from >= rows.length - 1)
    return null
  const rest = rows.slice(from)
  let isAny = false
  const cells = fields.map(([key, field]) => {
    if (key === group) return plural(getPhrases(locale).others, rest.length, locale)
    const values = rest.flatMap((row) => toNumber(row[key]) ?? [])
    if (values.length === 0 || !mayAddUp(output, key)) return ''
    isAny = true
    const sum = values.reduce((all, value) => all + value, 0)
    return formatValue(sum, field, { locale, timeZone, unit: '', decimals: columnDecimals(rows, key, field) })
  })
  return isAny ? cells : null
}
