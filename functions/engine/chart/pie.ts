import type { TopLevelSpec } from 'vega-lite'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { hover } from './bar-parts.ts'
import { formatValue } from './format.ts'
import { isNarrow, layOut, ruleLayer, sheet, swatchLayer, textLayer, textSize } from './frame.ts'
import type { ChartInput, Layer } from './frame.ts'
import { categorical, tokenColour } from './palette.ts'
import { getPhrases } from './phrases.ts'
import { assignRoles } from './roles.ts'
import { fitText, textWidth } from './text-width.ts'
import {
  formatOptions,
  measureTitle,
  getCountNoun,
  toNumber,
  formatMeasure,
  computeSharedDecimals,
} from './measure.ts'
import { formatTooltip } from './series.ts'

/** A part of a whole; `share` is from 0 to 1. */
export interface Slice {
  name: string
  value: number
  share: number
  /** The sum of the rest. */
  isRest?: true
}

const maxSlices = 7
const shareField = {
  name: '',
  type: 'number',
  measurement: { type: 'percentage', value: 'decimal' },
} as const

/** The parts of a whole, largest first, those after the sixth as "Other"; values at or below zero are skipped. */
export function buildSlices(input: ChartInput): Slice[] {
  const { color, y } = assignRoles(input.visualization, input.output)
  if (color === undefined || y === undefined) return []
  const sums = new Map<string, number>()
  for (const row of input.rows) {
    const value = toNumber(row[y])
    if (value === null || value <= 0) continue
    const name = formatValue(row[color], input.output.schema[color], formatOptions(input))
    sums.set(name, (sums.get(name) ?? 0) + value)
  }
  const sorted = [...sums].sort((a, b) => b[1] - a[1])
  const total = sorted.reduce((sum, [, value]) => sum + value, 0)
  const largest = sorted.length > maxSlices ? sorted.slice(0, maxSlices - 1) : sorted
  const rest = sorted.slice(largest.length).reduce((sum, [, value]) => sum + value, 0)
  const slices = largest.map(([name, value]) => ({ name, value, share: value / total }))
  return rest > 0
    ? [...slices, { name: getPhrases(input.locale).other, value: rest, share: rest / total, isRest: true }]
    : slices
}

/**
 * The spec of a donut chart with a list: parts clockwise from the top, largest first, in the order of the list beside it
 * (below it on a phone). Shares are in both, so that parts are identified without colours.
 */
export function pieSpec(input: ChartInput): TopLevelSpec | null {
  const slices = buildSlices(input)
  if (slices.length === 0) return null
  const { y } = assignRoles(input.visualization, input.output)
  const field = y === undefined ? undefined : input.output.schema[y]
  const noun = getCountNoun(y, input)
  const narrow = isNarrow(input)
  const radius = narrow ? 78 : 112
  const room = radius + 22
  const lineHeight = narrow ? 24 : 30
  const listHeight = slices.length * lineHeight
  const plotHeight = narrow ? room * 2 + 12 + listHeight : Math.max(room * 2, listHeight)
  const layout = layOut(input, {
    heading: measureTitle(field, input),
    left: 0,
    right: 0,
    bottom: 4,
    plotHeight,
  })
  const { width } = layout.plot
  const centre = narrow ? { x: width / 2, y: room } : { x: room + 28, y: plotHeight / 2 }
  const placedSlices = placeSlices(input, slices, field, noun)
  const left = narrow ? 0 : room * 2 + 76
  const top = narrow ? room * 2 + 12 : (plotHeight - listHeight) / 2
  const layers: unknown[] = [
    ...ringLayers(placedSlices, centre, radius),
    ...sumLayers(formatMeasure(sumSlices(slices), field, input, { compact: true }), noun, {
      centre,
      radius,
      narrow,
    }),
    ...listLayers(
      placedSlices,
      placedSlices.map((slice) => formatMeasure(slice.value, field, input, { compact: true })),
      { left, width, lineAt: (at) => top + (at + 0.5) * lineHeight },
    ),
  ]
  return sheet(input, layout, layers as Layer[])
}

interface Place {
  x: number
  y: number
}

