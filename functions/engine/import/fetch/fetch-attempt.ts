import { timeoutError } from './errors.ts'

/** One attempt to reach a server: its operations have time limits, and are aborted with it. */
export class FetchAttempt {
  readonly #stop = new AbortController()
  readonly #outer: AbortSignal
  readonly signal: AbortSignal

  constructor(outer: AbortSignal) {
    this.#outer = outer
    this.signal = AbortSignal.any([outer, this.#stop.signal])
  }

  /** Aborts pending operations. Idempotent. */
  close(): void {
    this.#stop.abort()
  }

  /**
   * Waits for a promise with a timeout in ms; on timeout closes and throws a FetchError `timeout`. Throws the reason of
   * the signal as soon as that is aborted, whatever the promise does.
   */
  async within<T>(ms: number, promise: Promise<T>, diagnosis: string): Promise<T> {
    const outer = this.#outer
    let timer: ReturnType<typeof setTimeout> | undefined
    let abort = () => {}
    const timeout = new Promise<never>((_, reject) => {
      abort = () => reject(outer.reason as Error)
      timer = setTimeout(() => {
        reject(timeoutError(diagnosis))
        this.close()
      }, ms)
      outer.addEventListener('abort', abort, { once: true })
      if (outer.aborted) abort()
    })
    try {
      return await Promise.race([promise, timeout])
    } finally {
      clearTimeout(timer)
      outer.removeEventListener('abort', abort)
    }
  }
}
