import type { TopLevelSpec } from 'vega-lite'
import { bucketOf } from './local-time.ts'
import { formatDate } from './date-format.ts'
import { unitOf } from './format.ts'
import {
  gridAxis,
  isNarrow,
  labelExpr,
  layOut,
  ring,
  sheet,
  swatchLayer,
  textLayer,
  textSize,
  widest,
} from './frame.ts'
import type { ChartInput, Key, Layer } from './frame.ts'
import { categorical, ink } from './palette.ts'
import { phrasesOf } from './phrases.ts'
import { roles } from './roles.ts'
import { alone, inStretches } from './gaps.ts'
import { foldedSeries } from './others.ts'
import { seriesOf, spread } from './series.ts'
import type { Along } from './series.ts'
import { toDrawn, stack } from './stack.ts'
import type { Band, DrawnSeries } from './stack.ts'
import { fitText, textWidth } from './text-width.ts'
import { roundNumbers, timeTicks } from './ticks.ts'
import type { Tick } from './ticks.ts'
import { measureTitle, numberTicks, say } from './measure.ts'

function ticksAlong(
  input: ChartInput,
  along: Along,
  alias: string | undefined,
  values: number[],
  width: number,
) {
  const field = alias === undefined ? undefined : input.output.schema[alias]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const count = Math.max(2, Math.floor(width / (isNarrow(input) ? 48 : 64)))
  if (along.kind === 'time') {
    const bucket = bucketOf(field)
    if (low === high) return [{ value: low, label: formatDate(low, bucket, input.locale, true) }]
    return timeTicks(low, high, count, input.locale, bucket)
  }
  if (along.kind === 'number') {
    const inside = roundNumbers(low, high, count, values.every(Number.isInteger))
    return numberTicks(
      inside.filter((value) => value >= low && value <= high),
      field,
      input,
    )
  }
  const every = Math.ceil(along.categories.length / count)
  return along.categories
    .map((name, value): Tick => ({ value, label: fitText(name, textSize, 64 * every) }))
    .filter((tick) => tick.value % every === 0)
}

/** With how many of the series are in colour, or drawn at all, where not all are. */
function seriesHeading(title: string, { locale }: ChartInput, drawn: number, left: number): string {
  const { inColour, seriesOf: someOf } = phrasesOf(locale)
  if (left > 0) return someOf(title, drawn, drawn + left)
  return drawn > categorical.length ? inColour(title, categorical.length, drawn) : title
}

