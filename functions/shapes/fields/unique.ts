import { isPlainObject, jsonForm, maxDepth } from './plain.ts'

/** Whether no two items are equal; lists and maps are compared by content, ignoring the order of keys. */
export function areUnique(items: readonly unknown[]): boolean {
  const earlier = new Set<unknown>()
  for (const item of items)
    earlier.add(typeof item === 'object' && item !== null ? toComparableText(item, 0) : item)
  return earlier.size === items.length
}

/**
 * A text that is the same only for equal values. The prefix distinguishes it from text items. Values below the maximum depth are not
 * compared, as they are rejected anyway.
 */
function toComparableText(raw: unknown, depth: number): string {
  const value = jsonForm(raw)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if (depth > maxDepth) return '…'
  const mark = depth === 0 ? '\0' : ''
  if (Array.isArray(value))
    return `${mark}[${value.map((item) => toComparableText(item, depth + 1)).join(',')}]`
  const members = isPlainObject(value) ? value : { ...value }
  const keys = Object.keys(members).sort()
  return `${mark}{${keys.map((key) => `${JSON.stringify(key)}:${toComparableText(members[key], depth + 1)}`).join(',')}}`
}
