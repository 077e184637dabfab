import type { TopLevelSpec } from 'vega-lite'
import { hover } from './bar-parts.ts'
import { formatValue, getFieldUnit, axisTitle } from './format.ts'
import { gridAxis, isNarrow, labelExpr, layOut, sheet, textLayer, textSize, widest } from './frame.ts'
import type { ChartInput, Layer } from './frame.ts'
import { tokenColour } from './palette.ts'
import { getPhrases } from './phrases.ts'
import { assignRoles } from './roles.ts'
import { roundNumbers } from './ticks.ts'
import { formatOptions, getCountNoun, toNumber, numberTicks } from './measure.ts'
import { formatTooltip } from './series.ts'

/** A bar of a histogram: the number of values from `low` to `high`. */
interface Bin {
  low: number
  high: number
  count: number
}

/**
 * The bins of an answer, ascending: its own groups where it is grouped, otherwise counts between round numbers (about as
 * many as by Sturges' rule, at most 30). The last bin includes its upper end.
 */
export function computeBins(input: ChartInput): Bin[] {
  const { x, y } = assignRoles(input.visualization, input.output)
  if (x === undefined) return []
  if (y !== undefined) {
    const counts = new Map<number, number>()
    for (const row of input.rows) {
      const at = toNumber(row[x])
      if (at !== null) counts.set(at, (counts.get(at) ?? 0) + (toNumber(row[y]) ?? 0))
    }
    const places = [...counts.keys()].sort((a, b) => a - b)
    const gaps = places.slice(1).map((place, at) => place - (places[at] ?? 0))
    const step = gaps.length > 0 ? Math.min(...gaps) : 1
    return places.map((low) => ({ low, high: low + step, count: counts.get(low) ?? 0 }))
  }
  const values = input.rows.map((row) => toNumber(row[x])).filter((value) => value !== null)
  if (values.length === 0) return []
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const binCount = Math.min(30, Math.max(6, Math.ceil(Math.log2(values.length) * 1.8)))
  const edges = roundNumbers(low, high, binCount)
  const bins = edges.slice(1).map((edge, at) => ({ low: edges[at] ?? 0, high: edge, count: 0 }))
  const step = (edges[1] ?? 1) - (edges[0] ?? 0)
  for (const value of values) {
    const bin = bins[Math.min(bins.length - 1, Math.floor((value - (edges[0] ?? 0)) / step + 1e-9))]
    if (bin) bin.count += 1
  }
  return bins
}

/** The spec of a histogram: adjacent bars, counts on y, the measure with its unit below. */
export function histogramSpec(input: ChartInput): TopLevelSpec | null {
  const bins = computeBins(input)
  const parts = assignRoles(input.visualization, input.output)
  const first = bins[0]
  const last = bins.at(-1)
  if (!first || !last) return null
  const xField = parts.x === undefined ? undefined : input.output.schema[parts.x]
  const yField = parts.y === undefined ? undefined : input.output.schema[parts.y]
  const narrow = isNarrow(input)
  const yTicks = numberTicks(
    roundNumbers(0, Math.max(...bins.map((bin) => bin.count)), narrow ? 4 : 5, true),
    yField,
    input,
  )
  const layout = layOut(input, {
    heading: yField ? axisTitle(yField) : getPhrases(input.locale).count,
    left: widest(yTicks) + 10,
    right: 16,
    bottom: 48,
  })
  const { width, height } = layout.plot
  const count = Math.max(2, Math.floor(width / 70))
  const inside = roundNumbers(first.low, last.high, count).filter(
    (value) => value >= first.low && value <= last.high,
  )
  const xTicks = numberTicks(inside, xField, input)
  const options = { ...formatOptions(input), unit: '' }
  const noun = parts.y === undefined ? getPhrases(input.locale).count : getCountNoun(parts.y, input)
  const rows = bins.map((bin) => ({
    ...bin,
    zero: 0,
    tip: formatTooltip(
      '',
      `${formatValue(bin.low, xField, options)} – ${formatValue(bin.high, xField, options)} ${getFieldUnit(xField)}`.trim(),
      formatValue(bin.count, yField, options),
      noun,
    ),
  }))
  const x = {
    field: 'low',
    type: 'quantitative',
    scale: { domain: [first.low, last.high], nice: false, zero: false },
    axis: {
      values: xTicks.map((tick) => tick.value),
      labelExpr: labelExpr(xTicks),
      ticks: true,
      tickSize: 5,
      labelPadding: 4,
      domain: true,
    },
  }
  const y = {
    field: 'zero',
    type: 'quantitative',
    scale: { domain: [0, yTicks.at(-1)?.value ?? 1], nice: false },
    axis: gridAxis(yTicks),
  }
  const layers: unknown[] = [
    binLayer(rows, { x, y }, width / bins.length > 4 ? 1 : 0),
    textLayer([{ x: width, y: height + 38, text: axisTitle(xField) }], {
      align: 'right',
      fontWeight: 600,
      fontSize: textSize,
    }),
  ]
  return sheet(input, layout, layers as Layer[])
}

/** The bars, `gap` pixels apart. */
function binLayer(rows: object[], { x, y }: Record<'x' | 'y', unknown>, gap: number) {
  return {
    data: { values: rows },
    params: hover.params,
    mark: {
      type: 'rect',
      fill: tokenColour('--cat-1'),
      opacity: 1,
      aria: false,
      xOffset: gap / 2,
      x2Offset: -gap / 2,
    },
    encoding: {
      x,
      x2: { field: 'high' },
      y,
      y2: { field: 'count' },
      opacity: hover.opacity,
      tooltip: { field: 'tip', type: 'nominal' },
    },
  }
}
