import { BoundedMemory } from './bounded-memory.ts'
import { StorageError, withTimeout } from '#functions/platform/storage.ts'

/** So long what is new is waited for where something older is at hand. */
export const deadlineMs = 1500

/** What could not be read is not tried again for so long where memory has something instead. */
export const againMs = 2000

/** What is public may be known from memory for so long while it cannot be read. */
export const mostStaleMs = 15 * 60_000

/** Lets work end that comes too late for who asked; the next one has what it gives. */
export type Later = (work: Promise<unknown>) => void

/** What some work gives within 1.5 s; null where it fails or is late. The work goes on. */
export async function inTime<Value>(work: Promise<Value>): Promise<{ value: Value } | null> {
  try {
    return { value: await withTimeout(deadlineMs, work) }
  } catch {
    return null
  }
}

/** When something could not be read, by its key (ms). */
const failures = new BoundedMemory<number>({ cost: 2000, costOf: () => 1 })

/**
 * What a read of the storage gives. Where there is something `other` (null: nothing), it is waited for only a moment, and the
 * other is given where the read fails, is late, or has failed just now; a late one goes on, by `later`. Throws `StorageError` when
 * there is neither.
 */
export async function readOrOther<Value>(
  key: string,
  read: () => Promise<Value>,
  other: Value | null,
  later?: Later,
): Promise<{ value: Value; isOther: boolean }> {
  const hasFailed = Date.now() - (failures.get(key) ?? -Infinity) < againMs
  if (other !== null && hasFailed) return { value: other, isOther: true }
  const reading = read()
  try {
    const value = await (other === null ? reading : withTimeout(deadlineMs, reading))
    failures.drop(key)
    return { value, isOther: false }
  } catch (cause) {
    later?.(reading.catch(() => {}))
    if (!hasFailed) failures.put(key, Date.now())
    if (other === null) throw new StorageError('What is asked for cannot be read.', { cause })
    return { value: other, isOther: true }
  }
}
