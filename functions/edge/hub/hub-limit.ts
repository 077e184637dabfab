/**
 * How many questions of tables an isolate lets through to the database: so many at once, and so many a minute for each hub. What is kept
 * is no question. Robots that follow every facet of a table, from many networks, meet this where the limits of one network do not.
 */
export const tableLimits = { atOnce: 4, aMinute: 60 }

const minuteMs = 60_000

/** Counts by hub what an isolate has to work out, and refuses more than there may be. `message` says of what there were too many. */
export class HubLimit {
  #open = 0
  #minute = 0
  #counts = new Map<string, number>()

  constructor(
    readonly limits: { atOnce: number; aMinute: number },
    readonly message: string,
  ) {}

  /**
   * Runs a question when it may be asked, else gives 429 with when to come back, in the form of `/v1`. `now` in milliseconds. Fails as
   * the question does.
   */
  async run(placeId: string, question: () => Promise<Response>, now = Date.now()): Promise<Response> {
    const minute = Math.floor(now / minuteMs)
    if (minute !== this.#minute) [this.#minute, this.#counts] = [minute, new Map<string, number>()]
    const count = this.#counts.get(placeId) ?? 0
    if (count >= this.limits.aMinute)
      return tooMany(this.message, Math.ceil(((minute + 1) * minuteMs - now) / 1000))
    if (this.#open >= this.limits.atOnce) return tooMany(this.message, 2)
    this.#counts.set(placeId, count + 1)
    this.#open += 1
    try {
      return await question()
    } finally {
      this.#open -= 1
    }
  }
}

function tooMany(message: string, seconds: number): Response {
  const error = { status: 429, kind: 'tooMany', message, fields: [] }
  const headers = { 'retry-after': String(seconds), 'cache-control': 'private, no-store' }
  return Response.json({ error, fields: [] }, { status: 429, headers })
}
