/** Removes the floating point noise of a decimal number. */
export const exact = (value: number) => Number(value.toPrecision(12))

/** The lower bounds of classes of equal width, all but the first, rounded to about a hundredth of that width. Ascending. */
export function equalBounds(least: number, most: number, count: number): number[] {
  const width = (most - least) / count
  if (!(width > 0)) return []
  const unit = 10 ** (Math.floor(Math.log10(width)) - 1)
  return Array.from({ length: count - 1 }, (_none, i) => {
    const bound = least + (i + 1) * width
    return exact(Math.round(bound / unit) * unit)
  })
}

/**
 * The lower bounds of natural classes, all but the first: the division with the least deviation of values from the means
 * of their classes (Jenks; by Wang and Song's dynamic program). Each bound is the roundest number in the gap before its
 * class. Fewer where there are fewer distinct values. `sorted`: ascending.
 */
export function naturalBounds(sorted: readonly number[], count: number): number[] {
  const values: number[] = []
  const weights: number[] = []
  for (const value of sorted) {
    if (values[values.length - 1] === value) weights[weights.length - 1]! += 1
    else {
      values.push(value)
      weights.push(1)
    }
  }
  return classStarts(values, weights, Math.min(count, values.length))
    .slice(1)
    .map((at) => roundest(values[at - 1] ?? -Infinity, values[at] ?? 0))
}

/** Indices of the first value of each class, for different values that ascend. */
function classStarts(values: readonly number[], weights: readonly number[], count: number): number[] {
  const n = values.length
  const cost = deviations(values, weights)
  /** The least deviation of the values up to each, with one class more per iteration; and the start of the last class then. */
  let least = Float64Array.from({ length: n }, (_none, j) => cost(0, j))
  const begins: Int32Array[] = [new Int32Array(n)]
  for (let k = 1; k < count; k += 1) {
    const [next, begin] = [new Float64Array(n).fill(Infinity), new Int32Array(n)]
    // The start of the last class is monotonic in the number of values, so each half only searches its part.
    const fill = (low: number, high: number, from: number, to: number): void => {
      if (low > high) return
      const middle = (low + high) >> 1
      for (let i = Math.max(from, k); i <= Math.min(to, middle); i += 1) {
        const sum = (least[i - 1] ?? Infinity) + cost(i, middle)
        if (sum < (next[middle] ?? Infinity)) {
          next[middle] = sum
          begin[middle] = i
        }
      }
      const best = begin[middle] ?? k
      fill(low, middle - 1, from, best)
      fill(middle + 1, high, best, to)
    }
    fill(k, n - 1, k, n - 1)
    begins.push(begin)
    least = next
  }
  const starts: number[] = []
  let end = n - 1
  for (let k = count - 1; k >= 0; k -= 1) {
    const start = k === 0 ? 0 : (begins[k]?.[end] ?? 0)
    starts.unshift(start)
    end = start - 1
  }
  return starts
}

/** Returns a function of two indices: the sum of squared deviations from the mean of the values between them. */
function deviations(values: readonly number[], weights: readonly number[]) {
  const n = values.length
  // Relative to the median, so that large numbers near each other keep their precision.
  const middle = values[n >> 1] ?? 0
  const [amounts, sums, squares] = [0, 1, 2].map(() => new Float64Array(n + 1)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  values.forEach((value, i) => {
    const [weight, from] = [weights[i] ?? 1, value - middle]
    amounts[i + 1] = (amounts[i] ?? 0) + weight
    sums[i + 1] = (sums[i] ?? 0) + weight * from
    squares[i + 1] = (squares[i] ?? 0) + weight * from * from
  })
  const sumRange = (of: Float64Array, from: number, to: number) => (of[to + 1] ?? 0) - (of[from] ?? 0)
  return (from: number, to: number) =>
    Math.max(0, sumRange(squares, from, to) - sumRange(sums, from, to) ** 2 / sumRange(amounts, from, to))
}

/** The last multiple of the largest power of ten that has one above a number and not above another. */
function roundest(above: number, upTo: number): number {
  if (upTo === 0) return 0
  const largest = Math.ceil(Math.log10(Math.abs(upTo))) + 1
  for (let power = largest; power > largest - 15; power -= 1) {
    const unit = 10 ** power
    const bound = exact(Math.floor(upTo / unit) * unit)
    if (bound > above && bound <= upTo) return bound
  }
  return upTo
}
