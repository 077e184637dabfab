/** Counts are written after this time, or this number of requests. */
const flushMs = 10_000
const flushCounts = 100
/** The most keys in memory; while nothing can be written, new keys beyond this are not counted. */
const maxKept = 10_000

/** What this isolate has counted and not written yet. */
interface Counter<Count> {
  /** Adds a count to the one under its key. Touches only memory. */
  add(key: string, count: Count): void
  /** Whether it is time to write: ten seconds have passed since the last time, or there are 100 to write. */
  isDue(now: Date): boolean
  /**
   * Passes the counts to `write` and returns how many requests they are. Rejects when `write` does: the counts are kept
   * for the next call. `isMine`: the counts for this writer; the rest stays for another.
   */
  flush(
    write: (counts: Count[]) => Promise<void>,
    now: Date,
    isMine?: (count: Count) => boolean,
  ): Promise<number>
}

/**
 * A counter in memory. `merge` adds a count to the existing one of its key; `countRequests` returns the number of requests of a
 * count.
 */
export function counter<Count extends object>(
  merge: (total: Count, more: Count) => void,
  countRequests: (count: Count) => number,
): Counter<Count> {
  let counts = new Map<string, Count>()
  let waiting = 0
  let flushedAt = 0
  const add = (key: string, count: Count) => {
    const total = counts.get(key)
    if (total) merge(total, count)
    else if (counts.size < maxKept) counts.set(key, { ...count })
    else return
    waiting += countRequests(count)
  }
  return {
    add,
    isDue: (now) => waiting > 0 && (waiting >= flushCounts || now.getTime() - flushedAt >= flushMs),
    async flush(write, now, isMine = () => true) {
      const batch = [...counts].filter(([, count]) => isMine(count))
      const weight = batch.reduce((sum, [, count]) => sum + countRequests(count), 0)
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
