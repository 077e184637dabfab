import { BoundedMemory, type Bounds } from './bounded-memory.ts'
import { ReadOnce } from './read-once.ts'
import { readOrOther, type Later } from './stale.ts'

/** How old a value may be. */
interface PollingRules<Value> {
  /** Internal: keeps the keys of one cache apart from those of another. */
  name: string
  /** For how long (ms) a value is given without asking the storage. */
  freshMs: number
  /** For how long (ms) a value is given while the storage does not answer; 0: not at all. A value of null is never given then. */
  staleMs: number
  /** The limits of the memory. */
  bounds: Bounds<Value>
}

/** A value and when its read began (ms since 1970). `isStale`: it comes from memory because the storage did not answer. */
interface Known<Value> {
  value: Value
  readAt: number
  isStale: boolean
}

type Held<Value> = Omit<Known<Value>, 'isStale'>

/**
 * A cache for values that may change at any time: the storage is asked at most once in `freshMs`, and once for all callers
 * meanwhile. The age of a value counts from before its read began, so a change during the read is not missed for longer.
 */
export class PolledCache<Value> {
  #held: BoundedMemory<Held<Value>>
  #reads: ReadOnce
  /** Counts drops: a read that began before a drop is not stored. */
  #drops = 0

  constructor(readonly rules: PollingRules<Value>) {
    const { costOf, ...bounds } = rules.bounds
    this.#held = new BoundedMemory({ ...bounds, costOf: ({ value }, key) => costOf(value, key) })
    this.#reads = new ReadOnce(rules.freshMs)
  }

  /**
   * The value of at most `freshMs` ago, or of at most `staleMs` ago where the storage does not answer in time. `load` gets the value
   * known before, so that it can ask only whether that has changed. Throws `StorageError` when there is neither; a late load goes on
   * by `later`.
   */
  async read(
    key: string,
    load: (before: Value | undefined) => Promise<Value>,
    later?: Later,
  ): Promise<Known<Value>> {
    const fresh = this.#fresh(key)
    if (fresh) return { ...fresh, isStale: false }
    const entry = this.#held.get(key)
    const other = entry && this.#mayBeStale(entry) ? entry : null
    const loadAgain = () => this.#load(key, load)
    const { value, isOther } = await readOrOther(`${this.rules.name} ${key}`, loadAgain, other, later)
    return { ...value, isStale: isOther }
  }

  /** As `read`, but never gives a value older than `freshMs`: rejects as `load` does. */
  async readFresh(key: string, load: (before: Value | undefined) => Promise<Value>): Promise<Value> {
    return (this.#fresh(key) ?? (await this.#load(key, load))).value
  }

  /** Makes the next call read again, if the value was read `ms` ago or earlier. It remains the fallback where that read fails. */
  expire(key: string, ms: number): void {
    const entry = this.#held.get(key)
    if (entry && Date.now() - entry.readAt >= ms) this.#expired.add(entry)
  }

  /** Forgets the value of a key, after it was written. */
  drop(key: string): void {
    this.#drops += 1
    this.#held.drop(key)
  }

  #expired = new WeakSet<Held<Value>>()

  #fresh(key: string): Held<Value> | undefined {
    const entry = this.#held.get(key)
    const isFresh = entry && Date.now() - entry.readAt < this.rules.freshMs && !this.#expired.has(entry)
    return isFresh ? entry : undefined
  }

  #mayBeStale({ value, readAt }: Held<Value>): boolean {
    return value !== null && Date.now() - readAt <= this.rules.staleMs
  }

  #load(key: string, load: (before: Value | undefined) => Promise<Value>): Promise<Held<Value>> {
    const drops = this.#drops
    return this.#reads.read(`${drops} ${key}`, async () => {
      const readAt = Date.now()
      const value = await load(this.#held.get(key)?.value)
      const entry = { value, readAt }
      // A slower read that began earlier must not replace a newer value.
      const isNewest = (this.#held.get(key)?.readAt ?? -Infinity) <= readAt
      if (drops === this.#drops && isNewest) this.#held.put(key, entry)
      return entry
    })
  }
}
