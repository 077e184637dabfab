import { BoundedMemory, type Bounds } from './bounded-memory.ts'
import { ReadOnce } from './read-once.ts'
import { readOrOther, type Later } from './stale.ts'

/** How old what is known may be. */
interface PollingRules<Value> {
  /** Said in no answer: keeps the keys of one cache apart from those of another. */
  name: string
  /** For so long (ms) it is given without asking the storage. */
  freshMs: number
  /** For so long (ms) it is given where the storage does not answer; 0: never. Null is never given then. */
  staleMs: number
  /** What of it is held in memory. */
  bounds: Bounds<Value>
}

/** What is known of a key, and since when (ms). `isStale`: the storage did not say so now. */
interface Known<Value> {
  value: Value
  readAt: number
  isStale: boolean
}

type Held<Value> = Omit<Known<Value>, 'isStale'>

/**
 * What may change under its key at any time, so that the storage is asked again and again: at most once in `freshMs`, and
 * once for all who ask meanwhile. It counts from before it was read: a change that came while it was read is not missed
 * for longer.
 */
export class PolledCache<Value> {
  #held: BoundedMemory<Held<Value>>
  #reads: ReadOnce
  /** Reads that began before something was dropped are not remembered. */
  #drops = 0

  constructor(readonly rules: PollingRules<Value>) {
    const { costOf, ...bounds } = rules.bounds
    this.#held = new BoundedMemory({ ...bounds, costOf: ({ value }, key) => costOf(value, key) })
    this.#reads = new ReadOnce(rules.freshMs)
  }

  /**
   * The value as it was at most `freshMs` ago; where the storage does not answer in time as it was at most `staleMs` ago. `load` is
   * given what was known before, to ask only whether that changed. Throws `StorageError` when there is neither; a load that comes too
   * late ends by `later`.
   */
  async read(
    key: string,
    load: (before: Value | undefined) => Promise<Value>,
    later?: Later,
  ): Promise<Known<Value>> {
    const held = this.#fresh(key)
    if (held) return { ...held, isStale: false }
    const known = this.#held.get(key)
    const other = known && this.#mayBeStale(known) ? known : null
    const read = () => this.#load(key, load)
    const { value, isOther } = await readOrOther(`${this.rules.name} ${key}`, read, other, later)
    return { ...value, isStale: isOther }
  }

  /** As `read`, and never what is older than `freshMs`: fails as `load` fails. */
  async readFresh(key: string, load: (before: Value | undefined) => Promise<Value>): Promise<Value> {
    return (this.#fresh(key) ?? (await this.#load(key, load))).value
  }

  /** Has the next one who asks read it again, if it was read `ms` ago or earlier; it may still be given where that fails. */
  expire(key: string, ms: number): void {
    const held = this.#held.get(key)
    if (held && Date.now() - held.readAt >= ms) this.#expired.add(held)
  }

  /** Forgets what is known of a key: it was written just now. */
  drop(key: string): void {
    this.#drops += 1
    this.#held.drop(key)
  }

  #expired = new WeakSet<Held<Value>>()

  #fresh(key: string): Held<Value> | undefined {
    const held = this.#held.get(key)
    const isFresh = held && Date.now() - held.readAt < this.rules.freshMs && !this.#expired.has(held)
    return isFresh ? held : undefined
  }

  #mayBeStale({ value, readAt }: Held<Value>): boolean {
    return value !== null && Date.now() - readAt <= this.rules.staleMs
  }

  #load(key: string, load: (before: Value | undefined) => Promise<Value>): Promise<Held<Value>> {
    const drops = this.#drops
    return this.#reads.read(`${drops} ${key}`, async () => {
      const readAt = Date.now()
      const value = await load(this.#held.get(key)?.value)
      const known = { value, readAt }
      // One that began earlier and came later says nothing of now.
      const isNewest = (this.#held.get(key)?.readAt ?? -Infinity) <= readAt
      if (drops === this.#drops && isNewest) this.#held.put(key, known)
      return known
    })
  }
}
