/** A place outside of the isolate where values are kept by key. One that cannot be read is passed over. */
export interface Tier<Value> {
  /** What is said of a value that came from here. */
  readonly name: string
  /** Far ones are asked once for all who ask for the same at once, and after the near ones. */
  readonly isFar?: boolean
  /** Null: it is not there. */
  get(key: string): Promise<Value | null>
  /** Keeps a value, in the place of the one before; one that is not worth its place is left out. */
  put(key: string, value: Value): Promise<void>
}

/** How a value is written as a response of the Cache API, and read again. */
interface ResponseForm<Value> {
  /** An address of our own: "Always use the hostname that matches the domain associated with your Worker". */
  addressOf(key: string): string | Promise<string>
  /** Null: not one to be kept there. The response says by `cache-control` for how long it is. */
  write(value: Value): Response | null
  /** Null: not one of ours. */
  read(response: Response): Promise<Value | null>
}

/** The Cache API of a data centre. */
export type DataCentreCache = Pick<Cache, 'match' | 'put'>

/** The cache of the data centre; null where there is none, as in the development server. */
export function dataCentreCache(): DataCentreCache | null {
  // Of the types only those of browsers know the name.
  return typeof caches === 'undefined' ? null : (caches as unknown as { default: Cache }).default
}

/** The cache of the data centre as a tier. */
export function dataCentreTier<Value>(cache: DataCentreCache, form: ResponseForm<Value>): Tier<Value> {
  return {
    name: 'cache',
    async get(key) {
      const response = await cache.match(await form.addressOf(key))
      return response ? form.read(response) : null
    },
    async put(key, value) {
      const response = form.write(value)
      if (response) await cache.put(await form.addressOf(key), response)
    },
  }
}