/** The spec of a line or area chart: series named at their ends where there is room, above the chart where not. */
export function timeSeriesSpec(input: ChartInput): TopLevelSpec | null {
  const parts = roles(input.visualization, input.output)
  const { along, series } = seriesOf(input, parts)
  const yField = parts.y === undefined ? undefined : input.output.schema[parts.y]
  const isArea = input.visualization.type === 'area' && input.visualization.settings?.stacked !== false
  const isSingle = series.length === 1
  const folded = isArea ? foldedSeries(input, parts, along, series) : { series, left: 0 }
  const drawn = isArea ? stack(folded.series) : series.map(toDrawn)
  const points = drawn.flatMap((one) => one.points)
  if (points.length === 0) return null

  const heights = points.flatMap((point) => (isArea ? [point.low, point.high] : [point.high]))
  const [least, most] = [Math.min(...heights), Math.max(...heights)]
  const isFromZero = isArea || (least >= 0 && least < most * 0.6)
  const isWhole =
    yField?.measurement?.type !== 'percentage' && points.every((point) => Number.isInteger(point.y))
  const yTicks = numberTicks(
    roundNumbers(isFromZero ? Math.min(0, least) : least, most, isNarrow(input) ? 4 : 5, isWhole),
    yField,
    input,
  )
  const yDomain = [yTicks[0]?.value ?? 0, yTicks.at(-1)?.value ?? 1] as const
  const named = isSingle ? [] : drawn.slice(0, categorical.length)
  const isDirect = !isNarrow(input) && named.length > 0
  const labelWidth = Math.min(150, Math.max(0, ...named.map((one) => textWidth(one.name, textSize))))
  const last = isSingle ? drawn[0]?.points.at(-1) : undefined
  // A label beside the line needs about a hundredth of a grid step, not all the digits of an average
  const digits = Math.min(
    8,
    Math.max(0, 2 - Math.floor(Math.log10((yTicks[1]?.value ?? 1) - (yTicks[0]?.value ?? 0)))),
  )
  const lastText = last ? say(Number(last.y.toFixed(digits)), yField, input, { compact: true }) : ''
  const left = widest(yTicks) + 10
  const hasPartial = points.some((point) => point.partial)
  const partialKey: Key = {
    name: phrasesOf(input.locale).partial,
    ...(isArea && !isSingle
      ? { color: ink('--chart-muted'), opacity: 0.4 }
      : { color: isSingle ? (drawn[0]?.color ?? ink('--chart-muted')) : ink('--chart-muted'), shape: ring }),
  }
  const layout = layOut(input, {
    // Several measures are named by their lines; what they share is the unit
    heading:
      parts.series === undefined && parts.measures.length > 1
        ? unitOf(yField)
        : seriesHeading(measureTitle(yField, input), input, drawn.length, folded.left),
    keys: [
      ...(isDirect
        ? []
        : named.map(({ name, color }): Key => ({ name, color, shape: isArea ? 'square' : 'circle' }))),
      ...(hasPartial ? [partialKey] : []),
    ],
    left,
    right: isDirect ? labelWidth + 28 : lastText ? textWidth(lastText, textSize, true) + 14 : 10,
    bottom: along.kind === 'time' ? 42 : 28,
  })
  const xs = points.map((point) => point.x)
  const xTicks = ticksAlong(input, along, parts.x, xs, layout.plot.width)
  const isTime = along.kind === 'time'
  const { height, width } = layout.plot
  const yAt = (value: number) => height - ((value - yDomain[0]) / (yDomain[1] - yDomain[0])) * height
  const x = {
    field: 'x',
    type: isTime ? 'temporal' : 'quantitative',
    // The domain is the extent of the data; a given one would become datetime(…), see below
    scale: isTime ? { type: 'utc', nice: false } : { type: 'linear', nice: false, zero: false },
    axis: {
      // As an expression: vega-lite would turn numbers into datetime(…), which the interpreter reads as a year
      values: { expr: JSON.stringify(xTicks.map((tick) => tick.value)) },
      labelExpr: labelExpr(xTicks, isTime),
      labelFlush: false,
      ticks: true,
      tickSize: 5,
      labelPadding: 5,
      labelBaseline: 'top',
      labelLineHeight: 16,
    },
  }
  const y = {
    field: 'high',
    stack: null,
    type: 'quantitative',
    scale: { domain: yDomain, nice: false, zero: false },
    axis: gridAxis(yTicks),
  }
  const strong = drawn.filter((one) => one.color !== ink('--chart-muted') || isArea)
  const color = {
    field: 's',
    type: 'nominal',
    scale: { domain: strong.map((one) => one.name), range: strong.map((one) => one.color) },
    legend: null,
  }
  const dense = points.length / drawn.length > width
  const line = {
    type: 'line',
    interpolate: 'linear',
    strokeJoin: 'round',
    strokeCap: 'round',
    aria: false,
    tooltip: null,
  }
  const layers: unknown[] = []
  const muted = drawn.filter((one) => !strong.includes(one)).flatMap((one) => one.points)
  if (muted.length > 0) {
    layers.push({
      data: { values: muted },
      mark: { ...line, strokeWidth: 1, stroke: ink('--chart-muted'), opacity: 0.35 },
      encoding: { x, y, detail: { field: 's', type: 'nominal' } },
    })
  }
  const bucket =
    along.kind === 'time' && parts.x !== undefined ? bucketOf(input.output.schema[parts.x]) : undefined
  // Of stacked areas a missing value is none: the ones below it go on.
  const stretched = strong.map((one) => inStretches(one.points, isArea && !isSingle ? undefined : bucket))
  const hasGaps = stretched.some((points) => points.some(({ part }) => part > 0))
  const shown = hasGaps ? stretched.flat() : strong.flatMap((one) => one.points)
  const apart = hasGaps ? { detail: { field: 'part', type: 'nominal' } } : {}
  const whole = shown.filter((point) => !point.partial)
  const steps = hasPartial
    ? strong.flatMap(({ name, points }, at) => partialSteps(name, hasGaps ? (stretched[at] ?? []) : points))
    : []
  const step = { field: 'step', type: 'nominal' }
  if (isArea) {
    const area = { type: 'area', aria: false, tooltip: null }
    layers.push({
      data: { values: whole },
      mark: {
        ...{ ...area, fillOpacity: isSingle ? 0.2 : 0.92 },
        ...(isSingle ? {} : { stroke: ink('--chart-surface'), strokeWidth: 0.6 }),
      },
      encoding: { x, y, y2: { field: 'low' }, color, ...apart },
    })
    if (steps.length > 0) {
      layers.push({
        data: { values: steps },
        mark: { ...area, fillOpacity: isSingle ? 0.08 : 0.4 },
        encoding: { x, y, y2: { field: 'low' }, color, detail: step },
      })
    }
  }
  if (!isArea || isSingle) {
    const strokeWidth = dense ? 1.2 : 2.25
    layers.push({
      data: { values: whole },
      mark: { ...line, strokeWidth },
      encoding: { x, y, color, ...apart },
    })
    if (steps.length > 0) {
      layers.push({
        data: { values: steps },
        mark: { ...line, strokeWidth, strokeDash: [3, 4] },
        encoding: { x, y, color, detail: step },
      })
    }
    const single = strong.filter((one) => one.points.length === 1).flatMap((one) => one.points)
    const last = isDirect || isSingle ? strong.flatMap((one) => one.points.slice(-1)) : single
    const ends = hasGaps ? [...new Set([...last, ...stretched.flatMap(alone)])] : last
    const hollow = shown.filter((point) => point.partial)
    if (hollow.length > 0) {
      layers.push({
        data: { values: hollow },
        mark: {
          ...{ type: 'point', filled: false, fill: ink('--chart-surface'), strokeWidth: 1.75, size: 38 },
          ...{ opacity: 1, aria: false, tooltip: null },
        },
        encoding: { x, y, color },
      })
    }
    layers.push({
      data: { values: ends.filter((point) => !point.partial) },
      mark: { type: 'point', filled: true, size: 38, opacity: 1, aria: false, tooltip: null },
      encoding: { x, y, color },
    })
  }
  if (isDirect) layers.push(...endLabels(named, isArea, yAt, labelWidth, layout.plot))
  if (last) {
    layers.push(textLayer([{ x: width + 9, y: yAt(last.high), text: lastText }], { fontWeight: 600 }))
  }
  layers.push({
    name: 'hover',
    data: { values: shown.filter((point) => point.tip !== '') },
    params: [
      { name: 'near', select: { type: 'point', nearest: true, on: 'pointerover', clear: 'pointerout' } },
    ],
    mark: { type: 'point', filled: true, size: 70, aria: false },
    encoding: {
      x,
      y,
      color,
      opacity: { condition: { param: 'near', empty: false, value: 1 }, value: 0 },
      tooltip: { field: 'tip', type: 'nominal' },
    },
  })
  return sheet(input, layout, layers as Layer[])
}

