import type { TopLevelSpec } from 'vega-lite'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { findDateBucket } from './local-time.ts'
import { dateLocaleIn, formatDate } from './date-format.ts'
import { getFieldUnit } from './format.ts'
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
import { categorical, tokenColour } from './palette.ts'
import { getPhrases } from './phrases.ts'
import { assignRoles } from './roles.ts'
import type { Roles } from './roles.ts'
import { isolatedPoints, splitAtGaps } from './gaps.ts'
import { foldedSeries } from './merge-bars.ts'
import { buildSeries, spread } from './series.ts'
import type { XAxis } from './series.ts'
import { toDrawn, stack } from './stack.ts'
import type { Band, DrawnSeries } from './stack.ts'
import { fitText, textWidth } from './text-width.ts'
import { roundNumbers, timeTicks } from './ticks.ts'
import type { Tick } from './ticks.ts'
import { measureTitle, numberTicks, formatMeasure } from './measure.ts'

function ticksAlong(
  input: ChartInput,
  along: XAxis,
  alias: string | undefined,
  values: number[],
  width: number,
) {
  const field = alias === undefined ? undefined : input.output.schema[alias]
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const count = Math.max(2, Math.floor(width / (isNarrow(input) ? 48 : 64)))
  if (along.kind === 'time') {
    const bucket = findDateBucket(field)
    if (low === high) return [{ value: low, label: formatDate(low, bucket, input, true) }]
    return timeTicks(low, high, count, dateLocaleIn(input), bucket)
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

/** The heading, with the number of highlighted or drawn series, if not all are. */
function seriesHeading(
  title: string,
  { locale, highlight }: ChartInput,
  lineCount: number,
  left: number,
): string {
  const { inColour, seriesPartTitle } = getPhrases(locale)
  if (left > 0) return seriesPartTitle(title, lineCount, lineCount + left)
  return highlight === undefined && lineCount > categorical.length
    ? inColour(title, categorical.length, lineCount)
    : title
}

/** The input of a line or area chart: its series, and the position of each point. */
interface Lines {
  parts: Roles
  along: XAxis
  lines: DrawnSeries[]
  points: Band[]
  yField: OutputField | undefined
  isArea: boolean
  isSingle: boolean
  hasPartial: boolean
  /** The number of omitted series. */
  left: number
}

function readLines(input: ChartInput): Lines | null {
  const parts = assignRoles(input.visualization, input.output)
  const { along, series } = buildSeries(input, parts)
  const yField = parts.y === undefined ? undefined : input.output.schema[parts.y]
  const isArea = input.visualization.type === 'area' && input.visualization.settings?.stacked !== false
  const isSingle = series.length === 1
  const folded = isArea ? foldedSeries(input, parts, along, series) : { series, left: 0 }
  const lines = isArea ? stack(folded.series) : series.map(toDrawn)
  const points = lines.flatMap((one) => one.points)
  if (points.length === 0) return null
  const hasPartial = points.some((point) => point.partial)
  return { parts, along, lines, points, yField, isArea, isSingle, hasPartial, left: folded.left }
}

/** The ticks of the measure, from zero where there is little room below the lines. */
function makeHeightTicks(input: ChartInput, { points, isArea, yField }: Lines): Tick[] {
  const heights = points.flatMap((point) => (isArea ? [point.low, point.high] : [point.high]))
  const [least, most] = [Math.min(...heights), Math.max(...heights)]
  const isFromZero = isArea || (least >= 0 && least < most * 0.6)
  const isWhole =
    yField?.measurement?.type !== 'percentage' && points.every((point) => Number.isInteger(point.y))
  return numberTicks(
    roundNumbers(isFromZero ? Math.min(0, least) : least, most, isNarrow(input) ? 4 : 5, isWhole),
    yField,
    input,
  )
}

/** The label of the last value of a single series, at the end of its line; null for several. */
function findLastValue(input: ChartInput, { lines, isSingle, yField }: Lines, yTicks: Tick[]) {
  const point = isSingle ? lines[0]?.points.at(-1) : undefined
  if (!point) return null
  // The label needs about a hundredth of a grid step, not all digits of an average
  const digits = Math.min(
    8,
    Math.max(0, 2 - Math.floor(Math.log10((yTicks[1]?.value ?? 1) - (yTicks[0]?.value ?? 0)))),
  )
  return { point, text: formatMeasure(Number(point.y.toFixed(digits)), yField, input, { compact: true }) }
}

/** Lays out heading, labels and axes, and returns the area for the lines. */
function placeLines(input: ChartInput, lines: Lines, yTicks: Tick[], lastText: string) {
  const { parts, along, lines: all, yField, isArea, isSingle } = lines
  const labelled = isSingle ? [] : all.slice(0, categorical.length)
  const isDirect = !isNarrow(input) && labelled.length > 0
  const labelWidth = Math.min(150, Math.max(0, ...labelled.map((one) => textWidth(one.name, textSize))))
  const partialKey: Key = {
    name: getPhrases(input.locale).partial,
    ...(isArea && !isSingle
      ? { color: tokenColour('--chart-muted'), opacity: 0.4 }
      : {
          color: isSingle ? (all[0]?.color ?? tokenColour('--chart-muted')) : tokenColour('--chart-muted'),
          shape: ring,
        }),
  }
  const layout = layOut(input, {
    // Several measures are named at their lines; the heading is their common unit
    heading:
      parts.series === undefined && parts.measures.length > 1
        ? getFieldUnit(yField)
        : seriesHeading(measureTitle(yField, input), input, all.length, lines.left),
    keys: [
      ...(isDirect
        ? []
        : labelled.map(({ name, color }): Key => ({ name, color, shape: isArea ? 'square' : 'circle' }))),
      ...(lines.hasPartial ? [partialKey] : []),
    ],
    left: widest(yTicks) + 10,
    right: isDirect ? labelWidth + 28 : lastText ? textWidth(lastText, textSize, true) + 14 : 10,
    bottom: along.kind === 'time' ? 42 : 28,
  })
  return { labelled, isDirect, labelWidth, layout }
}

/** How places, heights and series become positions and colours. */
function encodeLines(isTime: boolean, xTicks: Tick[], yTicks: Tick[], domain: Domain, strong: DrawnSeries[]) {
  const x = {
    field: 'x',
    type: isTime ? 'temporal' : 'quantitative',
    // The domain is the extent of the data; an explicit one would become datetime(…), see below
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
    scale: { domain, nice: false, zero: false },
    axis: gridAxis(yTicks),
  }
  const color = {
    field: 's',
    type: 'nominal',
    scale: { domain: strong.map((one) => one.name), range: strong.map((one) => one.color) },
    legend: null,
  }
  return { x, y, color }
}

type Domain = readonly [low: number, high: number]
type Encoding = ReturnType<typeof encodeLines>

/** The visible segments of the highlighted series: split at gaps, with partial buckets separate. */
function cutAtGaps(
  input: ChartInput,
  { along, parts, isArea, isSingle, hasPartial }: Lines,
  strong: DrawnSeries[],
) {
  const bucket =
    along.kind === 'time' && parts.x !== undefined ? findDateBucket(input.output.schema[parts.x]) : undefined
  // A missing value of a stacked area counts as zero: the areas below continue.
  const segments = strong.map((one) => splitAtGaps(one.points, isArea && !isSingle ? undefined : bucket))
  const hasGaps = segments.some((points) => points.some(({ part }) => part > 0))
  const points = hasGaps ? segments.flat() : strong.flatMap((one) => one.points)
  const steps = hasPartial
    ? strong.flatMap(({ name, points }, at) => partialSteps(name, hasGaps ? (segments[at] ?? []) : points))
    : []
  return {
    points,
    whole: points.filter((point) => !point.partial),
    steps,
    apart: hasGaps ? { detail: { field: 'part', type: 'nominal' } } : {},
    /** Points isolated by gaps, which no line shows. */
    alone: hasGaps ? segments.flatMap(isolatedPoints) : [],
  }
}

type TimeShapes = ReturnType<typeof cutAtGaps>

const step = { field: 'step', type: 'nominal' }
const line = {
  type: 'line',
  interpolate: 'linear',
  strokeJoin: 'round',
  strokeCap: 'round',
  aria: false,
  tooltip: null,
}

function areaLayers(
  { whole, steps, apart }: TimeShapes,
  { x, y, color }: Encoding,
  isSingle: boolean,
): unknown[] {
  const area = { type: 'area', aria: false, tooltip: null }
  const layers: unknown[] = [
    {
      data: { values: whole },
      mark: {
        ...{ ...area, fillOpacity: isSingle ? 0.2 : 0.92 },
        ...(isSingle ? {} : { stroke: tokenColour('--chart-surface'), strokeWidth: 0.6 }),
      },
      encoding: { x, y, y2: { field: 'low' }, color, ...apart },
    },
  ]
  if (steps.length > 0) {
    layers.push({
      data: { values: steps },
      mark: { ...area, fillOpacity: isSingle ? 0.08 : 0.4 },
      encoding: { x, y, y2: { field: 'low' }, color, detail: step },
    })
  }
  return layers
}

function lineLayers(
  { whole, steps, apart }: TimeShapes,
  { x, y, color }: Encoding,
  strokeWidth: number,
): unknown[] {
  const layers: unknown[] = [
    {
      data: { values: whole },
      mark: { ...line, strokeWidth },
      encoding: { x, y, color, ...apart },
    },
  ]
  if (steps.length > 0) {
    layers.push({
      data: { values: steps },
      mark: { ...line, strokeWidth, strokeDash: [3, 4] },
      encoding: { x, y, color, detail: step },
    })
  }
  return layers
}

/** Marked points: at `ends`, isolated ones, and partial ones as rings. */
function pointLayers(shapes: TimeShapes, { x, y, color }: Encoding, ends: Band[]): unknown[] {
  const layers: unknown[] = []
  const hollow = shapes.points.filter((point) => point.partial)
  if (hollow.length > 0) {
    layers.push({
      data: { values: hollow },
      mark: {
        ...{
          type: 'point',
          filled: false,
          fill: tokenColour('--chart-surface'),
          strokeWidth: 1.75,
          size: 38,
        },
        ...{ opacity: 1, aria: false, tooltip: null },
      },
      encoding: { x, y, color },
    })
  }
  const marks = [...new Set([...ends, ...shapes.alone])]
  layers.push({
    data: { values: marks.filter((point) => !point.partial) },
    mark: { type: 'point', filled: true, size: 38, opacity: 1, aria: false, tooltip: null },
    encoding: { x, y, color },
  })
  return layers
}

function mutedLayer(points: Band[], { x, y }: Encoding) {
  return {
    data: { values: points },
    mark: { ...line, strokeWidth: 1, stroke: tokenColour('--chart-muted'), opacity: 0.35 },
    encoding: { x, y, detail: { field: 's', type: 'nominal' } },
  }
}

/** Shows the value of the point nearest to the pointer. */
function hoverLayer({ points }: TimeShapes, { x, y, color }: Encoding) {
  return {
    name: 'hover',
    data: { values: points.filter((point) => point.tip !== '') },
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
  }
}

/** The spec of a line or area chart: series are labelled at their ends if there is room, otherwise above the chart. */
export function timeSeriesSpec(input: ChartInput): TopLevelSpec | null {
  const lines = readLines(input)
  if (!lines) return null
  const { along, lines: all, points, isArea, isSingle } = lines
  const yTicks = makeHeightTicks(input, lines)
  const domain: Domain = [yTicks[0]?.value ?? 0, yTicks.at(-1)?.value ?? 1]
  const last = findLastValue(input, lines, yTicks)
  const { labelled, isDirect, labelWidth, layout } = placeLines(input, lines, yTicks, last?.text ?? '')
  const { height, width } = layout.plot
  const yAt = (value: number) => height - ((value - domain[0]) / (domain[1] - domain[0])) * height
  const xs = points.map((point) => point.x)
  const xTicks = ticksAlong(input, along, lines.parts.x, xs, width)
  const strong = all.filter((one) => one.color !== tokenColour('--chart-muted') || isArea)
  const encoding = encodeLines(along.kind === 'time', xTicks, yTicks, domain, strong)
  const shapes = cutAtGaps(input, lines, strong)

  const layers: unknown[] = []
  const muted = all.filter((one) => !strong.includes(one)).flatMap((one) => one.points)
  if (muted.length > 0) layers.push(mutedLayer(muted, encoding))
  if (isArea) layers.push(...areaLayers(shapes, encoding, isSingle))
  if (!isArea || isSingle) {
    const isDense = points.length / all.length > width
    const single = strong.filter((one) => one.points.length === 1).flatMap((one) => one.points)
    const ends = isDirect || isSingle ? strong.flatMap((one) => one.points.slice(-1)) : single
    layers.push(...lineLayers(shapes, encoding, isDense ? 1.2 : 2.25), ...pointLayers(shapes, encoding, ends))
  }
  if (isDirect) layers.push(...endLabels(labelled, isArea, yAt, labelWidth, layout.plot))
  if (last) {
    const row = { x: width + 9, y: yAt(last.point.high), text: last.text }
    layers.push(textLayer([row], { fontWeight: 600 }))
  }
  layers.push(hoverLayer(shapes, encoding))
  return sheet(input, layout, layers as Layer[])
}

/** The segments between partial points and their neighbours, drawn dashed; none over a gap. */
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
  labelled: DrawnSeries[],
  isArea: boolean,
  yAt: (value: number) => number,
  labelWidth: number,
  plot: { width: number; height: number },
): Layer[] {
  const wantedTops = labelled.map((one) => {
    const end = one.points.at(-1)
    if (!end) return 0
    return yAt(isArea ? (end.low + end.high) / 2 : end.high)
  })
  const tops = spread(wantedTops, 17, plot.height)
  const shape = isArea ? 'square' : 'circle'
  return [
    swatchLayer(
      labelled.map((one, at) => ({ x: plot.width + 14, y: tops[at] ?? 0, color: one.color, shape })),
      { size: isArea ? 80 : 50 },
    ),
    textLayer(
      labelled.map((one, at) => ({
        x: plot.width + 23,
        y: tops[at] ?? 0,
        text: fitText(one.name, textSize, labelWidth + 1),
      })),
    ),
  ]
}
