import { BoundedMemory, type Bounds } from './bounded-memory.ts'
import { ReadOnce } from './read-once.ts'
import { readOrOther, type BackgroundWork } from './stale.ts'

/** How old a value may be. */
interface PollingRules<Value> {
  /** Internal: separates the keys of different caches. */
  name: string
  /** For how long (ms) a value is returned without a read from storage. */
  freshMs: number
  /** For how long (ms) a value is returned while the storage does not answer; 0: never. A null value is never returned then. */
  staleMs: number
  /** The limits of the memory. */
  bounds: Bounds<Value>
}

/** A value and when its read began (ms since 1970). `isStale`: it comes from memory because the storage did not answer. */
interface PolledValue<Value> {
  value: Value
  readAt: number
  isStale: boolean
}

type StoredValue<Value> = Omit<PolledValue<Value>, 'isStale'>

/**
 * A cache for values that may change at any time: the storage is read at most once per `freshMs`, and once for
 * concurrent callers. The age of a value counts from the start of its read, so that a change during the read is not
 * missed for longer.
 */
export class PolledCache<Value> {
  #held: BoundedMemory<StoredValue<Value>>
  #reads: ReadOnce
  /** Counts drops: a read that began before a drop is not stored. */
  #drops = 0

  constructor(readonly rules: PollingRules<Value>) {
    const { estimateCost, ...bounds } = rules.bounds
    this.#held = new BoundedMemory({ ...bounds, estimateCost: ({ value }, key) => estimateCost(value, key) })
    this.#reads = new ReadOnce(rules.freshMs)
  }

  /**
   * Returns a value read within `freshMs`, or within `staleMs` where the storage does not answer in time. `load` gets
   * the value known before, for a conditional read. Throws `StorageError` when there is neither; a late load continues
   * through `later`.
   */
  async read(
    key: string,
    load: (before: Value | undefined) => Promise<Value>,
    later?: BackgroundWork,
  ): Promise<PolledValue<Value>> {
    const fresh = this.#fresh(key)
    if (fresh) return { ...fresh, isStale: false }
    const entry = this.#held.get(key)
    const other = entry && this.#mayBeStale(entry) ? entry : null
    const loadAgain = () => this.#load(key, load)
    const { value, isOther } = await readOrOther(`${this.rules.name} ${key}`, loadAgain, other, later)
    return { ...value, isStale: isOther }
  }

  /** Like `read`, but never returns a value older than `freshMs`: rejects as `load` does. */
  async readFresh(key: string, load: (before: Value | undefined) => Promise<Value>): Promise<Value> {
    return (this.#fresh(key) ?? (await this.#load(key, load))).value
  }

  /** Makes the next call read again if the value was read at least `ms` ago. It remains the fallback when that read fails. */
  expire(key: string, ms: number): void {
    const entry = this.#held.get(key)
    if (entry && Date.now() - entry.readAt >= ms) this.#expired.add(entry)
  }

  /** Forgets the value of a key, after it was written. */
  drop(key: string): void {
    this.#drops += 1
    this.#held.drop(key)
  }

  #expired = new WeakSet<StoredValue<Value>>()

  #fresh(key: string): StoredValue<Value> | undefined {
    const entry = this.#held.get(key)
    const isFresh = entry && Date.now() - entry.readAt < this.rules.freshMs && !this.#expired.has(entry)
    return isFresh ? entry : undefined
  }

  #mayBeStale({ value, readAt }: StoredValue<Value>): boolean {
    return value !== null && Date.now() - readAt <= this.rules.staleMs
  }

  #load(key: string, load: (before: Value | undefined) => Promise<Value>): Promise<StoredValue<Value>> {
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
