import type { TopLevelSpec } from 'vega-lite'
import type { OutputField } from '#functions/shapes/analytics.ts'
import {
  barMark,
  buildBars,
  buildColorEncoding,
  hover,
  isStacked,
  partialOpacity,
  pixels,
} from './bar-parts.ts'
import type { Bar } from './bar-parts.ts'
import { gridAxis, isNarrow, layOut, sheet, textLayer, textSize, widest } from './frame.ts'
import type { ChartInput, Key, Layer } from './frame.ts'
import { findDateBucket, computeNextBucketStart } from './local-time.ts'
import { tokenColour } from './palette.ts'
import { getPhrases } from './phrases.ts'
import type { Roles } from './roles.ts'
import type { XAxis, Series } from './series.ts'
import { textWidth } from './text-width.ts'
import { roundNumbers, timeTicks } from './ticks.ts'
import type { Tick } from './ticks.ts'
import { dateLocaleIn } from './date-format.ts'
import { numberTicks, formatMeasure, computeSharedDecimals } from './measure.ts'

// The distance between columns: the bucket of the dates, or the smallest step between neighbours
function spacing(places: number[], along: XAxis, bucket: ReturnType<typeof findDateBucket>): number {
  if (along.kind === 'category') return 1
  if (along.kind === 'time' && bucket) {
    const gaps = places.map((place) => computeNextBucketStart(place, bucket) - place)
    return Math.max(...gaps)
  }
  const gaps = places.slice(1).map((place, at) => place - (places[at] ?? 0))
  return gaps.length > 0 ? Math.min(...gaps) : along.kind === 'time' ? 86_400_000 : 1
}

/** The spec of upright bars: along time and numbers with an axis, for a few categories with the values above them. */
export function columnsSpec(
  input: ChartInput,
  parts: Roles,
  along: XAxis,
  series: Series[],
  heading: string,
): TopLevelSpec {
  const { schema } = input.output
  const yField = parts.y === undefined ? undefined : schema[parts.y]
  const xField = parts.x === undefined ? undefined : schema[parts.x]
  const narrow = isNarrow(input)
  const isSingle = series.length === 1
  const stacked = isStacked(input, series)
  const bars = buildBars(series, stacked)
  const places = [...new Set(bars.map((bar) => bar.at))].sort((a, b) => a - b)
  const bucket = findDateBucket(xField)
  const step = spacing(places, along, bucket)
  const first = (places[0] ?? 0) - step / 2
  const last = (places.at(-1) ?? 0) + step / 2
  const heights = bars.map((bar) => bar.high)
  const hasPartial = bars.some((bar) => bar.partial)
  const isWhole = yField?.measurement?.type !== 'percentage' && heights.every(Number.isInteger)
  const yTicks = numberTicks(
    roundNumbers(Math.min(0, ...heights), Math.max(0, ...heights), narrow ? 4 : 5, isWhole),
    yField,
    input,
  )
  // A few columns have labels instead of an axis
  const texts = rowsText(input, yField, bars)
  const hasValueLabels =
    isSingle &&
    along.kind === 'category' &&
    texts.every((text) => textWidth(text, textSize) < (narrow ? 300 : 600) / places.length - 4)
  const left = hasValueLabels ? 0 : widest(yTicks) + 10
  const layout = layOut(input, {
    heading,
    keys: [
      ...(isSingle ? [] : series.map(({ name, color }) => ({ name, color }))),
      ...(hasPartial ? [partialKey(input, isSingle ? series[0]?.color : undefined)] : []),
    ],
    left,
    bottom: along.kind === 'time' ? 42 : hasValueLabels && Math.min(...heights) < 0 ? 44 : 28,
  })
  const { width, height } = layout.plot
  const unit = width / (last - first)
  const slot = step * unit
  const xAt = (value: number) => (value - first) * unit
  const rows = placeColumns(bars, series, stacked, slot, xAt)
  const ticks = columnTicks(input, along, places, { first, last, slot, width, alias: parts.x, bucket })
  // Without an axis the tallest bar may reach the top, where its value needs a line
  const top = hasValueLabels ? Math.max(0, ...heights) * 1.06 || 1 : (yTicks.at(-1)?.value ?? 1)
  const bottom = hasValueLabels ? Math.min(0, ...heights) : (yTicks[0]?.value ?? 0)
  const yAt = (value: number) => height - ((value - bottom) / (top - bottom)) * height
  const y = {
    field: 'low',
    type: 'quantitative',
    scale: { domain: [bottom, top], nice: false },
    axis: hasValueLabels ? null : gridAxis(yTicks),
  }
  const layers: unknown[] = [
    columnLayer(rows, series, { y, stacked, hasPartial }),
    {
      data: { values: [{ y: yAt(0), x: 0, x2: width }] },
      mark: { type: 'rule', stroke: tokenColour('--chart-axis'), strokeWidth: 1, aria: false, tooltip: null },
      encoding: { x: pixels('x'), x2: { field: 'x2' }, y: pixels('y') },
    },
    textLayer(
      ticks.flatMap(({ value, label }) =>
        [label].flat().map((text, line) => ({ x: xAt(value), y: height + 14 + line * 16, text })),
      ),
      { align: 'center', fill: tokenColour('--chart-muted') },
    ),
  ]
  if (hasValueLabels) layers.push(valueLayer(rows, texts, yAt))
  return sheet(input, layout, layers as Layer[])
}

