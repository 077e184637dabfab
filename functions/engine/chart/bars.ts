import type { TopLevelSpec } from 'vega-lite'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { barMark, buildBars, buildColorEncoding, hover, isStacked, restLook, pixels } from './bar-parts.ts'
import type { Bar } from './bar-parts.ts'
import { columnsSpec } from './columns.ts'
import { gridAxis, haloLayers, isNarrow, layOut, sheet, textLayer, textSize } from './frame.ts'
import type { ChartInput, Layer } from './frame.ts'
import { tokenColour } from './palette.ts'
import { getPhrases } from './phrases.ts'
import { assignRoles } from './roles.ts'
import { buildBarSeries, type BarSeries } from './merge-bars.ts'
import type { Series } from './series.ts'
import { fitText, textWidth } from './text-width.ts'
import { roundNumbers } from './ticks.ts'
import { measureTitle, numberTicks, formatMeasure, computeSharedDecimals } from './measure.ts'

/** The heading: the measure, and the number of bars where some are left out. */
function barsHeading(
  field: OutputField | undefined,
  input: ChartInput,
  { along, order, others }: BarSeries,
): string {
  const title = measureTitle(field, input)
  const { firstPartTitle, about } = getPhrases(input.locale)
  const formatNumber = (n: number) => new Intl.NumberFormat(input.locale).format(n)
  const { total, estimated, skipped, groupings } = input.output
  if (along.kind === 'category' && total !== undefined && groupings.length === 1 && skipped === undefined)
    return firstPartTitle(
      title,
      formatNumber(order.length),
      estimated ? about(formatNumber(total)) : formatNumber(total),
    )
  const all = along.categories.length
  return others || order.length === all
    ? title
    : firstPartTitle(title, formatNumber(order.length), formatNumber(all))
}

/**
 * The spec of a bar chart: columns for time and a few short names, otherwise rows with names. Bars start at zero; a
 * single series has value labels instead of an axis.
 */
export function barsSpec(input: ChartInput): TopLevelSpec | null {
  const parts = assignRoles(input.visualization, input.output)
  const seriesOfBars = buildBarSeries(input, parts)
  const { along, series, order, others } = seriesOfBars
  const field = parts.y === undefined ? undefined : input.output.schema[parts.y]
  if (series.length === 0) return null
  const heading = withSeriesLeft(barsHeading(field, input, seriesOfBars), input, seriesOfBars)
  const columnWidth = (isNarrow(input) ? 300 : 560) / Math.max(1, along.categories.length)
  const fits = along.categories.every((name) => textWidth(name, textSize) <= columnWidth - 8)
  if (along.kind !== 'category' || (along.categories.length <= 8 && fits)) {
    return columnsSpec(input, parts, along, series, heading)
  }
  const names = [...order.map((at) => along.categories[at] ?? ''), ...(others ? [others.name] : [])]
  const place = new Map([...order, ...(others ? [others.place] : [])].map((at, index) => [at, index]))
  const stacked = isStacked(input, series)
  const bars = buildBars(series, stacked)
    .filter((bar) => place.has(bar.at))
    .map((bar) => ({ ...bar, at: place.get(bar.at) ?? 0 }))
    .map((bar) => (bar.rest && others?.isDrawn === false ? { ...bar, high: 0, labelValue: bar.high } : bar))
  return rowsSpec(input, names, bars, series, stacked, { heading, field })
}

function withSeriesLeft(heading: string, input: ChartInput, { series, seriesLeft }: BarSeries): string {
  if (seriesLeft === 0) return heading
  return getPhrases(input.locale).seriesPartTitle(heading, series.length, series.length + seriesLeft)
}

const createPlainLayers = (rows: Parameters<typeof textLayer>[0]) => [textLayer(rows)]

