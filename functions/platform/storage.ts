/** The storage refused, or did not answer. */
export class StorageError extends Error {
  override name = 'StorageError'
}

/** A hub gave no sign for longer than its work may take. */
export class HangError extends Error {
  override name = 'HangError'
}

/** The longest that one question to the storage may take. */
const storageMs = 20_000
const verbs: ReadonlySet<unknown> = new Set(['get', 'put', 'head', 'delete', 'list'])
/** What only reads. Bytes of a visitor may take any time to be put. */
export const readingVerbs: ReadonlySet<unknown> = new Set(['get', 'head', 'list'])

/** A bucket whose failures are known as its own, and that fails where it does not answer. */
export function knownBucket(bucket: R2Bucket, mostMs = storageMs, limited = verbs): R2Bucket {
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

/** What some work gives, or a `HangError` when that takes longer than it may. The work itself is not ended. */
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
