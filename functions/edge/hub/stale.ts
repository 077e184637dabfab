import { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { StorageError, withTimeout } from '#functions/platform/storage.ts'

/** So long a read of the storage is waited for where memory has something instead; else as long as the bucket may take. */
const slowMs = 1500

/** What could not be read is not tried again for so long where memory has something instead. */
export const againMs = 2000

/** What is public may be known from memory for so long while it cannot be read. */
export const mostStaleMs = 15 * 60_000

/** Lets a read end that comes too late for who asked; the next one has what it gives. */
export type Later = (work: Promise<unknown>) => void

/**
 * What a read of the storage gives; null when it fails, or is late. `hasOther`: memory has something instead, so it is waited for
 * only a moment. A late one goes on, by `later`.
 */
export async function readInTime<Value>(
  read: () => Promise<Value>,
  hasOther: boolean,
  later?: Later,
): Promise<{ value: Value } | null> {
  const reading = read()
  try {
    return { value: await (hasOther ? withTimeout(slowMs, reading) : reading) }
  } catch {
    later?.(reading.catch(() => {}))
    return null
  }
}

/** When something could not be read, by its key (ms). */
const failures = new BoundedMemory<number>({ cost: 2000, costOf: () => 1 })

/**
 * As `readInTime`; what memory has instead (`other`: null without one) is given at once where the read has failed just now. Throws
 * `StorageError` when there is neither.
 */
export async function readOrOther<Value>(
  key: string,
  read: () => Promise<Value>,
  other: Value | null,
  later?: Later,
): Promise<{ value: Value; isOther: boolean }> {
  const hasFailed = Date.now() - (failures.get(key) ?? -Infinity) < againMs
  const found = other !== null && hasFailed ? null : await readInTime(read, other !== null, later)
  if (found) {
    failures.drop(key)
    return { ...found, isOther: false }
  }
  if (!hasFailed) failures.put(key, Date.now())
  if (other === null) throw new StorageError('What is asked for cannot be read.')
  return { value: other, isOther: true }
}

/** What an answer of older data says of itself; no one is to keep it as one of today. */
export function ofThen(at: number): Record<string, string> {
  return {
    'cache-control': 'no-store',
    age: String(Math.max(0, Math.floor((Date.now() - at) / 1000))),
    warning: '110 - "Response is Stale"',
    'x-snapshot-date': new Date(at).toISOString(),
  }
}
