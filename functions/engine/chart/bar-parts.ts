import { tokenColour } from './palette.ts'
import type { ChartInput } from './frame.ts'
import type { Series } from './series.ts'

/** A bar or a part of one, from `low` to `high`, in the row or column `at`. */
export interface Bar {
  at: number
  s: string
  low: number
  high: number
  tip: string
  /** The data do not cover the span of time that it is of. */
  partial?: true
  /** It is all others together. */
  rest?: true
  /** The value in its label, where that differs from its drawn length. */
  labelValue?: number
}

/** The bars of each series at each place: on top of each other, or each from zero. */
export function buildBars(series: Series[], isStacked: boolean): Bar[] {
  const above = new Map<number, number>()
  const below = new Map<number, number>()
  return series.flatMap((one) =>
    one.points.map(({ x, y, s, tip, partial, rest }) => {
      const ends = { tip, ...(partial && { partial }), ...(rest && { rest }) }
      if (!isStacked) return { at: x, s, low: 0, high: y, ...ends }
      // Negative values are stacked downward, or they would hide the positive ones
      const side = y < 0 ? below : above
      const low = side.get(x) ?? 0
      side.set(x, low + y)
      return { at: x, s, low, high: low + y, ...ends }
    }),
  )
}

/** Whether series are stacked: as configured, otherwise only where they could not be distinguished side by side. */
export const isStacked = (input: ChartInput, series: Series[]): boolean =>
  series.length > 1 && (input.visualization.settings?.stacked ?? series.length > 3)

/** The color encoding of series. */
export const buildColorEncoding = (series: Series[]) => ({
  field: 's',
  type: 'nominal',
  scale: { domain: series.map((one) => one.name), range: series.map((one) => one.color) },
  legend: null,
})

/** The opacity of bars for buckets that the data do not fully cover. */
export const partialOpacity = 0.4

/** The look of the bar of all others: lighter, with a dashed edge in the colour of its series. */
export const restLook = { fillOpacity: 0.25, strokeDash: [3, 3], strokeWidth: 1 } as const

/** A field with pixel values: without scale and axis. */
export const pixels = (name: string) => ({ field: name, type: 'quantitative', scale: null, axis: null })

/** The mark of bars; stacked ones get a line of the surface's colour between them. */
export const barMark = (stacked: boolean) => ({
  type: 'rect',
  opacity: 1,
  aria: false,
  ...(stacked && { stroke: tokenColour('--chart-surface'), strokeWidth: 0.75 }),
})

/** Highlights a bar of an interactive chart under the pointer and shows its value. */
export const hover = {
  params: [{ name: 'near', select: { type: 'point', on: 'pointerover', clear: 'pointerout' } }],
  opacity: { condition: { param: 'near', value: 1 }, value: 0.55 },
}
