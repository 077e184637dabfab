/** What the first of several equal questions tells the others; null when it has nothing to give them. */
type Landing<T> = (result: T | null) => void

interface Flight<T> {
  result: Promise<T | null>
  startedAt: number
}

/** A statement ends after 20 s, and with it whoever waits for it. */
const waitMs = 21_000

/**
 * Equal questions at once are asked once: the first one leads, the others wait for what it brings. Only plain values are
 * shared, since a request of workerd may not touch a stream or socket of another. Each who waits has a clock of its own,
 * so one whose leader was cut off goes on by itself.
 */
export class SingleFlight<T> {
  #flying = new Map<string, Flight<T>>()

  constructor(readonly patienceMs = waitMs) {}

  /** Leads, when no one flies under this name: then `land` must be called. Else gives what the leader brings. */
  join(name: string, now: number): { land: Landing<T> } | { wait(): Promise<T | null> } {
    const flight = this.#flying.get(name)
    if (flight && now - flight.startedAt < this.patienceMs) return { wait: () => this.#wait(flight) }
    let settle: Landing<T> = () => {}
    const mine: Flight<T> = { result: new Promise((resolve) => (settle = resolve)), startedAt: now }
    this.#flying.set(name, mine)
    const land: Landing<T> = (result) => {
      if (this.#flying.get(name) === mine) this.#flying.delete(name)
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
