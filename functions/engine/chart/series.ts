import { hasNames } from '#functions/shapes/field.ts'
import { localTime } from './local-time.ts'
import { formatValue } from './format.ts'
import type { ChartInput } from './frame.ts'
import { categorical, tokenColour } from './palette.ts'
import { createExtentFinder } from './periods.ts'
import { getPhrases } from './phrases.ts'
import type { Roles } from './roles.ts'
import { formatOptions, getCountNoun, toNumber, formatMeasure } from './measure.ts'

/** One value of one series. `x` is local milliseconds, a number or the place in a list of categories. */
export interface Point {
  x: number
  y: number
  s: string
  tip: string
  /** The data do not cover the span of time that it is of. */
  partial?: true
  /** The merged rest, next to categories of their own. */
  rest?: true
}

/** A line, area or group of bars, with its colour; beyond the eighth all share a muted one. */
export interface Series {
  name: string
  color: string
  points: Point[]
}

/** What x means: time, numbers, or categories in the order of the rows. */
export interface XAxis {
  kind: 'time' | 'number' | 'category'
  /** The labels of categories, by place. */
  categories: string[]
  /** The text of every x that has a value, whatever its kind. */
  texts: Map<number, string>
}

/** The series of an answer, largest first, points in order of x; rows without x or y are left out. */
export function buildSeries(input: ChartInput, parts: Roles): { along: XAxis; series: Series[] } {
  const { output, rows } = input
  const xField = parts.x === undefined ? undefined : output.schema[parts.x]
  const isNumber = xField?.type === 'number' && !hasNames(xField)
  const kind = xField?.type === 'date' ? 'time' : isNumber ? 'number' : 'category'
  const options = formatOptions(input)
  const categories: string[] = []
  const texts = new Map<number, string>()
  const places = new Map<string, number>()
  const toPlace = (value: unknown): number | null => {
    if (kind === 'time') return localTime(value, input.timeZone)
    if (kind === 'number') return toNumber(value)
    const name = formatValue(value, xField, options)
    const place = places.get(name)
    if (place !== undefined) return place
    places.set(name, categories.push(name) - 1)
    return categories.length - 1
  }
  const byKey = new Map<string, Point[]>()
  const getExtent = createExtentFinder(input, parts.x)
  const { partial } = getPhrases(input.locale)
  const isFolded = parts.series === undefined && parts.measures.length > 1
  for (const row of rows) {
    const x = toPlace(parts.x === undefined ? undefined : row[parts.x])
    if (x === null) continue
    for (const alias of parts.series === undefined ? parts.measures : parts.measures.slice(0, 1)) {
      const y = toNumber(row[alias])
      if (y === null) continue
      const field = output.schema[alias]
      const s = isFolded
        ? (field?.name ?? alias)
        : parts.series === undefined
          ? ''
          : formatValue(row[parts.series], output.schema[parts.series], options)
      const value = parts.x === undefined ? undefined : row[parts.x]
      const isPartial = getExtent(value) === 'partial'
      const text = formatValue(value, xField, options)
      const where = isPartial ? `${text} (${partial})` : text
      texts.set(x, where)
      const tip = formatTooltip(
        s,
        where,
        formatMeasure(y, field, input),
        isFolded ? '' : getCountNoun(alias, input),
      )
      const points = byKey.get(s)
      const point: Point = { x, y, s, tip, ...(isPartial && { partial: true }) }
      if (points) points.push(point)
      else byKey.set(s, [point])
    }
  }
  const total = (points: Point[]) => points.reduce((sum, point) => sum + Math.abs(point.y), 0)
  const series = [...byKey]
    .map(([name, points]) => ({ name, points: points.sort((a, b) => a.x - b.x) }))
    .sort((a, b) => (isFolded ? 0 : total(b.points) - total(a.points)))
    .map((one, index) => ({ ...one, color: chooseSeriesColor(one.name, index, input) }))
  return { along: { kind, categories, texts }, series }
}

function chooseSeriesColor(name: string, index: number, { colors, highlight }: ChartInput): string {
  if (highlight !== undefined && highlight !== name) return tokenColour('--chart-muted')
  const own = colors && Object.hasOwn(colors, name) ? colors[name] : undefined
  return own ?? categorical[index] ?? tokenColour('--chart-muted')
}

/** The tooltip of a value: `Flood, 2010s: 1,234`, for a count with its noun: `Flood, 2010s, Deaths: 1,234`. */
export const formatTooltip = (series: string, where: string, value: string, noun = ''): string =>
  `${[series, where, noun].filter(Boolean).join(', ')}: ${value}`

/** Moves positions on a line apart to at least `gap`, within 0 and `end`; keeps their order. */
export function spread(places: number[], gap: number, end: number): number[] {
  const order = places.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place)
  const room = Math.min(gap, order.length > 1 ? end / (order.length - 1) : gap)
  const positions: number[] = []
  order.forEach(({ place }, at) =>
    positions.push(Math.max(place, at === 0 ? 0 : (positions[at - 1] ?? 0) + room)),
  )
  for (let at = positions.length - 1, limit = end; at >= 0; at -= 1) {
    positions[at] = Math.min(positions[at] ?? 0, limit)
    limit = (positions[at] ?? 0) - room
  }
  const result: number[] = []
  order.forEach(({ index }, at) => (result[index] = positions[at] ?? 0))
  return result
}
