import { isPlainObject, jsonForm, maxDepth } from './plain.ts'

/** True if no two items are equal; lists and maps are compared by what they hold, whatever the order of their keys. */
export function areUnique(items: readonly unknown[]): boolean {
  const earlier = new Set<unknown>()
  for (const item of items)
    earlier.add(typeof item === 'object' && item !== null ? identityOf(item, 0) : item)
  return earlier.size === items.length
}

/**
 * Text that is the same for equal values only. The leading mark keeps it apart from texts that are items themselves.
 * Below the depth that a stored value may have nothing is compared: such a value is refused for its depth.
 */
function identityOf(raw: unknown, depth: number): string {
  const value = jsonForm(raw)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if (depth > maxDepth) return '…'
  const mark = depth === 0 ? '\0' : ''
  if (Array.isArray(value)) return `${mark}[${value.map((item) => identityOf(item, depth + 1)).join(',')}]`
  const members = isPlainObject(value) ? value : { ...value }
  const keys = Object.keys(members).sort()
  return `${mark}{${keys.map((key) => `${JSON.stringify(key)}:${identityOf(members[key], depth + 1)}`).join(',')}}`
}
