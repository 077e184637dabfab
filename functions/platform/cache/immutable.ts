import { BoundedMemory, type Bounds } from './bounded-memory.ts'
import { ReadOnce } from './read-once.ts'

/** How long a caller waits for a read of another caller before it reads by itself, in ms. */
const patienceMs = 5000

/**
 * A cache for immutable values, whose key contains a version or a digest. Concurrent reads of a key are merged. A
 * missing value is looked up again each time.
 */
export class ImmutableCache<Value> {
  #known: BoundedMemory<Value>
  #reads = new ReadOnce(patienceMs)

  constructor(bounds: Bounds<Value>) {
    this.#known = new BoundedMemory(bounds)
  }

  /** The value if it is in memory, else undefined; nothing is read. */
  peek(key: string): Value | undefined {
    return this.#known.get(key)
  }

  /** Stores a value that was just written under this key, so that it need not be read. */
  put(key: string, value: Value): void {
    this.#known.put(key, value)
  }

  /** The value from memory, else from `load`; null where `load` finds none. Rejects as `load` does. */
  async read(key: string, load: () => Promise<Value | null>): Promise<Value | null> {
    const entry = this.#known.get(key)
    if (entry !== undefined) return entry
    return this.#reads.read(key, async () => {
      const value = await load()
      if (value !== null) this.#known.put(key, value)
      return value
    })
  }
}
