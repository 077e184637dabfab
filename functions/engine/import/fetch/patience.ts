import { networkError, tookTooLong, type FetchCode } from './errors.ts'
import type { Caps, FetchServices } from './ports.ts'

const firstMs = 1000
const longestMs = 60_000
const dayMs = 24 * 3600_000

/** Asking again here does not help: another reading has to begin, or it has been asked for often enough elsewhere. */
const notAgain = new Set<FetchCode>(['changed', 'grant'])

/** How often and how long one address is tried: the time runs from when this is made. */
export class Patience {
  readonly #ports: FetchServices
  readonly #attempts: number
  readonly #deadline: number
  readonly #signal: AbortSignal
  /** Which try in a row without anything new this is. */
  attempt = 1

  constructor(ports: FetchServices, { attempts, totalMs }: Caps, signal: AbortSignal) {
    this.#ports = ports
    this.#attempts = attempts
    this.#deadline = ports.now().getTime() + totalMs
    this.#signal = signal
  }

  /** Something new has come: the tries are counted anew. The time is not. */
  progress(): void {
    this.attempt = 1
  }

  /** Milliseconds that something may take that has a limit of its own. Throws a FetchError when none is left. */
  atMost(ms: number): number {
    const remainingMs = this.#deadline - this.#ports.now().getTime()
    if (remainingMs <= 0) throw outOfTime()
    return Math.min(ms, remainingMs)
  }

  /**
   * Waits until it is worth trying again: 1 s after the first try, twice as long after each further one up to 60 s, of
   * that the half to the whole by chance; longer when the server asks for it. Throws the error itself when it is not.
   */
  async after(thrown: unknown, isBody = false): Promise<void> {
    this.#signal.throwIfAborted()
    const error = networkError(thrown, isBody)
    if (notAgain.has(error.code)) throw error
    error.attempt = this.attempt
    if (!error.isTemporary || this.attempt >= this.#attempts) throw error
    const step = Math.min(longestMs, firstMs * 2 ** (this.attempt - 1))
    const wait = Math.max(step * (0.5 + this.#ports.random() / 2), error.retryAfterMs ?? 0)
    if (this.#ports.now().getTime() + wait >= this.#deadline)
      throw error.code === 'timeout'
        ? Object.assign(outOfTime(), { attempt: this.attempt, url: error.url })
        : error
    this.attempt++
    await this.#ports.sleep(wait, this.#signal)
    this.#signal.throwIfAborted()
  }
}

const outOfTime = () =>
  tookTooLong('Reading this source took more time than there is for it. Ask for less of it at once.')

/** What `Retry-After` says, in milliseconds from now and at most a day: seconds or a date. Undefined: nothing readable. */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  const text = header?.trim() ?? ''
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), dayMs)
}