/** Each part with its angles, colour and texts. */
function placeSlices(input: ChartInput, slices: Slice[], field: OutputField | undefined, noun: string) {
  const decimals = computeSharedDecimals(
    slices.map((slice) => Number(slice.share.toFixed(3))),
    shareField,
  )
  let angle = 0
  return slices.map((slice, at) => {
    const start = angle
    angle += slice.share * 2 * Math.PI
    const share = formatValue(slice.share, shareField, { ...formatOptions(input), decimals })
    const isRest = slice.name === getPhrases(input.locale).other && at === slices.length - 1
    const color = isRest ? tokenColour('--chart-muted') : (categorical[at] ?? tokenColour('--chart-muted'))
    const tip = formatTooltip('', slice.name, `${formatMeasure(slice.value, field, input)} (${share})`, noun)
    return { ...slice, start, end: angle, middle: (start + angle) / 2, color, said: share, tip }
  })
}

type DrawnSlice = ReturnType<typeof placeSlices>[number]

/** The ring, and the shares around it that have room. */
function ringLayers(slices: DrawnSlice[], centre: Place, radius: number): unknown[] {
  return [
    {
      data: { values: slices.map(({ start, end, color, tip }) => ({ start, end, color, tip })) },
      params: hover.params,
      mark: {
        type: 'arc',
        x: centre.x,
        y: centre.y,
        innerRadius: radius * 0.62,
        outerRadius: radius,
        stroke: tokenColour('--chart-surface'),
        strokeWidth: slices.length > 1 ? 1.5 : 0,
        opacity: 1,
        aria: false,
      },
      encoding: {
        theta: { field: 'start', type: 'quantitative', scale: null, stack: null },
        theta2: { field: 'end' },
        color: { field: 'color', type: 'nominal', scale: null, legend: null },
        opacity: hover.opacity,
        tooltip: { field: 'tip', type: 'nominal' },
      },
    },
    textLayer(
      slices
        .filter((slice) => slice.share >= 0.035)
        .map(({ middle, said: text }) => ({
          x: centre.x + Math.sin(middle) * (radius + 7 + textWidth(text, textSize) / 2),
          y: centre.y - Math.cos(middle) * (radius + 12),
          text,
        })),
      { align: 'center' },
    ),
  ]
}

interface Ring {
  centre: Place
  radius: number
  narrow: boolean
}

/** The total, in the centre. */
function sumLayers(sum: string, noun: string, { centre, radius, narrow }: Ring): Layer[] {
  return [
    textLayer([{ ...centre, text: sum }], {
      align: 'center',
      fontWeight: 600,
      fontSize: narrow ? 17 : 21,
    }),
    ...(noun === ''
      ? []
      : [
          textLayer(
            [{ x: centre.x, y: centre.y + (narrow ? 16 : 20), text: fitText(noun, textSize, radius) }],
            { align: 'center', fill: tokenColour('--chart-muted') },
          ),
        ]),
  ]
}

interface List {
  left: number
  width: number
  /** The middle of a line. */
  lineAt(at: number): number
}

/** The parts as a list: colour, name, share and value. */
function listLayers(slices: DrawnSlice[], values: string[], { left, width, lineAt }: List): Layer[] {
  const valueWidth = Math.max(...values.map((text) => textWidth(text, textSize)))
  const shareWidth = Math.max(...slices.map((slice) => textWidth(slice.said, textSize, true)))
  const nameLimit = width - left - 20 - shareWidth - valueWidth - 36
  return [
    ruleLayer(slices.slice(1).map((_, at) => ({ x: left, x2: width, y: lineAt(at + 0.5) }))),
    swatchLayer(slices.map(({ color }, at) => ({ x: left + 6, y: lineAt(at), color, shape: 'square' }))),
    textLayer(
      slices.map(({ name }, at) => ({
        x: left + 20,
        y: lineAt(at),
        text: fitText(name, textSize, nameLimit),
      })),
    ),
    textLayer(
      slices.map(({ said: text }, at) => ({ x: width - valueWidth - 18, y: lineAt(at), text })),
      { align: 'right', fontWeight: 600 },
    ),
    textLayer(
      values.map((text, at) => ({ x: width, y: lineAt(at), text })),
      { align: 'right', fill: tokenColour('--chart-muted') },
    ),
  ]
}

const sumSlices = (slices: Slice[]): number => slices.reduce((sum, slice) => sum + slice.value, 0)
