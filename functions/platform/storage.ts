/** The storage failed or did not answer. */
export class StorageError extends Error {
  override name = 'StorageError'
}

/** Rendering a hub took longer than it may. */
export class HangError extends Error {
  override name = 'HangError'
}

/** The timeout of one call to the storage. */
const storageMs = 20_000
const verbs: ReadonlySet<unknown> = new Set(['get', 'put', 'head', 'delete', 'list'])
/** The calls that only read: writing a visitor's upload may take any time. */
export const readingVerbs: ReadonlySet<unknown> = new Set(['get', 'head', 'list'])

/** Wraps a bucket: its failures become `StorageError`s, and the calls in `limited` time out. */
export function wrapBucket(bucket: R2Bucket, mostMs = storageMs, limited = verbs): R2Bucket {
  return new Proxy(bucket, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      const method = (value as (...values: unknown[]) => Promise<unknown>).bind(target)
      if (!limited.has(name)) return method
      return async (...values: unknown[]) => {
        try {
          return await withTimeout(mostMs, method(...values))
        } catch (cause) {
          throw new StorageError(`The storage does not answer: ${String(cause)}`, { cause })
        }
      }
    },
  })
}

/** The result of some work; rejects with a `HangError` on timeout. The work itself is not cancelled. */
export async function withTimeout<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new HangError(`No answer within ${ms} ms.`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
