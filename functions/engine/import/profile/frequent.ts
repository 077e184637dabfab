const capacity = 256
/** Longer values are truncated. */
const maxLength = 100

export interface FrequentState {
  counts: [value: string, count: number][]
  error: number
}

/**
 * The most frequent values. Has counters for 256 of them; when they run out all are lowered by their median and empty
 * ones removed (Misra and Gries, 1982; the purge of Anderson and others, arXiv 1705.07001). A count is too low by at
 * most `error`, never too high; exact with at most 256 distinct values.
 */
export class Frequent {
  private counts = new Map<string, number>()
  private error = 0

  add(value: string, times = 1): void {
    if (value.length > maxLength) return
    this.counts.set(value, (this.counts.get(value) ?? 0) + times)
    if (this.counts.size > capacity) this.purge()
  }

  /** Those with the highest counts, highest first; equal counts by value. */
  top(most: number): { values: { value: string; count: number }[]; error: number } {
    const values = [...this.counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    return { values: values.slice(0, most), error: this.error }
  }

  merge(other: Frequent): void {
    this.error += other.error
    for (const [value, count] of other.counts) this.add(value, count)
  }

  toJSON(): FrequentState {
    return { counts: [...this.counts], error: this.error }
  }

  static from({ counts, error }: FrequentState): Frequent {
    const frequent = new Frequent()
    frequent.counts = new Map(counts)
    frequent.error = error
    return frequent
  }

  private purge(): void {
    const median = computeMedian([...this.counts.values()])
    this.error += median
    for (const [value, count] of this.counts) {
      if (count > median) this.counts.set(value, count - median)
      else this.counts.delete(value)
    }
  }
}

/** The fast path where most values occurred once, as in a column of ids. */
function computeMedian(counts: number[]): number {
  let ones = 0
  for (const count of counts) if (count === 1) ones += 1
  return ones > counts.length / 2 ? 1 : counts.sort((a, b) => a - b)[counts.length >> 1]!
}
