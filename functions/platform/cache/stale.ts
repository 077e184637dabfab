import { BoundedMemory } from './bounded-memory.ts'
import { StorageError, withTimeout } from '#functions/platform/storage.ts'

/** Timeout in ms for a fresh value where an older one is available. */
export const deadlineMs = 1500

/** For how long (ms) the storage is not read again after a failure where memory has a fallback. */
export const againMs = 2000

/** The oldest that public state from memory may be while the storage cannot be read. */
export const maxStaleMs = 15 * 60_000

/** Keeps the Worker alive for work that finishes after the response (`waitUntil`); the next request has its result. */
export type BackgroundWork = (work: Promise<unknown>) => void

/** The result of some work if it arrives within 1.5 s; null when it fails or is late. The work is not cancelled. */
export async function awaitWithinDeadline<Value>(work: Promise<Value>): Promise<{ value: Value } | null> {
  try {
    return { value: await withTimeout(deadlineMs, work) }
  } catch {
    return null
  }
}

/** When a read failed last, by key (ms since 1970). */
const failures = new BoundedMemory<number>({ cost: 2000, estimateCost: () => 1 })

/**
 * Reads from the storage, with a fallback. Where there is an `other` value (null: none), the read has 1.5 s, and `other`
 * is returned when it fails, is late, or failed within the last two seconds; a late read continues through `later`.
 * Throws `StorageError` when the read fails and there is no `other`.
 */
export async function readOrOther<Value>(
  key: string,
  read: () => Promise<Value>,
  other: Value | null,
  later?: BackgroundWork,
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
