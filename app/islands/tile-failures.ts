/** Waits before each retry of a request for tiles, in milliseconds. */
export const retryDelays = [500, 2000] as const

/** A failed request. `uses` of its tile is 0 once the view does not need it. */
type FailedRequest = { tile: { uses: number } }

interface Failure<Request> {
  request: Request
  /** Failed requests since the last restart. */
  attempts: number
  /** Whether all retries have failed. It stays so until the tile is loaded or no longer needed, also while it is requested again. */
  isLost: boolean
}

/** The tiles of a map that failed to load, by a key of the caller's choice. */
export class TileFailures<Request extends FailedRequest> {
  #failures = new Map<string, Failure<Request>>()

  /** Counts a failed request. Returns the delay until the next one in milliseconds, or undefined when the tile is given up. */
  add(key: string, request: Request): number | undefined {
    const before = this.#failures.get(key)
    const attempts = (before?.attempts ?? 0) + 1
    const delay = retryDelays[attempts - 1]
    this.#failures.set(key, { request, attempts, isLost: before?.isLost || delay === undefined })
    return delay
  }

  /** The number of failed requests of a tile since the last restart: 0 also for a tile that did not fail. */
  countAttempts(key: string): number {
    return this.#failures.get(key)?.attempts ?? 0
  }

  /** Removes a tile that is loaded. */
  remove(key: string): void {
    this.#failures.delete(key)
  }

  /** Removes tiles that the view does not need: larger ones that stood in for failed ones, and those the map has moved away from. */
  removeUnused(): void {
    for (const [key, { request }] of this.#failures) if (request.tile.uses === 0) this.#failures.delete(key)
  }

  /** Removes all tiles. */
  clear(): void {
    this.#failures.clear()
  }

  /** Starts to count anew. Returns the failed requests, which are to be sent again. */
  restart(): Request[] {
    for (const failure of this.#failures.values()) failure.attempts = 0
    return [...this.#failures.values()].map(({ request }) => request)
  }

  /** Whether tiles are missing that were given up. */
  get isIncomplete(): boolean {
    return [...this.#failures.values()].some(({ isLost }) => isLost)
  }
}
