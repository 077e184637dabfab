/**
 * Page speed in the measures of web.dev/vitals: largest contentful paint (`lcp`), cumulative layout shift (`cls`), interaction to next
 * paint (`inp`), time to first byte (`ttfb`). Times are milliseconds. Only the number of loads per bucket is stored.
 */
export const measures = ['lcp', 'cls', 'inp', 'ttfb'] as const
export type Measure = (typeof measures)[number]

export const ratings = ['good', 'needs improvement', 'poor'] as const
export type Rating = (typeof ratings)[number]

/** "Good" is up to the first number, "poor" above the second (web.dev/articles/vitals, /ttfb). */
export const thresholds: Record<Measure, readonly [good: number, poor: number]> = {
  lcp: [2500, 4000],
  cls: [0.1, 0.25],
  inp: [200, 500],
  ttfb: [800, 1800],
}

/**
 * The upper bounds of all buckets except the last, which is unbounded. They include both thresholds, so that ratings of buckets equal
 * those of values.
 */
export const edges: Record<Measure, readonly number[]> = {
  lcp: [
    ...[200, 400, 600, 800, 1000, 1250, 1500, 1750, 2000, 2250],
    ...[2500, 2750, 3000, 3500, 4000, 5000, 6000, 8000, 12_000],
  ],
  cls: [
    ...[0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1],
    ...[0.125, 0.15, 0.175, 0.2, 0.25, 0.35, 0.5, 0.75, 1],
  ],
  inp: [
    ...[25, 50, 75, 100, 125, 150, 175, 200, 250, 300],
    ...[350, 400, 450, 500, 750, 1000, 1500, 2500, 5000],
  ],
  ttfb: [
    ...[25, 50, 75, 100, 150, 200, 300, 400, 500, 600],
    ...[700, 800, 1000, 1200, 1500, 1800, 2500, 4000, 8000],
  ],
}

/** Number of buckets per measure, including the unbounded one. */
export const bucketCount = 20

/** The index of a value's bucket, from 0. */
export function getBucketIndex(measure: Measure, value: number): number {
  const i = edges[measure].findIndex((edge) => value <= edge)
  return i < 0 ? bucketCount - 1 : i
}

/**
 * The 75th percentile (nearest rank, interpolated within its bucket), so at most one bucket off. For the last bucket its lower bound.
 * Null without measurements.
 */
export function p75(measure: Measure, counts: readonly number[]): number | null {
  const all = counts.reduce((sum, n) => sum + n, 0)
  if (all === 0) return null
  const rank = Math.ceil(all * 0.75)
  let below = 0
  for (const [i, n] of counts.entries()) {
    if (below + n < rank) {
      below += n
      continue
    }
    const low = i === 0 ? 0 : (edges[measure][i - 1] ?? 0)
    const high = edges[measure][i] ?? low
    // The lower bound belongs to the bucket below and is never reached, so the rating holds.
    return low + ((high - low) * (rank - below)) / n
  }
  return null
}

/** The rating of a value, in the terms of web.dev/vitals. */
export function rateValue(measure: Measure, value: number): Rating {
  const [good, poor] = thresholds[measure]
  return value <= good ? 'good' : value <= poor ? 'needs improvement' : 'poor'
}
