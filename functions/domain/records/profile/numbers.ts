/**
 * How numbers are counted where there are too many different ones to keep each: by buckets of their binary form, for quantiles,
 * and by bins of equal width, for the histogram. Both are exact arithmetic, the same in SQL and here, and counts of finer ones
 * add up to those of coarser ones, so that parts of the records can be counted apart.
 */

/** Counts by bucket. A bucket holds numbers that agree in sign, exponent and the first `bits` digits of their binary form. */
export interface Buckets {
  bits: number
  /** In the order of the numbers. */
  counts: [bucket: number, count: number][]
}

/** Digits after the first that buckets tell apart at most: of a bucket's middle no number of it is further than 1/128 of itself. */
const finestBits = 6
const mostBuckets = 4096

const view = new DataView(new ArrayBuffer(8))

/** The finest bucket of a number. Larger numbers never have a smaller one. */
export function bucketOf(value: number): number {
  view.setFloat64(0, value + 0)
  const top = view.getUint32(0) >>> 14
  return top < 1 << 17 ? top : -(top & 0x1ffff) - 1
}

/** Where a bucket begins and ends: the smallest number in it and the first beyond it, mirrored for negative numbers. */
function edgesOf(bucket: number, bits: number): [number, number] {
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
export function middleOf(bucket: number, bits: number): number {
  const [low, high] = edgesOf(bucket, bits)
  return Number.isFinite(high - low) ? low + (high - low) / 2 : low || high
}

/** How far from the middle of its bucket a number may be, as a part of the number. */
export const bucketError = (bits: number) => 2 ** -(bits + 1)

/** Counts by finest bucket, made coarser until there are no more than are kept. */
export function bucketsFrom(counted: Iterable<readonly [bucket: number, count: number]>): Buckets {
  return fit({ bits: finestBits, counts: sumCounts(counted) })
}

export function bothBuckets(a: Buckets, b: Buckets): Buckets {
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
  while (fit.counts.length > mostBuckets && fit.bits > 0) fit = coarser(fit, fit.bits - 1)
  return fit
}

/** Counts of the same number added up, in the order of the numbers. */
export function sumCounts(counted: Iterable<readonly [key: number, count: number]>): [number, number][] {
  const sums = new Map<number, number>()
  for (const [key, count] of counted) sums.set(key, (sums.get(key) ?? 0) + count)
  return [...sums].sort(([a], [b]) => a - b)
}

/**
 * Counts by bins of equal width. A width is 1 or 5 times a power of ten, so that each is five or two of the one before and bins have
 * edges that people read: the width number `step` is 10^(step/2), or five times that of the step before. Bin `i` holds what is
 * from `edgeAt(step, i)` on and below the next edge.
 */
export interface Bins {
  step: number
  /** Bins without a number are left out. */
  counts: [bin: number, count: number][]
}

const mostBins = 200
/** Beyond this many bins from zero an edge could not be told from the next. */
const farthest = 1e15

/** The lower edge of a bin. */
export function edgeAt(step: number, bin: number): number {
  const isFive = step % 2 !== 0
  return Number(`${bin * (isFive ? 5 : 1)}e${Math.floor(step / 2)}`)
}

/** The bin of a number; infinite where bins of that width cannot be told apart there. */
export function binOf(step: number, value: number): number {
  let bin = Math.floor(value / edgeAt(step, 1))
  if (!(Math.abs(bin) <= farthest)) return Infinity
  while (edgeAt(step, bin) > value) bin -= 1
  while (edgeAt(step, bin + 1) <= value) bin += 1
  return bin
}

/** The narrowest width of which no more than 200 bins reach over the numbers between two. */
export function stepFor(min: number, max: number): number {
  const narrow = max / mostBins - min / mostBins || Number.MIN_VALUE
  let step = Math.max(-646, 2 * Math.floor(Math.log10(narrow)) - 2)
  while (!fits(step, min, max)) step += 1
  return step
}

function fits(step: number, min: number, max: number): boolean {
  const [first, last] = [binOf(step, min), binOf(step, max)]
  return Number.isFinite(first) && Number.isFinite(last) && last - first < mostBins
}

export function binsFrom(values: Iterable<readonly [value: number, count: number]>, step: number): Bins {
  const counted = [...values].map(([value, count]) => [binOf(step, value), count] as const)
  return { step, counts: sumCounts(counted) }
}

/** Both, in bins of a width that is at least as wide as theirs and fits the numbers between two. */
export function bothBins(a: Bins, b: Bins, range: [number, number]): Bins {
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
