import type { TopLevelSpec } from 'vega-lite'
import type { AnswerRow, Output, Visualization } from '#functions/shapes/analytics.ts'
import { tokenColour } from './palette.ts'
import { fitText, textWidth } from './text-width.ts'
import type { Tick } from './ticks.ts'

/** The input of a chart. `width` and `height` of the whole drawing, in its own pixels. */
export interface ChartInput {
  visualization: Visualization
  output: Output
  rows: AnswerRow[]
  title: string
  locale: string
  timeZone: string
  /** The locale of dates if not that of the page's words: the reader's own. */
  dateLocale?: string | undefined
  width?: number
  height?: number
  /** The colours of series by name, where they are not given by their order: a part of an answer has those of the whole. */
  colors?: Readonly<Record<string, string>>
  /** The name of the one series that has its colour; the others are muted. */
  highlight?: string
  /** The text for regions without a value on a map, if not the default. */
  noValue?: string
  /** For the spec of a map of regions: the region of each row, the value classes, and the number of regions without a value. */
  regions?: {
    keys: (string | null)[]
    /** Ascending, from `functions/engine/map`; `fill` is a colour of the ramp. */
    classes: { label: string; from: number; fill: string }[]
    missing: number
  }
}

/** The two widths every chart is drawn in; a style sheet shows the one that fits (see the README). */
export const chartWidths = { wide: 640, narrow: 340 } as const

/** A figure is about this wide on a hub page, so that its text is about as large as the page's. */
export const pageWidth = 800

/** The size of a chart's text, in pixels of the drawing. */
export const textSize = 12.5

/** Whether a chart is drawn for a phone. */
export const isNarrow = (input: ChartInput): boolean => (input.width ?? chartWidths.wide) < 480

type LayeredSpec = Extract<TopLevelSpec, { layer: unknown }>
/** One layer of a chart. */
export type Layer = LayeredSpec['layer'][number]

/** An entry of the legend. */
export interface Key {
  name: string
  color: string
  shape?: 'square' | 'circle' | 'stroke' | typeof ring
  /** The opacity of the colour; 1 by default. */
  opacity?: number
}

/** A circle with a hole, as a path that Vega draws. */
export const ring =
  'M1,0A1,1,0,1,1,-1,0A1,1,0,1,1,1,0ZM0.55,0A0.55,0.55,0,1,0,-0.55,0A0.55,0.55,0,1,0,0.55,0Z'

const lineHeight = 20

function placeKeys(keys: Key[], width: number) {
  let x = 0
  let y = 0
  return keys.map((key) => {
    const name = fitText(key.name, textSize, width - 20)
    const needs = 16 + textWidth(name, textSize)
    if (x > 0 && x + needs > width) {
      x = 0
      y += lineHeight
    }
    const { color, shape = 'square', opacity } = key
    const point = { name, color, shape, ...(opacity !== undefined && { opacity }), x, y }
    x += needs + 18
    return point
  })
}

const pixel = (field: string) => ({ field, type: 'quantitative', scale: null, axis: null }) as const

/** Layers of text set at pixel positions of the plot, one row each: `x`, `y`, `text`. */
export function textLayer(
  rows: { x: number; y: number; text: string | string[] }[],
  mark: Record<string, unknown> = {},
): Layer {
  return {
    data: { values: rows },
    mark: {
      type: 'text',
      align: 'left',
      baseline: 'middle',
      fontSize: textSize,
      fill: tokenColour('--chart-text'),
      aria: false,
      tooltip: null,
      ...mark,
    },
    encoding: { x: pixel('x'), y: pixel('y'), text: { field: 'text', type: 'nominal' } },
  } as Layer
}

/**
 * Text with a halo in the surface colour, for labels over marks. The halo is a separate layer below, or it would cover
 * the text.
 */
export function haloLayers(
  rows: { x: number; y: number; text: string }[],
  mark: Record<string, unknown> = {},
): Layer[] {
  const rim = { stroke: tokenColour('--chart-surface'), strokeWidth: 3, strokeJoin: 'round' }
  return [textLayer(rows, { ...mark, ...rim }), textLayer(rows, mark)]
}

/** A layer of swatches at pixel positions of the plot. */
export function swatchLayer(
  rows: { x: number; y: number; color: string; shape: string; opacity?: number }[],
  mark: Record<string, unknown> = {},
): Layer {
  return {
    data: { values: rows },
    mark: { type: 'point', filled: true, opacity: 1, size: 90, aria: false, tooltip: null, ...mark },
    encoding: {
      x: pixel('x'),
      y: pixel('y'),
      color: { field: 'color', type: 'nominal', scale: null, legend: null },
      shape: { field: 'shape', type: 'nominal', scale: null, legend: null },
      ...(rows.some(({ opacity }) => opacity !== undefined) && {
        opacity: { field: 'opacity', type: 'quantitative', scale: null, legend: null },
      }),
    },
  } as Layer
}

