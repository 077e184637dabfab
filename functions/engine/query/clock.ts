import { functionsByKey } from './library/index.ts'

/**
 * Whether the answer to a question may be another one later though the data is the same: it asks what time it is, or for areas of a set,
 * which may get another file.
 * Looks at what was sent, understood or not; walks without recursion, so no depth can overflow the stack.
 */
export function readsClock(query: unknown): boolean {
  const waiting = [query]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    // What came may be anything: a value that is no text names no function, and may have no way to become one.
    if (Object.hasOwn(value, 'boundarySetId')) return true
    if ('function' in value && typeof value.function === 'string') {
      if (functionsByKey.get(value.function)?.readsClock) return true
    }
    for (const part of Object.values(value)) waiting.push(part)
  }
  return false
}
