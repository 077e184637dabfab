/** True for an object that is a bag of members: `{}`, `Object.create(null)`, from any realm; not lists or instances. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The member of that name if the object itself has it, else undefined: `constructor` finds nothing in `{}`. */
export function own<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
}

/** Gives the object that own member, even one called `__proto__`, which a plain assignment would take for the prototype. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    object[key] = value
  }
}

/** The value as it would travel: what its `toJSON` gives (a Date becomes ISO text), else the value itself. */
export function jsonForm(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value
  return typeof value.toJSON === 'function' ? (value.toJSON() as unknown) : value
}

/** How deep a map without a schema, and the schema of a data type, may be nested. */
export const maxDepth = 64

/** True for text that a database column keeps unchanged: no U+0000 and no half of a surrogate pair. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed()
}

/**
 * True if the content of a map without a schema can be stored as JSON: finite numbers, text that `isText` accepts
 * (keys too), at most 64 levels. Walks with a list of its own, so no nesting can exhaust the stack.
 */
export function isStorableJson(root: unknown): boolean {
  const rest: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { depth } = next
    const value = jsonForm(next.value)
    if (typeof value === 'string' && !isText(value)) return false
    if (typeof value === 'number' && !Number.isFinite(value)) return false
    if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') return false
    if (typeof value !== 'object' || value === null) continue
    if (depth >= maxDepth) return false
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) rest.push({ value: item, depth: depth + 1 })
    } else {
      for (const [key, member] of Object.entries(value)) {
        if (!isText(key)) return false
        rest.push({ value: member, depth: depth + 1 })
      }
    }
  }
  return true
}