/** The horizontal position of each bar: in the slot of its category and the lane of its series. */
function placeColumns(
  bars: Bar[],
  series: Series[],
  stacked: boolean,
  slot: number,
  xAt: (value: number) => number,
) {
  const lanes = stacked ? 1 : series.length
  const gap = slot > 8 ? Math.min(14, slot * 0.22) : slot > 3 ? 1 : 0
  const lane = (slot - gap) / lanes
  return bars.map((bar) => {
    const index = stacked ? 0 : series.findIndex((one) => one.name === bar.s)
    const x = xAt(bar.at) - slot / 2 + gap / 2 + index * lane
    return { ...bar, x, x2: x + lane - (lanes > 1 && lane > 6 ? 1 : 0) }
  })
}

type PlacedBar = ReturnType<typeof placeColumns>[number]

interface ColumnLook {
  /** The encoding of heights. */
  y: Record<string, unknown>
  stacked: boolean
  hasPartial: boolean
}

function columnLayer(rows: PlacedBar[], series: Series[], { y, stacked, hasPartial }: ColumnLook) {
  return {
    data: { values: rows },
    params: hover.params,
    mark: barMark(stacked),
    encoding: {
      x: pixels('x'),
      x2: { field: 'x2' },
      y,
      y2: { field: 'high' },
      color: buildColorEncoding(series),
      opacity: hover.opacity,
      ...(hasPartial && {
        fillOpacity: { condition: { test: 'datum.partial', value: partialOpacity }, value: 1 },
      }),
      tooltip: { field: 'tip', type: 'nominal' },
    },
  }
}

/** The label of each bar, above it, or below a negative one. */
function valueLayer(rows: PlacedBar[], texts: string[], yAt: (value: number) => number): Layer {
  const above = rows.map((row, at) => ({
    x: (row.x + row.x2) / 2,
    y: yAt(row.high) + (row.high < 0 ? 10 : -10),
    text: texts[at] ?? '',
  }))
  return textLayer(above, { align: 'center' })
}

/** The key for lighter bars of partially covered buckets. */
const partialKey = ({ locale }: ChartInput, color = tokenColour('--chart-muted')): Key => ({
  ...{ name: getPhrases(locale).partial, color, opacity: partialOpacity },
})

function rowsText(input: ChartInput, field: OutputField | undefined, bars: Bar[]): string[] {
  const values = bars.map((bar) => bar.high)
  const decimals = computeSharedDecimals(values, field)
  return values.map((value) => formatMeasure(value, field, input, { compact: isNarrow(input), decimals }))
}

interface Span {
  first: number
  last: number
  slot: number
  width: number
  alias: string | undefined
  bucket: ReturnType<typeof findDateBucket>
}

function columnTicks(input: ChartInput, along: XAxis, places: number[], span: Span): Tick[] {
  const count = Math.max(2, Math.floor(span.width / (isNarrow(input) ? 48 : 64)))
  if (along.kind === 'category') return along.categories.map((label, value) => ({ value, label }))
  if (along.kind === 'time') {
    const rows = timeTicks(places[0] ?? 0, places.at(-1) ?? 0, count, dateLocaleIn(input), span.bucket)
    return rows
  }
  const field = span.alias === undefined ? undefined : input.output.schema[span.alias]
  const labels = numberTicks(places, field, input)
  const needs = widest(labels) + 8
  const every = Math.max(1, Math.ceil(needs / span.slot))
  return labels.filter((_, at) => at % every === 0)
}
