/**
 * How fast a page was for its readers, in the four measures of web.dev/vitals: when its largest part was painted (`lcp`),
 * how much it moved by itself (`cls`), how long it took to answer a touch (`inp`), how long its first byte took (`ttfb`).
 * Times are milliseconds. Of each measure only how many loads fell into which bucket is kept.
 */
export const measures = ['lcp', 'cls', 'inp', 'ttfb'] as const
export type Measure = (typeof measures)[number]

export const ratings = ['good', 'needs improvement', 'poor'] as const
export type Rating = (typeof ratings)[number]

/** "Good" is at most the first number, "poor" is more than the second (web.dev/articles/vitals, /ttfb). */
export const thresholds: Record<Measure, readonly [good: number, poor: number]> = {
  lcp: [2500, 4000],
  cls: [0.1, 0.25],
  inp: [200, 500],
  ttfb: [800, 1800],
}

/**
 * The highest value of each bucket but the last, which has no end. Both thresholds of a measure are among them, so that the
 * rating of what is told of buckets is the rating of the values themselves.
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

/** Buckets of a measure, the one without an end included: as many for each. */
export const bucketCount = 20

/** The bucket that a value falls into, from 0. */
export function bucketOf(measure: Measure, value: number): number {
  const i = edges[measure].findIndex((edge) => value <= edge)
  return i < 0 ? bucketCount - 1 : i
}

/**
 * The value that three quarters of the loads did not exceed (the nearest rank, told within its bucket as if its values were
 * spread evenly), so it is at most one bucket off. Of the last bucket its lower end. Null: nothing was measured.
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
    // The bucket's lower end belongs to the bucket before it, so it is never reached, and the rating holds.
    return low + ((high - low) * (rank - below)) / n
  }
  return null
}

/** What a value is called: the words of web.dev/vitals. */
export function ratingOf(measure: Measure, value: number): Rating {
  const [good, poor] = thresholds[measure]
  return value <= good ? 'good' : value <= poor ? 'needs improvement' : 'poor'
}
