/** Ends the leader's request: passes its result to the waiting ones, null when there is none to share. */
type ShareResult<T> = (result: T | null) => void

interface Flight<T> {
  result: Promise<T | null>
  startedAt: number
}

/** A database statement is cancelled after 20 s, so no leader takes much longer than that. */
const waitMs = 21_000

/**
 * Merges concurrent requests of the same name: the first one leads and computes, the others wait for its result. Only
 * plain values are shared, because in workerd a request may not use streams or sockets of another. Each waiting request
 * has its own timeout, so that it continues alone when its leader was cancelled.
 */
export class SingleFlight<T> {
  #flying = new Map<string, Flight<T>>()

  constructor(readonly patienceMs = waitMs) {}

  /** Where no equal request is in progress the caller leads and must call `land`; else `wait` gives the leader's result, null on timeout. */
  join(name: string, now: number): { land: ShareResult<T> } | { wait(): Promise<T | null> } {
    const flight = this.#flying.get(name)
    if (flight && now - flight.startedAt < this.patienceMs) return { wait: () => this.#wait(flight) }
    let settle: ShareResult<T> = () => {}
    const newFlight: Flight<T> = { result: new Promise((resolve) => (settle = resolve)), startedAt: now }
    this.#flying.set(name, newFlight)
    const land: ShareResult<T> = (result) => {
      if (this.#flying.get(name) === newFlight) this.#flying.delete(name)
      settle(result)
    }
    return { land }
  }

  async #wait({ result }: Flight<T>): Promise<T | null> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.patienceMs)
    })
    try {
      return await Promise.race([result, late])
    } finally {
      clearTimeout(timer)
    }
  }
}
