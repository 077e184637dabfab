/** Counts are written at the latest after so long, or so many. */
const flushMs = 10_000
const flushCounts = 100
/** Names in memory; while nothing can be written, new ones beyond this are not counted. */
const maxKept = 10_000

/** What this isolate has counted and not written yet. */
interface Counter<Count> {
  /** Counts under a key, beside what is counted there already. Only memory is touched. */
  add(key: string, count: Count): void
  /** Whether it is time to write: ten seconds have passed since the last time, or there are 100 to write. */
  isDue(now: Date): boolean
  /**
   * Hands what was counted to `write` and gives how many that were. Fails when `write` does: the counts are kept then for
   * the next time. `isMine`: what is for this writer; the rest stays for another.
   */
  flush(
    write: (counts: Count[]) => Promise<void>,
    now: Date,
    isMine?: (count: Count) => boolean,
  ): Promise<number>
}

/** A counter in memory. `merge` adds a count to the one known under its key; `weigh` says how many requests it is. */
export function counter<Count extends object>(
  merge: (total: Count, more: Count) => void,
  weigh: (count: Count) => number,
): Counter<Count> {
  let counts = new Map<string, Count>()
  let waiting = 0
  let flushedAt = 0
  const add = (key: string, count: Count) => {
    const total = counts.get(key)
    if (total) merge(total, count)
    else if (counts.size < maxKept) counts.set(key, { ...count })
    else return
    waiting += weigh(count)
  }
  return {
    add,
    isDue: (now) => waiting > 0 && (waiting >= flushCounts || now.getTime() - flushedAt >= flushMs),
    async flush(write, now, isMine = () => true) {
      const batch = [...counts].filter(([, count]) => isMine(count))
      const weight = batch.reduce((sum, [, count]) => sum + weigh(count), 0)
      if (batch.length === counts.size) counts = new Map()
      else for (const [key] of batch) counts.delete(key)
      waiting -= weight
      flushedAt = now.getTime()
      if (batch.length === 0) return 0
      try {
        await write(batch.map(([, count]) => count))
        return weight
      } catch (error) {
        for (const [key, count] of batch) add(key, count)
        throw error
      }
    },
  }
}
