import { SingleFlight } from './single-flight.ts'

type Outcome = { value: unknown } | { error: unknown }

/** Reads of the storage that are under way, so that what many ask for at once is read once. */
export class ReadOnce {
  #reads: SingleFlight<Outcome>

  /** `patienceMs`: a read that began longer ago is not joined, and nobody waits longer for it; then one reads for oneself. */
  constructor(patienceMs: number) {
    this.#reads = new SingleFlight<Outcome>(patienceMs)
  }

  /** What `read` gives, or what a read under this key gives that is under way already. It fails for all as it fails for the first. */
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
