import { errorJson } from './error-answers.ts'

/**
 * Rate limits of an isolate for table queries that reach the database: concurrent ones, and those per minute and hub. Cached answers do not
 * count. They stop robots that follow every facet of a table from many networks, which limits per network do not.
 */
export const tableLimits = { atOnce: 4, aMinute: 60 }

const minuteMs = 60_000

/** Limits per hub the expensive requests of an isolate. `message`: of the 429 response. */
export class HubLimit {
  #open = 0
  #minute = 0
  #counts = new Map<string, number>()

  constructor(
    readonly limits: { atOnce: number; aMinute: number },
    readonly message: string,
  ) {}

  /**
   * Runs a query within the limits, otherwise returns 429 with Retry-After (seconds), as an error of `/v1`. `now`: milliseconds since
   * 1970. Rethrows what the query throws.
   */
  async run(placeId: string, question: () => Promise<Response>, now = Date.now()): Promise<Response> {
    const minute = Math.floor(now / minuteMs)
    if (minute !== this.#minute) [this.#minute, this.#counts] = [minute, new Map<string, number>()]
    const count = this.#counts.get(placeId) ?? 0
    if (count >= this.limits.aMinute) return this.#refuse(Math.ceil(((minute + 1) * minuteMs - now) / 1000))
    if (this.#open >= this.limits.atOnce) return this.#refuse(2)
    this.#counts.set(placeId, count + 1)
    this.#open += 1
    try {
      return await question()
    } finally {
      this.#open -= 1
    }
  }
  #refuse(seconds: number): Response {
    const error = { status: 429, kind: 'tooMany', message: this.message }
    return errorJson(error, { 'retry-after': String(seconds), 'cache-control': 'private, no-store' })
  }
}