/** Thin lines across, between rows of text; in pixels of the drawing. */
export function ruleLayer(lines: { x: number; x2: number; y: number }[]): Layer {
  return {
    data: { values: lines },
    mark: { type: 'rule', stroke: tokenColour('--chart-grid'), strokeWidth: 1, aria: false, tooltip: null },
    encoding: { x: pixel('x'), x2: { field: 'x2' }, y: pixel('y') },
  } as Layer
}

/** The parts around the plot: heading with unit, legend, and margins for labels. */
export interface Surround {
  heading: string
  keys?: Key[]
  left: number
  right?: number
  bottom: number
  /** The height of the plot, where the content decides it; otherwise it follows from the width. */
  plotHeight?: number
}

/** The sizes of a chart's plot and of the room around it, in pixels. */
export interface Layout {
  plot: { width: number; height: number }
  padding: { left: number; right: number; top: number; bottom: number }
  above: Layer[]
}

/** Lays out everything around the plot and returns the remaining area. The heading is at the top left. */
export function layOut(input: ChartInput, around: Surround): Layout {
  const width = input.width ?? chartWidths.wide
  const keys = placeKeys(around.keys ?? [], width)
  const headingHeight = around.heading === '' ? 0 : lineHeight
  const keysHeight = keys.length === 0 ? 0 : Math.max(...keys.map((key) => key.y)) + lineHeight + 4
  const padding = {
    left: Math.ceil(around.left),
    right: Math.ceil(around.right ?? 8),
    top: headingHeight + keysHeight + 10,
    bottom: Math.ceil(around.bottom),
  }
  const free = isNarrow(input) ? Math.round(width * 0.6) : Math.round(width * 0.44)
  const vertical = padding.top + padding.bottom
  const plot = {
    width: Math.max(40, width - padding.left - padding.right),
    height: around.plotHeight ?? Math.max(40, (input.height ?? free + vertical) - vertical),
  }
  const above: Layer[] = []
  if (headingHeight > 0) {
    const text = fitText(around.heading, textSize, width, true)
    above.push(
      textLayer([{ x: -padding.left, y: -padding.top + lineHeight / 2, text }], {
        fontWeight: 600,
      }),
    )
  }
  if (keys.length > 0) {
    const rows = keys.map((key) => ({
      ...key,
      text: key.name,
      x: key.x - padding.left,
      y: key.y - padding.top + headingHeight + lineHeight / 2 + 2,
    }))
    above.push(
      swatchLayer(
        rows.map(({ x, y, color, shape, opacity }) => ({
          ...{ x: x + 5, y, color, shape },
          // Rows of one layer need the same columns.
          ...(keys.some((key) => key.opacity !== undefined) && { opacity: opacity ?? 1 }),
        })),
      ),
      textLayer(rows.map(({ x, y, text }) => ({ x: x + 16, y, text }))),
    )
  }
  return { plot, padding, above }
}

/** The finished spec of a laid-out chart: transparent, with the reader's own font and quiet axes. */
export function sheet(input: ChartInput, layout: Layout, layers: Layer[]): TopLevelSpec {
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    description: input.title,
    width: layout.plot.width,
    height: layout.plot.height,
    padding: layout.padding,
    autosize: { type: 'none' },
    background: 'transparent',
    layer: [...layout.above, ...layers],
    config: {
      font: 'inherit',
      view: { stroke: null },
      axis: {
        aria: false,
        domain: false,
        ticks: false,
        grid: false,
        gridColor: tokenColour('--chart-grid'),
        gridWidth: 1,
        labelColor: tokenColour('--chart-muted'),
        labelFontSize: textSize,
        labelFontWeight: 400,
        labelFlush: false,
        labelLimit: 0,
        labelOverlap: false,
        labelPadding: 8,
        domainColor: tokenColour('--chart-axis'),
        tickColor: tokenColour('--chart-axis'),
        title: null,
      },
    },
  } as TopLevelSpec
}

/** An expression with the formatted text of each tick, so that all locales are formatted by Intl. */
export function labelExpr(ticks: Tick[], isTime = false): string {
  const labels = Object.fromEntries(ticks.map((tick) => [String(tick.value), tick.label]))
  return `(${JSON.stringify(labels)})[${isTime ? 'time(datum.value)' : 'datum.value'}]`
}

/** Grid lines at the ticks, the one at zero in the colour of an axis. */
export function gridAxis(ticks: Tick[], extra: Record<string, unknown> = {}): Record<string, unknown> {
  const isZero = 'datum.value === 0'
  return {
    values: ticks.map((tick) => tick.value),
    labelExpr: labelExpr(ticks),
    grid: true,
    gridColor: {
      condition: { test: isZero, value: tokenColour('--chart-axis') },
      value: tokenColour('--chart-grid'),
    },
    zindex: 0,
    ...extra,
  }
}

/** The widest label of an axis, in pixels. */
export const widest = (ticks: Tick[]): number =>
  Math.max(0, ...ticks.flatMap((tick) => [tick.label].flat()).map((label) => textWidth(label, textSize)))
