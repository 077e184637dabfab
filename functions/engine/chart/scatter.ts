import type { TopLevelSpec } from 'vega-lite'
import { axisTitle, formatValue } from './format.ts'
import { gridAxis, isNarrow, layOut, sheet, haloLayers, textLayer, textSize, widest } from './frame.ts'
import type { ChartInput, Layer } from './frame.ts'
import { categorical, tokenColour } from './palette.ts'
import { getPhrases } from './phrases.ts'
import { assignRoles } from './roles.ts'
import { fitText, textWidth } from './text-width.ts'
import { roundNumbers } from './ticks.ts'
import type { Tick } from './ticks.ts'
import { formatOptions, measureTitle, toNumber, numberTicks } from './measure.ts'

interface Dot {
  x: number
  y: number
  s: string
  area: number
  name: string
  tip: string
}

function buildDots(input: ChartInput): Dot[] {
  const { x, y, color, size, label } = assignRoles(input.visualization, input.output)
  if (x === undefined || y === undefined) return []
  const { schema } = input.output
  const options = formatOptions(input)
  const dots: Dot[] = []
  for (const row of input.rows) {
    const [atX, atY] = [toNumber(row[x]), toNumber(row[y])]
    if (atX === null || atY === null) continue
    const name = label === undefined ? '' : formatValue(row[label], schema[label], options)
    const values = [x, y, ...(size === undefined ? [] : [size])].map(
      (alias) => `${schema[alias]?.name ?? alias} ${formatValue(row[alias], schema[alias], options)}`,
    )
    dots.push({
      x: atX,
      y: atY,
      s: color === undefined ? '' : formatValue(row[color], schema[color], options),
      area: size === undefined ? 0 : Math.max(0, toNumber(row[size]) ?? 0),
      name,
      tip: `${name === '' ? '' : `${name}: `}${values.join(', ')}`,
    })
  }
  // Small circles are drawn over large ones
  return dots.sort((a, b) => b.area - a.area)
}

const extent = (values: number[]): [number, number] => {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  // An axis starts at zero where that costs less than a third of it
  return [low > 0 && low < high * 0.33 ? 0 : low, high]
}

// Labels for the most notable dots (the largest, otherwise the outermost), without overlaps and overflow
function namesBeside(
  dots: Dot[],
  at: (dot: Dot) => { x: number; y: number; radius: number },
  width: number,
): Layer[] {
  const middle = { x: 0, y: 0 }
  for (const dot of dots) {
    middle.x += at(dot).x / dots.length
    middle.y += at(dot).y / dots.length
  }
  const weight = (dot: Dot) => dot.area || Math.hypot(at(dot).x - middle.x, at(dot).y - middle.y)
  const occupied: { x: number; y: number; right: number }[] = []
  const rows: { x: number; y: number; text: string }[] = []
  for (const dot of [...dots].sort((a, b) => weight(b) - weight(a)).slice(0, 40)) {
    if (rows.length >= 7 || dot.name === '' || dot.name === '–') continue
    const { x, y, radius } = at(dot)
    const text = fitText(dot.name, textSize - 1, 120)
    const left = x + radius + 4
    const right = left + textWidth(text, textSize - 1)
    const isTaken = occupied.some(
      (other) => Math.abs(other.y - y) < 16 && left < other.right + 6 && right > other.x - 6,
    )
    if (right > width || isTaken) continue
    occupied.push({ x: left, y, right })
    rows.push({ x: left, y, text })
  }
  return haloLayers(rows, { fontSize: textSize - 1 })
}

