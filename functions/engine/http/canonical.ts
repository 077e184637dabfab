/**
 * Canonical text of a value from JSON or a query string: equal values have equal texts, different ones different texts.
 * Keys of objects are sorted, since their order never matters; lists keep theirs. A number and its text are different.
 * Recursive: values nested more deeply than `size.ts` allows must be rejected before. Based on RFC 8785, but numbers
 * that JSON cannot represent have a text of their own.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const parts = Object.keys(value)
      .sort()
      .filter((name) => (value as Record<string, unknown>)[name] !== undefined)
      .map((name) => `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name])}`)
    return `{${parts.join(',')}}`
  }
  // JSON would write a number that is too large (1e400) as null.
  if (typeof value === 'number') return String(value)
  return JSON.stringify(value ?? null)
}
