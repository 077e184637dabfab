/**
 * The one text of a value that came as JSON or as a query string: two that hold the same have the same text, two that
 * do not have different ones. Names of an object are sorted, since no question means anything by their order; lists
 * keep theirs. A number and the text of it are different. It recurses: what may be nested deeper than `size.ts` allows
 * must be refused before. RFC 8785 is the model; unlike there, numbers that JSON has no word for keep their own.
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
  // JSON would write what is too large for a number (1e400) as null.
  if (typeof value === 'number') return String(value)
  return JSON.stringify(value ?? null)
}