/** The spec of points by two measures, with colour by category (eight at most, others muted) and area by a third. */
export function scatterSpec(input: ChartInput): TopLevelSpec | null {
  const dots = buildDots(input)
  if (dots.length === 0) return null
  const parts = assignRoles(input.visualization, input.output)
  const field = (alias: string | undefined) => (alias === undefined ? undefined : input.output.schema[alias])
  const narrow = isNarrow(input)
  const [lowX, highX] = extent(dots.map((dot) => dot.x))
  const [lowY, highY] = extent(dots.map((dot) => dot.y))
  const yTicks = numberTicks(roundNumbers(lowY, highY, narrow ? 4 : 6), field(parts.y), input)
  const xTicks = numberTicks(roundNumbers(lowX, highX, narrow ? 4 : 7), field(parts.x), input)
  const counts = new Map<string, number>()
  for (const dot of dots) counts.set(dot.s, (counts.get(dot.s) ?? 0) + 1)
  const names = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, 8)
  const colors = names.map((_, at) => categorical[at] ?? tokenColour('--chart-muted'))
  const keys = names.map((name, at) => ({ name, color: colors[at] ?? '', shape: 'circle' as const }))
  const rest = {
    name: getPhrases(input.locale).other,
    color: tokenColour('--chart-muted'),
    shape: 'circle' as const,
  }
  const heading = measureTitle(field(parts.y), input)
  const layout = layOut(input, {
    heading: parts.size ? getPhrases(input.locale).circlesBy(heading, axisTitle(field(parts.size))) : heading,
    keys: counts.size > 8 ? [...keys, rest] : counts.size > 1 ? keys : [],
    left: widest(yTicks) + 10,
    right: 20,
    bottom: 48,
  })
  const { width, height } = layout.plot
  const mostArea = Math.max(...dots.map((dot) => dot.area))
  const fullArea = narrow ? 800 : 1800
  const size = dots.length > 2000 ? 10 : dots.length > 400 ? 18 : dots.length > 100 ? 32 : 46
  const bounds = (ticks: Tick[]) => [ticks[0]?.value ?? 0, ticks.at(-1)?.value ?? 1] as const
  const [x0, x1] = bounds(xTicks)
  const [y0, y1] = bounds(yTicks)
  const rows = dots.map((dot) => ({
    ...dot,
    color: colors[names.indexOf(dot.s)] ?? tokenColour('--chart-muted'),
    area: mostArea > 0 ? Math.max(20, (dot.area / mostArea) * fullArea) : size,
  }))
  const placeDot = (dot: Dot) => ({
    x: ((dot.x - x0) / (x1 - x0)) * width,
    y: height - ((dot.y - y0) / (y1 - y0)) * height,
    radius: Math.sqrt(dot.area / Math.PI),
  })
  const axis = (field: string, domain: readonly [number, number], ticks: Tick[]) => ({
    field,
    type: 'quantitative',
    scale: { domain, nice: false, zero: false },
    axis: gridAxis(ticks),
  })
  const layers: unknown[] = [
    dotLayer(rows, axis('x', [x0, x1], xTicks), axis('y', [y0, y1], yTicks)),
    textLayer(
      [{ x: width, y: height + 38, text: fitText(axisTitle(field(parts.x)), textSize, width, true) }],
      {
        align: 'right',
        fontWeight: 600,
      },
    ),
  ]
  const isNamed = parts.label !== undefined && (dots.length <= 60 || mostArea > 0)
  if (isNamed) layers.push(...namesBeside(rows, placeDot, width))
  return sheet(input, layout, layers as Layer[])
}

type DrawnDot = Dot & { color: string }

/** The circles, fainter where there are many, with a highlight under the pointer. */
function dotLayer(dots: DrawnDot[], x: Record<string, unknown>, y: Record<string, unknown>) {
  const isDense = dots.length > 400
  const fillOpacity = isDense ? 0.5 : 0.75
  return {
    data: { values: dots.map(({ name: _, s: __, ...row }) => row) },
    params: [{ name: 'near', select: { type: 'point', on: 'pointerover', clear: 'pointerout' } }],
    mark: {
      type: 'point',
      shape: 'circle',
      filled: true,
      opacity: 1,
      fillOpacity,
      strokeWidth: isDense ? 0 : 0.75,
      strokeOpacity: 1,
      aria: false,
    },
    encoding: {
      x,
      y,
      fill: { field: 'color', type: 'nominal', scale: null, legend: null },
      stroke: { value: tokenColour('--chart-surface') },
      size: { field: 'area', type: 'quantitative', scale: null, legend: null },
      fillOpacity: {
        condition: { param: 'near', empty: false, value: 1 },
        value: fillOpacity,
      },
      tooltip: { field: 'tip', type: 'nominal' },
    },
  }
}
