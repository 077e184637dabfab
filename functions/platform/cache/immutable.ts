import { BoundedMemory, type Bounds } from './bounded-memory.ts'
import { ReadOnce } from './read-once.ts'

/** So long others wait for a read that another began; then they read for themselves. */
const patienceMs = 5000

/**
 * What never changes under its key, since the key has the version or the digest in it: once read it is known, and what is asked
 * for by many at once is read once. What is not there is looked for again each time.
 */
export class ImmutableCache<Value> {
  #known: BoundedMemory<Value>
  #reads = new ReadOnce(patienceMs)

  constructor(bounds: Bounds<Value>) {
    this.#known = new BoundedMemory(bounds)
  }

  /** The value where memory has it; else undefined, and nothing is read. */
  peek(key: string): Value | undefined {
    return this.#known.get(key)
  }

  /** The value from memory, else as `load` gives it; null where `load` finds none. Fails as `load` fails. */
  async read(key: string, load: () => Promise<Value | null>): Promise<Value | null> {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    return this.#reads.read(key, async () => {
      const value = await load()
      if (value !== null) this.#known.put(key, value)
      return value
    })
  }
}
