import { tokenColour } from './palette.ts'
import type { Point, Series } from './series.ts'

/** A point with its extent on y: from zero, or from the top of the series below. */
export interface Band extends Point {
  low: number
  high: number
}

/** A series prepared for drawing. */
export interface DrawnSeries {
  name: string
  color: string
  points: Band[]
}

/** A series that is not stacked. */
export const toDrawn = (one: Series): DrawnSeries => ({
  ...one,
  points: one.points.map((point) => ({ ...point, low: 0, high: point.y })),
})

/** Whether the span at a place is partial: it is for one series if it is for another. */
function buildPartialLookup(series: Series[]): (x: number) => { partial?: true } {
  const partial = new Set(
    series.flatMap(({ points }) => points.filter((point) => point.partial)).map(({ x }) => x),
  )
  return (x) => (partial.has(x) ? { partial: true } : {})
}

/** The series upward on each other, the largest on the zero line; a missing value counts as zero. */
export function stack(series: Series[]): DrawnSeries[] {
  const places = [...new Set(series.flatMap((one) => one.points.map((point) => point.x)))].sort(
    (a, b) => a - b,
  )
  const floor = new Map<number, number>()
  const partialAt = buildPartialLookup(series)
  return series.map((one) => {
    const at = new Map(one.points.map((point) => [point.x, point]))
    const points = places.map((x) => {
      const low = floor.get(x) ?? 0
      const point = at.get(x) ?? { x, y: 0, s: one.name, tip: '', ...partialAt(x) }
      floor.set(x, low + point.y)
      return { ...point, low, high: low + point.y }
    })
    return { ...one, points }
  })
}

/** Sums the series beyond the eighth at each x as `name`: nine colours cannot be distinguished. */
export function foldRest(
  series: Series[],
  name: string,
  makeTip: (x: number, y: number) => string,
): Series[] {
  if (series.length <= 8) return series
  const sums = new Map<number, number>()
  for (const { points } of series.slice(7)) for (const { x, y } of points) sums.set(x, (sums.get(x) ?? 0) + y)
  const partialAt = buildPartialLookup(series)
  const points = [...sums]
    .sort((a, b) => a[0] - b[0])
    .map(([x, y]) => ({ x, y, s: name, tip: makeTip(x, y), ...partialAt(x) }))
  return [...series.slice(0, 7), { name, color: tokenColour('--chart-muted'), points }]
}
