import { networkError, timeoutError, type FetchCode } from './errors.ts'
import type { Caps, FetchServices } from './ports.ts'

const firstMs = 1000
const longestMs = 60_000
const dayMs = 24 * 3600_000

/** Errors that are not retried here: another reading has to begin, or retries were made elsewhere. */
const notAgain = new Set<FetchCode>(['changed', 'grant'])

/** The retry policy of one URL: its total time starts now. */
export class RetryPolicy {
  readonly #ports: FetchServices
  readonly #attempts: number
  readonly #deadline: number
  readonly #signal: AbortSignal
  /** The number of consecutive attempts without progress. */
  attempt = 1

  constructor(ports: FetchServices, { attempts, totalMs }: Caps, signal: AbortSignal) {
    this.#ports = ports
    this.#attempts = attempts
    this.#deadline = ports.now().getTime() + totalMs
    this.#signal = signal
  }

  /** Resets the attempts after progress, but not the time. */
  progress(): void {
    this.attempt = 1
  }

  /** The remaining milliseconds for an operation with a timeout of its own. Throws a FetchError when none are left. */
  atMost(ms: number): number {
    const remainingMs = this.#deadline - this.#ports.now().getTime()
    if (remainingMs <= 0) throw createOutOfTimeError()
    return Math.min(ms, remainingMs)
  }

  /**
   * Waits before a retry: 1 s after the first attempt, doubled each time up to 60 s, with half of it random; longer for
   * the server's Retry-After. Rethrows the error where a retry is useless.
   */
  async after(cause: unknown, isBody = false): Promise<void> {
    this.#signal.throwIfAborted()
    const error = networkError(cause, isBody)
    if (notAgain.has(error.code)) throw error
    error.attempt = this.attempt
    if (!error.isTemporary || this.attempt >= this.#attempts) throw error
    const step = Math.min(longestMs, firstMs * 2 ** (this.attempt - 1))
    const wait = Math.max(step * (0.5 + this.#ports.random() / 2), error.retryAfterMs ?? 0)
    if (this.#ports.now().getTime() + wait >= this.#deadline)
      throw error.code === 'timeout'
        ? Object.assign(createOutOfTimeError(), { attempt: this.attempt, url: error.url })
        : error
    this.attempt++
    await this.#ports.sleep(wait, this.#signal)
    this.#signal.throwIfAborted()
  }
}

const createOutOfTimeError = () =>
  timeoutError('Reading this source took more time than there is for it. Ask for less of it at once.')

/** Parses `Retry-After` to milliseconds from now, at most a day: seconds or a date. Undefined: invalid. */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  const text = header?.trim() ?? ''
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), dayMs)
}
