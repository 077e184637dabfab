/**
 * Aggregation of numbers with too many distinct values to store each: buckets of their binary form for
 * quantiles, and bins of equal width for the histogram. Both are exact arithmetic with equal results in SQL
 * and here, and finer counts add up to coarser ones, so parts of the records can be counted separately and
 * merged.
 */

/**
 * Counts by bucket. A bucket holds numbers with the same sign, exponent and first `bits` digits of their
 * binary form.
 */
export interface Buckets {
  bits: number
  /** In the order of the numbers. */
  counts: [bucket: number, count: number][]
}

/**
 * Most binary digits after the first that buckets distinguish: no number is further from the middle of its
 * bucket than 1/128 of itself.
 */
const finestBits = 6
const maxBuckets = 4096

const view = new DataView(new ArrayBuffer(8))

/** The finest bucket of a number. Larger numbers never have a smaller one. */
export function computeBucket(value: number): number {
  view.setFloat64(0, value + 0)
  const top = view.getUint32(0) >>> 14
  return top < 1 << 17 ? top : -(top & 0x1ffff) - 1
}

/**
 * The edges of a bucket: the smallest number in it and the first beyond it, mirrored for negative numbers.
 */
function computeBucketEdges(bucket: number, bits: number): [number, number] {
  const size = bucket < 0 ? -bucket - 1 : bucket
  const edge = (top: number) => {
    view.setUint32(0, (top << (finestBits - bits)) * 2 ** 14)
    view.setUint32(4, 0)
    return view.getFloat64(0)
  }
  const [low, high] = [edge(size), edge(size + 1)]
  return bucket < 0 ? [-high, -low] : [low, high]
}

/** The number in the middle of a bucket. */
export function computeBucketMiddle(bucket: number, bits: number): number {
  const [low, high] = computeBucketEdges(bucket, bits)
  return Number.isFinite(high - low) ? low + (high - low) / 2 : low || high
}

/** The largest relative error of taking a bucket's middle for a number in it. */
export const bucketError = (bits: number) => 2 ** -(bits + 1)

/** Buckets from counts by finest bucket, coarsened until there are at most `maxBuckets`. */
export function bucketsFrom(counts: Iterable<readonly [bucket: number, count: number]>): Buckets {
  return fit({ bits: finestBits, counts: sumCounts(counts) })
}

export function mergeBuckets(a: Buckets, b: Buckets): Buckets {
  const bits = Math.min(a.bits, b.bits)
  const all = [a, b].flatMap((one) => coarser(one, bits).counts)
  return fit({ bits, counts: sumCounts(all) })
}

function coarser({ bits, counts }: Buckets, to: number): Buckets {
  const by = bits - to
  return { bits: to, counts: sumCounts(counts.map(([bucket, count]) => [bucket >> by, count] as const)) }
}

function fit(buckets: Buckets): Buckets {
  let fit = buckets
  while (fit.counts.length > maxBuckets && fit.bits > 0) fit = coarser(fit, fit.bits - 1)
  return fit
}

/** Sums the counts of equal keys, sorted by key. */
export function sumCounts(counts: Iterable<readonly [key: number, count: number]>): [number, number][] {
  const sums = new Map<number, number>()
  for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count)
  return [...sums].sort(([a], [b]) => a - b)
}

/**
 * Counts by bins of equal width. Widths are 1 or 5 times a power of ten, so that each is a multiple of the
 * one before and edges are round numbers: width number `step` is 10^(step/2) for even steps, and five times
 * the width before for odd ones. Bin `i` holds numbers from `edgeAt(step, i)` up to but without the next
 * edge.
 */
export interface Bins {
  step: number
  /** In ascending order; empty bins are left out. */
  counts: [bin: number, count: number][]
}

const maxBins = 200
/** Beyond this many bins from zero, floating point could not distinguish neighbouring edges. */
const farthest = 1e15

/** The lower edge of a bin. */
export function edgeAt(step: number, bin: number): number {
  const isFive = step % 2 !== 0
  return Number(`${bin * (isFive ? 5 : 1)}e${Math.floor(step / 2)}`)
}

/** The bin of a number; Infinity where bins of that width could not be distinguished. */
export function computeBin(step: number, value: number): number {
  let bin = Math.floor(value / edgeAt(step, 1))
  if (!(Math.abs(bin) <= farthest)) return Infinity
  while (edgeAt(step, bin) > value) bin -= 1
  while (edgeAt(step, bin + 1) <= value) bin += 1
  return bin
}

/** The narrowest width with which at most 200 bins cover the range. */
export function stepFor(min: number, max: number): number {
  const narrow = max / maxBins - min / maxBins || Number.MIN_VALUE
  let step = Math.max(-646, 2 * Math.floor(Math.log10(narrow)) - 2)
  while (!fits(step, min, max)) step += 1
  return step
}

function fits(step: number, min: number, max: number): boolean {
  const [first, last] = [computeBin(step, min), computeBin(step, max)]
  return Number.isFinite(first) && Number.isFinite(last) && last - first < maxBins
}

export function binsFrom(values: Iterable<readonly [value: number, count: number]>, step: number): Bins {
  const counts = [...values].map(([value, count]) => [computeBin(step, value), count] as const)
  return { step, counts: sumCounts(counts) }
}

/** Merges two sets of bins into a width that is at least as wide as both and fits the range. */
export function mergeBins(a: Bins, b: Bins, range: [number, number]): Bins {
  const step = Math.max(a.step, b.step, stepFor(...range))
  return { step, counts: sumCounts([...widerBins(a, step).counts, ...widerBins(b, step).counts]) }
}

export function widerBins({ step, counts }: Bins, to: number): Bins {
  let wider = counts
  for (let at = step; at < to; at += 1) {
    const by = at % 2 === 0 ? 5 : 2
    wider = wider.map(([bin, count]) => [Math.floor(bin / by), count])
  }
  return { step: to, counts: sumCounts(wider) }
}
