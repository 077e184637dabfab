import type { TopLevelSpec } from 'vega-lite'
import { hover } from './bar-parts.ts'
import { formatValue } from './format.ts'
import { isNarrow, layOut, sheet, textLayer, textSize } from './frame.ts'
import type { ChartInput, Layer } from './frame.ts'
import { diverging, tokenColour, inkOn, sequential } from './palette.ts'
import { assignRoles } from './roles.ts'
import { fitText, textWidth } from './text-width.ts'
import { roundNumbers } from './ticks.ts'
import {
  formatOptions,
  measureTitle,
  getCountNoun,
  toNumber,
  numberTicks,
  formatMeasure,
  computeSharedDecimals,
} from './measure.ts'
import { formatTooltip } from './series.ts'

interface Side {
  names: string[]
  places: Map<string, number>
}

// The values of one side in order: numbers and dates by size, text as the query gave it
function buildSide(input: ChartInput, alias: string): Side {
  const field = input.output.schema[alias]
  const valuesByKey = new Map<string, unknown>()
  for (const row of input.rows) {
    const name = formatValue(row[alias], field, { ...formatOptions(input), compact: true })
    if (!valuesByKey.has(name)) valuesByKey.set(name, row[alias])
  }
  const names = [...valuesByKey.keys()]
  const isOrdered = field?.type === 'number' || field?.type === 'date'
  const rank = (name: string): number => {
    const value = valuesByKey.get(name)
    return field?.type === 'date' ? new Date(value as string).getTime() : (toNumber(value) ?? Infinity)
  }
  if (isOrdered) names.sort((a, b) => rank(a) - rank(b))
  return { names, places: new Map(names.map((name, place) => [name, place])) }
}

/** Rounded class bounds and the colour of each class; diverging around zero where values have both signs. */
function computeClasses(values: number[]): { bounds: number[]; colors: string[] } {
  let [low, high] = [Infinity, -Infinity]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const isDiverging = low < 0 && high > 0 && Math.min(-low, high) > Math.max(-low, high) * 0.1
  if (isDiverging) {
    const most = Math.max(-low, high)
    const third = most / 3
    const step = [5, 2.5, 2, 1]
      .map((digit) => digit * 10 ** Math.floor(Math.log10(third)))
      .find((one) => one <= third)
    return {
      bounds: [-3, -2, -1, 1, 2, 3].map((at) => Number((at * (step ?? third)).toPrecision(12))),
      colors: diverging,
    }
  }
  const edges = roundNumbers(low, high, 7)
  const count = Math.min(7, edges.length - 1)
  const bounds = edges.slice(1, count)
  const colors = Array.from({ length: count }, (_, at) => {
    const place = count === 1 ? 3 : Math.round((at / (count - 1)) * 6)
    return sequential[place] ?? tokenColour('--seq-4')
  })
  return { bounds, colors }
}

/** The spec of a heat map by two groupings, coloured in classes whose bounds are above the grid. */
export function heatmapSpec(input: ChartInput): TopLevelSpec | null {
  const { x, y, color } = assignRoles(input.visualization, input.output)
  if (x === undefined || y === undefined || color === undefined || input.rows.length === 0) return null
  const field = input.output.schema[color]
  const across = buildSide(input, x)
  const down = buildSide(input, y)
  const cells = readCells(input, { x, y, color }, across, down)
  if (cells.length === 0) return null
  const narrow = isNarrow(input)
  const { bounds, colors } = computeClasses(cells.map((cell) => cell.value))
  const nameWidth = Math.min(
    narrow ? 90 : 160,
    Math.max(...down.names.map((name) => textWidth(name, textSize))),
  )
  const lineHeight = Math.max(12, Math.min(30, Math.round((narrow ? 260 : 340) / down.names.length)))
  const layout = layOut(input, {
    heading: measureTitle(field, input),
    left: nameWidth + 10,
    right: 6,
    bottom: 26,
    plotHeight: down.names.length * lineHeight + scaleHeight,
  })
  const { width } = layout.plot
  const columnWidth = width / across.names.length
  const getClassColor = (value: number) =>
    colors[bounds.filter((bound) => value >= bound).length] ?? tokenColour('--seq-4')
  const gap = columnWidth > 6 ? 1 : 0
  const decimals = computeSharedDecimals(
    cells.map((cell) => cell.value),
    field,
  )
  const rows = cells.map((cell) => ({
    x: cell.column * columnWidth,
    x2: (cell.column + 1) * columnWidth - gap,
    y: scaleHeight + cell.line * lineHeight,
    y2: scaleHeight + (cell.line + 1) * lineHeight - 1,
    color: getClassColor(cell.value),
    text: formatValue(cell.value, field, { ...formatOptions(input), compact: true, unit: '', decimals }),
    tip: cell.tip,
  }))
  const layers: unknown[] = [
    {
      data: { values: rows },
      params: hover.params,
      mark: { type: 'rect', opacity: 1, aria: false },
      encoding: {
        x: pixels('x'),
        x2: { field: 'x2' },
        y: pixels('y'),
        y2: { field: 'y2' },
        fill: { field: 'color', type: 'nominal', scale: null, legend: null },
        opacity: hover.opacity,
        tooltip: { field: 'tip', type: 'nominal' },
      },
    },
    ...classScale(input, bounds, colors, layout.padding.left),
  ]
  const isSpacious =
    lineHeight >= 18 && rows.every((row) => textWidth(row.text, textSize - 1) + 6 < columnWidth)
  if (isSpacious) layers.push(...valueLayers(rows))
  layers.push(...nameLayers(across, down, { columnWidth, lineHeight, nameWidth, height: layout.plot.height }))
  return sheet(input, layout, layers as Layer[])
}

