import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketCount, getBucketIndex, edges, measures, p75, rateValue, thresholds } from './speed.ts'

/** The 75th percentile by the nearest rank, of the values themselves. */
const exact = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1] ?? 0

const histogram = (measure: (typeof measures)[number], values: number[]) => {
  const counts = Array.from({ length: bucketCount }, () => 0)
  for (const value of values) counts[getBucketIndex(measure, value)]! += 1
  return counts
}

test('each measure has the same number of buckets, ascending and with both thresholds as edges', () => {
  for (const measure of measures) {
    expect(edges[measure]).toHaveLength(bucketCount - 1)
    expect([...edges[measure]].sort((a, b) => a - b)).toEqual(edges[measure])
    for (const threshold of thresholds[measure]) expect(edges[measure]).toContain(threshold)
  }
})

test('a percentile from buckets is in the bucket of the exact value, and has the same rating', () => {
  for (const measure of measures) {
    const most = (edges[measure].at(-1) ?? 0) * 1.2
    const value = fc.oneof(
      fc.double({ min: 0, max: most, noNaN: true }),
      fc.constantFrom(...edges[measure]),
      fc.double({ min: 0, max: most / 20, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 200 }), (values) => {
        const estimate = p75(measure, histogram(measure, values)) ?? NaN
        const oracle = exact(values)
        const isLast = getBucketIndex(measure, oracle) === bucketCount - 1
        if (isLast) expect(estimate).toBe(edges[measure].at(-1))
        else expect(getBucketIndex(measure, estimate)).toBe(getBucketIndex(measure, oracle))
        if (!isLast) expect(rateValue(measure, estimate)).toBe(rateValue(measure, oracle))
      }),
      { numRuns: 500, seed: 23 },
    )
  }
})

test('without measurements the result is null', () => {
  expect(
    p75(
      'lcp',
      Array.from({ length: bucketCount }, () => 0),
    ),
  ).toBeNull()
})
