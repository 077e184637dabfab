import { functionsByKey } from './library/index.ts'

/**
 * Whether the answer of a query may change although the data do not: it uses the current time, or areas of a boundary
 * set, which may get another file. Works on the raw query, valid or not; iterative, so that deep nesting cannot overflow
 * the stack.
 */
export function readsClock(query: unknown): boolean {
  const waiting = [query]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    // The input is not validated: only a string can name a function, and other values may not even convert to
    // a string.
    if (Object.hasOwn(value, 'boundarySetId')) return true
    if ('function' in value && typeof value.function === 'string') {
      if (functionsByKey.get(value.function)?.readsClock) return true
    }
    for (const part of Object.values(value)) waiting.push(part)
  }
  return false
}
