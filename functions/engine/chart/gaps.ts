import { computeNextBucketStart } from './local-time.ts'
import type { DateBucket } from '#functions/shapes/field.ts'

/** A point with the number of its contiguous stretch. */
type InStretch<P> = P & { part: number }

/** The tolerance for a day or more: offset changes are an hour, at most two. */
const clockChange = 2 * 3_600_000
const belowDay: readonly DateBucket[] = ['second', 'minute', 'hour']

/**
 * Splits the points of a series into contiguous stretches: a missing bucket between two points starts a new one, so that
 * no line bridges missing data. Irregular data have no gaps: without a bucket, and where fewer than half of the steps
 * are one bucket long (days of weekly readings), everything is one stretch.
 */
export function splitAtGaps<P extends { x: number }>(
  points: P[],
  bucket: DateBucket | undefined,
): InStretch<P>[] {
  const late = bucket && belowDay.includes(bucket) ? 0 : clockChange
  const gaps = points.map((point, at) => {
    const before = points[at - 1]
    return (
      before !== undefined &&
      bucket !== undefined &&
      point.x > computeNextBucketStart(before.x, bucket) + late
    )
  })
  const isRegular = gaps.filter(Boolean).length * 2 <= points.length - 1
  let part = 0
  return points.map((point, at) => {
    if (isRegular && gaps[at]) part += 1
    return { ...point, part }
  })
}

/** Points that are a stretch by themselves, which a line cannot show. */
export function isolatedPoints<P extends { part: number }>(points: P[]): P[] {
  return points.filter(({ part }, at) => points[at - 1]?.part !== part && points[at + 1]?.part !== part)
}
