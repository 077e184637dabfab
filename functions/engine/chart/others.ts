import type { AnswerRow, Output } from '#functions/shapes/analytics.ts'
import { barsOf, isStacked } from './bar-parts.ts'
import { fitVisualization } from './fit.ts'
import { formatValue } from './format.ts'
import type { ChartInput } from './frame.ts'
import { columnDecimals, nounOf, numberOf, say } from './measure.ts'
import { phrasesOf } from './phrases.ts'
import { readable } from './readable.ts'
import { dimensionsOf, roles, type Roles } from './roles.ts'
import { seriesOf, tipOf, type Along, type Point, type Series } from './series.ts'
import { foldRest } from './stack.ts'
import { plural } from '#functions/shapes/plural.ts'

/** How many bars with a name of their own a chart shows at most. */
const mostBars = 30

/** What lies beyond them is as long as so many of the longest of them at most, or they could not be told apart. */
const mostTimes = 3

/** Whether the values of a column may be added up: the answer says that they are counts or sums. */
function mayAddUp({ aggregations }: Output, alias: string | undefined): boolean {
  const own = aggregations.find((each) => each.alias === alias)?.function
  return own === 'count' || own === 'sum'
}

/** What an answer is drawn of as bars. */
export interface BarSeries {
  along: Along
  /** With a point for all others at the place after the last category, where there are `others`. */
  series: Series[]
  /** Series that are left out, since there are too many and their values may not be added up. */
  seriesLeft: number
  /** The places of the categories that have bars of their own, in their order. */
  order: number[]
  /** The categories without, as one; null where there are none or they may not be added up. */
  others: { place: number; name: string; count: number; isDrawn: boolean } | null
}

/** The bars of an answer: those beyond the thirtieth as one, where all of them are known and may be added up. */
export function barSeriesOf(input: ChartInput, parts: Roles): BarSeries {
  const { output, locale } = input
  const { along, series: all } = seriesOf(input, parts)
  const isAdded = parts.measures.length > 0 && parts.measures.every((alias) => mayAddUp(output, alias))
  const { series, left: seriesLeft } = foldedSeries(input, parts, along, all)
  const places = orderPlaces(input, along, series)
  const isCut = along.kind === 'category' && places.length > mostBars
  const order = isCut ? places.slice(0, mostBars) : places
  const plain = { along, series, seriesLeft, order, others: null }
  const rest = new Set(places.slice(order.length))
  if (rest.size === 0 || !isAdded || output.total !== undefined) return plain
  // The room of a bar for one other is room for that one itself.
  if (rest.size === 1) return { ...plain, order: places }
  const name = plural(phrasesOf(locale).others, rest.size, locale)
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
      tip: tipOf(own, name, say(y, field, input), nounOf(parts.y, input)),
      rest: true,
    }
    return { ...one, points: [...one.points, point] }
  })
  const own = new Set(order)
  const bars = barsOf(withRest, isStacked(input, withRest))
  const longest = (isOf: (at: number) => boolean) =>
    Math.max(0, ...bars.filter(({ at }) => isOf(at)).map(({ high }) => Math.abs(high)))
  const isDrawn = longest((at) => at === place) <= mostTimes * longest((at) => own.has(at))
  // Only bars of one series say their values, and need not be drawn for it.
  const isKnown = bars.some(({ at }) => at === place)
  if (!isKnown || (!isDrawn && series.length > 1)) return plain
  return { ...plain, series: withRest, others: { place, name, count: rest.size, isDrawn } }
}

/** The series beyond the eighth as one where their values may be added up, else left out. */
export function foldedSeries(
  input: ChartInput,
  parts: Roles,
  along: Along,
  series: Series[],
): { series: Series[]; left: number } {
  if (series.length <= 8) return { series, left: 0 }
  if (!mayAddUp(input.output, parts.y)) return { series: series.slice(0, 8), left: series.length - 8 }
  const { other } = phrasesOf(input.locale)
  const field = parts.y === undefined ? undefined : input.output.schema[parts.y]
  const noun = nounOf(parts.y, input)
  const makeTip = (x: number, y: number) => tipOf(other, along.texts.get(x) ?? '', say(y, field, input), noun)
  return { series: foldRest(series, other, makeTip), left: 0 }
}

// The order of the query stands; without one the largest bar comes first
function orderPlaces(input: ChartInput, along: Along, series: Series[]): number[] {
  const places = along.categories.map((_, place) => place)
  if (input.output.orderings.length > 0 || along.kind !== 'category') return places
  const sums = places.map((place) =>
    series.reduce((sum, one) => sum + (one.points.find((point) => point.x === place)?.y ?? 0), 0),
  )
  return places.sort((a, b) => (sums[b] ?? 0) - (sums[a] ?? 0))
}

/**
 * One sentence about the bars that a chart draws as one or leaves out, for what stands beside the drawing and for who does not see it;
 * '' where each category has its own.
 */
export function othersNote(value: Omit<ChartInput, 'width' | 'height'>): string {
  const { visualization } = fitVisualization(value.visualization, value.output)
  if (visualization.type !== 'bar' || value.rows.length === 0) return ''
  const input: ChartInput = readable({ ...value, visualization })
  const parts = roles(visualization, input.output)
  const { along, series, order, others } = barSeriesOf(input, parts)
  const { othersSum, othersAsOne, barsCut } = phrasesOf(input.locale)
  if (along.kind !== 'category' || order.length === along.categories.length) return ''
  if (!others) return barsCut(formatNumber(order.length, input), formatNumber(along.categories.length, input))
  const [only] = series
  const sum = only?.points.find(({ x }) => x === others.place)?.y
  if (series.length > 1 || sum === undefined) return othersAsOne(others.name)
  return othersSum(
    others.name,
    say(sum, parts.y === undefined ? undefined : input.output.schema[parts.y], input),
  )
}

const formatNumber = (n: number, { locale }: ChartInput) => new Intl.NumberFormat(locale).format(n)

/**
 * The rows of an answer from one on as one row of its table, with the sums of what may be added up and '' for the rest; null where the
 * answer is not whole, has not one grouping, or has nothing to add up.
 */
export function othersRow(
  input: { output: Output; rows: AnswerRow[]; locale: string; timeZone: string },
  from: number,
): string[] | null {
  const { output, rows, locale, timeZone } = readable(input)
  const [group] = dimensionsOf(output)
  const fields = Object.entries(output.schema)
  const isGroup = group !== undefined && output.schema[group]?.type !== 'date'
  if (!isGroup || output.groupings.length !== 1 || output.total !== undefined || from >= rows.length - 1)
    return null
  const rest = rows.slice(from)
  let isAny = false
  const cells = fields.map(([key, field]) => {
    if (key === group) return plural(phrasesOf(locale).others, rest.length, locale)
    const values = rest.flatMap((row) => numberOf(row[key]) ?? [])
    if (values.length === 0 || !mayAddUp(output, key)) return ''
    isAny = true
    const sum = values.reduce((all, value) => all + value, 0)
    return formatValue(sum, field, { locale, timeZone, unit: '', decimals: columnDecimals(rows, key, field) })
  })
  return isAny ? cells : null
}
