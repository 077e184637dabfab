import { nextBucket } from './local-time.ts'
import type { DateBucket } from '#functions/shapes/field.ts'

/** A point with the number of the stretch without a gap that it is in. */
type InStretch<P> = P & { part: number }

/** How far a day or more may be off: the clocks of a place are turned by an hour, at most two. */
const clockChange = 2 * 3_600_000
const belowDay: readonly DateBucket[] = ['second', 'minute', 'hour']

/**
 * The points of a series in order of x, each with its stretch: where a bucket between two points is missing the next stretch begins,
 * so that no line goes over what was not measured. What is not regular has no gaps: without a bucket, and where fewer than half of
 * the steps are one bucket long (days of weekly readings), all is one stretch.
 */
export function inStretches<P extends { x: number }>(
  points: P[],
  bucket: DateBucket | undefined,
): InStretch<P>[] {
  const late = bucket && belowDay.includes(bucket) ? 0 : clockChange
  const gaps = points.map((point, at) => {
    const before = points[at - 1]
    return before !== undefined && bucket !== undefined && point.x > nextBucket(before.x, bucket) + late
  })
  const isRegular = gaps.filter(Boolean).length * 2 <= points.length - 1
  let part = 0
  return points.map((point, at) => {
    if (isRegular && gaps[at]) part += 1
    return { ...point, part }
  })
}

/** The points that are a stretch by themselves, where a line has nothing to go to. */
export function alone<P extends { part: number }>(points: P[]): P[] {
  return points.filter(({ part }, at) => points[at - 1]?.part !== part && points[at + 1]?.part !== part)
}
