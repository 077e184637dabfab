/** Whether a value is a plain object: `{}`, `Object.create(null)`, from any realm; not an array or class instance. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The own member of that name, else undefined: `constructor` finds nothing in `{}`. */
export function getOwnProperty<T>(
  object: Readonly<Record<string, T>> | undefined,
  key: string,
): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets an own member, even `__proto__`, which a plain assignment would treat as the prototype. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  } else {
    object[key] = value
  }
}

/** The value after JSON serialization: the result of its `toJSON` (a Date becomes ISO text), else itself. */
export function jsonForm(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value
  return typeof value.toJSON === 'function' ? (value.toJSON() as unknown) : value
}

/** Maximum nesting depth of a map without a schema, and of a data type's schema. */
export const maxDepth = 64

/** Whether Postgres can store a text unchanged: no U+0000 and no lone surrogates. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed()
}

/**
 * Whether the content of a map without a schema can be stored as JSON: finite numbers, text valid by `isText` (keys too), at most 64
 * levels. Uses an explicit stack, so no nesting overflows the call stack.
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
