/**
 * The names of definitions that are reachable from a value through any number of references; `prefix` is their path in
 * the document, such as `#/definitions/`.
 */
export function findReachable(from: unknown, all: Record<string, unknown>, prefix: string): Set<string> {
  const keys = new Set<string>()
  const waiting: unknown[] = [from]
  while (waiting.length) {
    const node = waiting.pop()
    if (typeof node !== 'object' || node === null) continue
    const { $ref } = node as { $ref?: unknown }
    const name = typeof $ref === 'string' && $ref.startsWith(prefix) ? $ref.slice(prefix.length) : undefined
    if (name !== undefined && !keys.has(name)) {
      keys.add(name)
      waiting.push(all[name])
    }
    waiting.push(...(Object.values(node) as unknown[]))
  }
  return keys
}
