import { tookTooLong } from './errors.ts'

/** One try to reach a server: what is under way in it can be waited for only so long, and ends with it. */
export class Line {
  readonly #stop = new AbortController()
  readonly #outer: AbortSignal
  readonly signal: AbortSignal

  constructor(outer: AbortSignal) {
    this.#outer = outer
    this.signal = AbortSignal.any([outer, this.#stop.signal])
  }

  /** Ends what is under way. Idempotent. */
  close(): void {
    this.#stop.abort()
  }

  /**
   * Waits for something at most so many milliseconds; then closes and throws a FetchError `timeout`. Throws the reason of
   * the signal when that is aborted, at once, whether or not what is waited for takes notice.
   */
  async within<T>(ms: number, promise: Promise<T>, diagnosis: string): Promise<T> {
    const outer = this.#outer
    let timer: ReturnType<typeof setTimeout> | undefined
    let abort = () => {}
    const timeout = new Promise<never>((_, reject) => {
      abort = () => reject(outer.reason as Error)
      timer = setTimeout(() => {
        reject(tookTooLong(diagnosis))
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
