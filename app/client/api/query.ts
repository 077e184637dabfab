/**
 * Serializes options as a query string in brackets: `filters[0][data.type]=Noise`. Dots are not special, null is a key without `=`,
 * dates are ISO 8601; undefined and empty objects and lists are omitted. '' if nothing is left; no question mark.
 */
export function queryText(options: Record<string, unknown>): string {
  const parts: string[] = []
  const append = (key: string, value: unknown): void => {
    if (value === undefined) return
    if (value === null) parts.push(encodeURIComponent(key))
    else if (value instanceof Date) append(key, value.toISOString())
    else if (typeof value === 'object')
      for (const [name, part] of Object.entries(value)) append(`${key}[${name}]`, part)
    else parts.push(`${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`)
  }
  for (const [name, value] of Object.entries(options)) append(name, value)
  return parts.join('&')
}

/** A path with its parameters filled in. Throws a TypeError that names a missing one. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' || value === '') throw new TypeError(`${path} needs ${name}.`)
    return encodeURIComponent(value)
  })
}
