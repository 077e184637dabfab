import { SingleFlight } from './single-flight.ts'

type Outcome = { value: unknown } | { error: unknown }

/** Merges concurrent reads of the same key from storage. */
export class ReadOnce {
  #reads: SingleFlight<Outcome>

  /**
   * `patienceMs`: a read that began longer ago is not joined, and no caller waits longer for one; then the caller reads
   * by itself.
   */
  constructor(patienceMs: number) {
    this.#reads = new SingleFlight<Outcome>(patienceMs)
  }

  /** The result of `read`, or of a read in progress under this key. When that one fails, it fails for all who joined. */
  async read<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const joined = this.#reads.join(key, Date.now())
    if ('wait' in joined) {
      const outcome = await joined.wait()
      if (outcome === null) return read()
      if ('error' in outcome) throw outcome.error
      return outcome.value as Value
    }
    try {
      const value = await read()
      joined.land({ value })
      return value
    } catch (error) {
      joined.land({ error })
      throw error
    }
  }
}
