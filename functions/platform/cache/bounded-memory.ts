/** The limits of a memory. */
export interface Bounds<Value> {
  /** The maximal total cost of all values; the newest one is kept even if it alone costs more. */
  cost: number
  estimateCost(value: Value, name: string): number
  /** Values that cost more than this are never stored. */
  largest?: number
  entries?: number
}

/** A least-recently-used cache in the memory of the isolate. Reading and writing take constant time. */
export class BoundedMemory<Value> {
  #held = new Map<string, { value: Value; cost: number }>()
  #cost = 0

  constructor(readonly bounds: Bounds<Value>) {}

  get size(): number {
    return this.#held.size
  }

  /** The total cost of the stored values. */
  get cost(): number {
    return this.#cost
  }

  get(name: string): Value | undefined {
    const entry = this.#held.get(name)
    if (!entry) return undefined
    // A Map iterates in insertion order, and a read inserts again: its first key is the least recently used.
    this.#held.delete(name)
    this.#held.set(name, entry)
    return entry.value
  }

  /** Returns the stored value, or else the result of `make`, which is stored. */
  getOrMake(name: string, make: () => Value): Value {
    const entry = this.get(name)
    if (entry !== undefined) return entry
    const value = make()
    this.put(name, value)
    return value
  }

  put(name: string, value: Value): void {
    this.drop(name)
    const { cost: most, estimateCost, largest = Infinity, entries = Infinity } = this.bounds
    const cost = estimateCost(value, name)
    if (cost > largest) return
    this.#held.set(name, { value, cost })
    this.#cost += cost
    for (const oldest of this.#held.keys()) {
      if (oldest === name || (this.#cost <= most && this.#held.size <= entries)) break
      this.drop(oldest)
    }
  }

  drop(name: string): void {
    const entry = this.#held.get(name)
    if (!entry) return
    this.#held.delete(name)
    this.#cost -= entry.cost
  }
}

/** The approximate size of an entry in bytes, without its body and name. */
const overhead = 1500

/**
 * A cache of bodies. `maxBytes`: total size of bodies, names and overhead; a body larger than a sixteenth of it is not
 * stored.
 */
export function byteMemory<Value extends { body: Uint8Array }>(
  maxBytes: number,
  maxEntries = 10_000,
): BoundedMemory<Value> {
  return new BoundedMemory<Value>({
    cost: maxBytes,
    largest: maxBytes / 16,
    entries: maxEntries,
    estimateCost: ({ body }, name) => body.byteLength + 2 * name.length + overhead,
  })
}
