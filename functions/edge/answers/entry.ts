import type { AnswerBasis, Versions } from '#functions/platform/cache/depends.ts'

/** A cached answer, which is the same for everyone. */
export interface Entry {
  body: Uint8Array<ArrayBuffer>
  about: AnswerMetadata
  /** The stamp of the place state against which it was last checked as current; null: not checked. */
  checkedBy: string | null
}

/** The metadata of a cached answer. */
export interface AnswerMetadata {
  /** Headers, by their names. */
  headers: Record<string, string>
  /** The token of the next page; null where there is none. */
  next: string | null
  /** The versions that the answer depends on, by `source:{id}` and so on. */
  basis: Versions
  /** When it was computed, in milliseconds since 1970. */
  at: number
  /** When it expires, in milliseconds since 1970, if it also depends on the current time; otherwise null. */
  until: number | null
}

/** The headers that are cached with an answer, because they do not depend on the request. */
const cachedHeaders = [
  'content-type',
  'cache-control',
  'etag',
  'last-modified',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'x-content-type-options',
  'x-row-count',
  'x-data-version',
]

/** Larger answers are not cached: an isolate has 128 MB for all its requests. In bytes. */
export const maxBody = 8_000_000

const minute = 60_000

/**
 * The cache entry of an answer that is the same for everyone; null for one that is too large, or does not
 * report what it depends on.
 */
export function toEntry(
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  { basis, isOfNow }: AnswerBasis,
  now: number,
): Entry | null {
  if (body.byteLength > maxBody || Object.keys(basis).length === 0) return null
  const storedHeaders: AnswerMetadata['headers'] = {}
  for (const name of cachedHeaders) {
    const value = headers.get(name)
    if (value !== null) storedHeaders[name] = value
  }
  const until = isOfNow ? now - (now % minute) + minute : null
  return {
    body,
    about: { headers: storedHeaders, next: findNextToken(body), basis: { ...basis }, at: now, until },
    checkedBy: null,
  }
}

/** Whether an answer is the same for everyone. */
export function isEveryones({ status, headers }: Response): boolean {
  if (status !== 200 || headers.has('set-cookie') || headers.has('vary')) return false
  const cache = headers.get('cache-control') ?? ''
  return (
    /^public\b/.test(cache) &&
    !/no-store|private/.test(cache) &&
    headers.get('content-type') === 'application/json'
  )
}

/**
 * The token of the next page in a body. It is cached apart, because the link to it contains the address of
 * each request.
 */
function findNextToken(body: Uint8Array<ArrayBuffer>): string | null {
  const text = new TextDecoder().decode(body)
  if (!text.includes('"next":')) return null
  const { meta } = JSON.parse(text) as { meta?: { next?: unknown } }
  return typeof meta?.next === 'string' ? meta.next : null
}