function rowsSpec(
  input: ChartInput,
  names: string[],
  bars: Bar[],
  series: Series[],
  stacked: boolean,
  { heading, field }: { heading: string; field: OutputField | undefined },
): TopLevelSpec {
  const isSingle = series.length === 1
  const narrow = isNarrow(input)
  const look = measureRows(input, names, series, stacked)
  const { isAbove, nameWidth, rowHeight } = look
  const decimals = computeSharedDecimals(
    bars.map((bar) => bar.labelValue ?? bar.high),
    field,
  )
  const values = bars.map((bar) =>
    formatMeasure(bar.labelValue ?? bar.high, field, input, { compact: narrow, decimals }),
  )
  const lows = Math.min(0, ...bars.map((bar) => bar.high))
  const highs = Math.max(0, ...bars.map((bar) => bar.high))
  const ticks = numberTicks(roundNumbers(lows, highs, narrow ? 3 : 5), field, input)
  const valueWidth = isSingle ? Math.max(...values.map((text) => textWidth(text, textSize))) + 8 : 12
  const layout = layOut(input, {
    heading,
    keys: isSingle ? [] : series.map(({ name, color }) => ({ name, color })),
    left:
      nameWidth === 0
        ? lows < 0
          ? valueWidth
          : isSingle
            ? 0
            : 6
        : nameWidth + 12 + (lows < 0 && isSingle ? valueWidth : 0),
    right: isSingle ? valueWidth + 4 : 24,
    bottom: isSingle ? 4 : 28,
    plotHeight: names.length * rowHeight,
  })
  const domain = isSingle
    ? [lows, highs === lows ? lows + 1 : highs]
    : [ticks[0]?.value ?? 0, ticks.at(-1)?.value ?? 1]
  const unit = layout.plot.width / ((domain[1] ?? 1) - (domain[0] ?? 0))
  const xAt = (value: number) => (value - (domain[0] ?? 0)) * unit
  const rows = placeRows(bars, series, look)
  const encoding = {
    x: {
      field: 'low',
      type: 'quantitative',
      scale: { domain, nice: false },
      axis: isSingle ? null : gridAxis(ticks, { orient: 'bottom', zindex: 0 }),
    },
    x2: { field: 'high' },
    y: pixels('y'),
    y2: { field: 'y2' },
    color: buildColorEncoding(series),
  }
  const layers: unknown[] = [
    ...barLayers(rows, encoding, stacked),
    (!isAbove || lows < 0) && {
      data: { values: [{ x: xAt(0), y: 0, y2: layout.plot.height }] },
      mark: { type: 'rule', stroke: tokenColour('--chart-axis'), strokeWidth: 1, aria: false, tooltip: null },
      encoding: { x: pixels('x'), y: pixels('y'), y2: { field: 'y2' } },
    },
    ...nameLayers(input, names, look, layout.padding.left),
  ]
  if (isSingle) layers.push(...valueLayers(rows, values, xAt))
  return sheet(input, layout, layers.filter(Boolean) as Layer[])
}

/** The layout of rows: the thickness of bars, and whether names are above or before them. */
function measureRows(input: ChartInput, names: string[], series: Series[], stacked: boolean) {
  const narrow = isNarrow(input)
  const widestName = Math.max(...names.map((name) => textWidth(name, textSize)))
  // On a phone a long name is above its bar, since there is no room beside it
  const isAbove = narrow && widestName > 110
  const nameWidth = isAbove ? 0 : Math.min(widestName, narrow ? 110 : 240)
  const isOnePerRow = series.length === 1 || stacked
  const perRow = isOnePerRow ? 1 : series.length
  const thickness = isOnePerRow ? 18 : 12
  const rowHeight = perRow * thickness + (isAbove ? 24 : 9)
  return { isAbove, nameWidth, perRow, thickness, rowHeight, isOnePerRow }
}

type RowsLook = ReturnType<typeof measureRows>

/** The position of each bar: in the row of its category and the lane of its series. */
function placeRows(bars: Bar[], series: Series[], look: RowsLook) {
  const { isAbove, perRow, thickness, rowHeight, isOnePerRow } = look
  const top = isAbove ? 17 : 4.5
  return bars.map((bar) => {
    const lane = isOnePerRow ? 0 : series.findIndex((one) => one.name === bar.s)
    const y = bar.at * rowHeight + top + lane * thickness
    return { ...bar, y, y2: y + thickness - (perRow > 1 ? 1 : 0) }
  })
}

type PlacedBar = ReturnType<typeof placeRows>[number]

const tooltip = { field: 'tip', type: 'nominal' }

function barLayers(rows: PlacedBar[], encoding: Record<string, unknown>, stacked: boolean): unknown[] {
  // A row that only has a label is not a bar.
  const rest = rows.filter((row) => row.rest && row.labelValue === undefined)
  return [
    {
      data: { values: rows.filter((row) => !row.rest) },
      params: hover.params,
      mark: barMark(stacked),
      encoding: { ...encoding, opacity: hover.opacity, tooltip },
    },
    rest.length > 0 && {
      data: { values: rest },
      mark: { type: 'rect', opacity: 1, aria: false, ...restLook },
      encoding: { ...encoding, stroke: encoding.color, tooltip },
    },
  ]
}

function nameLayers(input: ChartInput, names: string[], look: RowsLook, left: number): Layer[] {
  const { isAbove, nameWidth, rowHeight } = look
  return (isAbove ? haloLayers : createPlainLayers)(
    names.map((name, at) => ({
      x: -left,
      y: isAbove ? at * rowHeight + 8 : at * rowHeight + rowHeight / 2,
      text: fitText(name, textSize, isAbove ? (input.width ?? 340) : nameWidth + 1),
    })),
  )
}

/** The value of each bar at its end, `xAt` a value. */
function valueLayers(rows: PlacedBar[], values: string[], xAt: (value: number) => number): Layer[] {
  const label = (isNegative: boolean) =>
    rows
      .map((row, index) => ({ row, text: values[index] ?? '' }))
      .filter(({ row }) => row.high < 0 === isNegative)
      .map(({ row, text }) => ({
        x: xAt(row.high) + (isNegative ? -6 : 6),
        y: (row.y + row.y2) / 2,
        text,
      }))
  const layers = [textLayer(label(false), { fill: tokenColour('--chart-muted') })]
  if (rows.some((row) => row.high < 0))
    layers.push(textLayer(label(true), { fill: tokenColour('--chart-muted'), align: 'right' }))
  return layers
}