/** The cells with a value, by their column and line; `x`, `y` and `color` are aliases. */
function readCells(
  input: ChartInput,
  { x, y, color }: { x: string; y: string; color: string },
  across: Side,
  down: Side,
) {
  const field = input.output.schema[color]
  const options = { ...formatOptions(input), compact: true }
  const formatName = (alias: string, value: unknown) =>
    formatValue(value, input.output.schema[alias], options)
  return input.rows.flatMap((row) => {
    const value = toNumber(row[color])
    if (value === null) return []
    const [xName, yName] = [formatName(x, row[x]), formatName(y, row[y])]
    return [
      {
        value,
        column: across.places.get(xName) ?? 0,
        line: down.places.get(yName) ?? 0,
        tip: formatTooltip(xName, yName, formatMeasure(value, field, input), getCountNoun(color, input)),
      },
    ]
  })
}

interface Cell {
  x: number
  x2: number
  y: number
  y2: number
  color: string
  text: string
}

/** The values inside of the cells, in an ink that can be read on their colours. */
function valueLayers(cells: Cell[]): Layer[] {
  const layers: Layer[] = []
  for (const fill of new Set(cells.map((row) => inkOn(row.color)))) {
    const inside = cells.filter((row) => inkOn(row.color) === fill)
    layers.push(
      textLayer(
        inside.map((row) => ({ x: (row.x + row.x2) / 2, y: (row.y + row.y2) / 2, text: row.text })),
        { align: 'center', fill, fontSize: textSize - 1 },
      ),
    )
  }
  return layers
}

interface Grid {
  columnWidth: number
  lineHeight: number
  nameWidth: number
  height: number
}

/** The labels of columns below and of rows before the grid, as many as fit. */
function nameLayers(across: Side, down: Side, { columnWidth, lineHeight, nameWidth, height }: Grid): Layer[] {
  const widestColumn = Math.max(...across.names.map((name) => textWidth(name, textSize)))
  const everyColumn = Math.max(1, Math.ceil((Math.min(widestColumn, 90) + 6) / columnWidth))
  const everyLine = Math.ceil(15 / lineHeight)
  const muted = { fill: tokenColour('--chart-muted') }
  return [
    textLayer(
      across.names
        .map((name, at) => ({
          x: (at + 0.5) * columnWidth,
          y: height + 12,
          text: fitText(name, textSize, everyColumn * columnWidth),
        }))
        .filter((_, at) => at % everyColumn === 0),
      { ...muted, align: 'center' },
    ),
    textLayer(
      down.names
        .map((name, at) => ({
          x: -10,
          y: scaleHeight + (at + 0.5) * lineHeight,
          text: fitText(name, textSize, nameWidth + 1),
        }))
        .filter((_, at) => at % everyLine === 0),
      { ...muted, align: 'right' },
    ),
  ]
}

const scaleHeight = 34
const pixels = (name: string) => ({ field: name, type: 'quantitative', scale: null, axis: null }) as const

// The classes as swatches with their bounds, since colours alone give no numbers
function classScale(input: ChartInput, bounds: number[], colors: string[], left: number): Layer[] {
  const { color } = assignRoles(input.visualization, input.output)
  const field = color === undefined ? undefined : input.output.schema[color]
  const swatch = isNarrow(input) ? 38 : 46
  const x = (at: number) => -left + at * swatch
  return [
    {
      data: { values: colors.map((fill, at) => ({ x: x(at), x2: x(at + 1) - 1, y: 0, y2: 9, fill })) },
      mark: { type: 'rect', opacity: 1, aria: false, tooltip: null },
      encoding: {
        x: pixels('x'),
        x2: { field: 'x2' },
        y: pixels('y'),
        y2: { field: 'y2' },
        fill: { field: 'fill', type: 'nominal', scale: null, legend: null },
      },
    } as Layer,
    textLayer(
      numberTicks(bounds, field, input).map((tick, at) => ({ x: x(at + 1), y: 17, text: tick.label })),
      { align: 'center', fill: tokenColour('--chart-muted'), fontSize: textSize - 1 },
    ),
  ]
}