/** The way between each partial point of a series and its neighbour, which is drawn as what is not known whole; none over a gap. */
function partialSteps(name: string, points: (Band & { part?: number })[]): (Band & { step: string })[] {
  return points.slice(1).flatMap((point, at) => {
    const before = points[at]
    if (!before || before.part !== point.part || !(point.partial || before.partial)) return []
    const step = `${name} ${at}`
    return [
      { ...before, step },
      { ...point, step },
    ]
  })
}

function endLabels(
  named: DrawnSeries[],
  isArea: boolean,
  yAt: (value: number) => number,
  labelWidth: number,
  plot: { width: number; height: number },
): Layer[] {
  const wanted = named.map((one) => {
    const end = one.points.at(-1)
    if (!end) return 0
    return yAt(isArea ? (end.low + end.high) / 2 : end.high)
  })
  const placed = spread(wanted, 17, plot.height)
  const shape = isArea ? 'square' : 'circle'
  return [
    swatchLayer(
      named.map((one, at) => ({ x: plot.width + 14, y: placed[at] ?? 0, color: one.color, shape })),
      { size: isArea ? 80 : 50 },
    ),
    textLayer(
      named.map((one, at) => ({
        x: plot.width + 23,
        y: placed[at] ?? 0,
        text: fitText(one.name, textSize, labelWidth + 1),
      })),
    ),
  ]
}
