/** A cache outside of the isolate. One that cannot be read counts as a miss. */
export interface Tier<Value> {
  /** Names the source of a value in responses. */
  readonly name: string
  /** Slow tiers are read after the others, and once for concurrent requests of the same key. */
  readonly isFar?: boolean
  /** Null on a miss. */
  get(key: string): Promise<Value | null>
  /** Stores a value in place of the previous one. A tier may decide not to store it. */
  put(key: string, value: Value): Promise<void>
}

/** How a value is written as a response of the Cache API, and read back. */
interface ResponseForm<Value> {
  /** An address of our own: "Always use the hostname that matches the domain associated with your Worker". */
  toAddress(key: string): string | Promise<string>
  /** Null where the value is not to be stored. The `cache-control` of the response says for how long it is. */
  write(value: Value): Response | null
  /** Null where the response was not written by this form. */
  read(response: Response): Promise<Value | null>
}

/** The Cache API of a data centre. */
export type DataCentreCache = Pick<Cache, 'match' | 'put'>

/** The cache of the data centre; null where there is none, such as in the development server. */
export function dataCentreCache(): DataCentreCache | null {
  // The types describe `caches` of browsers, without Cloudflare's `default`.
  return typeof caches === 'undefined' ? null : (caches as unknown as { default: Cache }).default
}

/** The cache of the data centre as a tier. */
export function dataCentreTier<Value>(cache: DataCentreCache, form: ResponseForm<Value>): Tier<Value> {
  return {
    name: 'cache',
    async get(key) {
      const response = await cache.match(await form.toAddress(key))
      return response ? form.read(response) : null
    },
    async put(key, value) {
      const response = form.write(value)
      if (response) await cache.put(await form.toAddress(key), response)
    },
  }
}
