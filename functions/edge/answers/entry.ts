import type { AnswerBasis, Versions } from '#functions/platform/cache/depends.ts'

/** An answer as it is kept: what everyone who asks gets alike. */
export interface Entry {
  body: Uint8Array<ArrayBuffer>
  about: About
  /** The stamp of the state by which it was last found to be of today; null: of none. */
  checkedBy: string | null
}

/** All of an entry but its body. */
export interface About {
  /** Headers, by their names. */
  headers: Record<string, string>
  /** The token of the page after this one; null where there is none. */
  next: string | null
  /** What the answer was made of: versions by `source:{id}` and so on. */
  basis: Versions
  /** When it was made, in milliseconds. */
  at: number
  /** Until when it holds, in milliseconds, where it was also made of what time it was; else null. */
  until: number | null
}

/** The headers of an answer that are of the answer and not of the request. What is not here is not kept. */
const ofTheAnswer = [
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

/** Larger answers are made each time: an isolate has 128 MB for all its requests. */
export const maxBody = 8_000_000

const minute = 60_000

/**
 * What to keep of an answer that everyone gets alike; null for one that is too large, or does not say what it was made
 * of.
 */
export function entryOf(
  headers: Headers,
  body: Uint8Array<ArrayBuffer>,
  { basis, isOfNow }: AnswerBasis,
  now: number,
): Entry | null {
  if (body.byteLength > maxBody || Object.keys(basis).length === 0) return null
  const kept: About['headers'] = {}
  for (const name of ofTheAnswer) {
    const value = headers.get(name)
    if (value !== null) kept[name] = value
  }
  const until = isOfNow ? now - (now % minute) + minute : null
  return {
    body,
    about: { headers: kept, next: nextIn(body), basis: { ...basis }, at: now, until },
    checkedBy: null,
  }
}

/** Whether an answer is one that everyone gets alike. */
export function isEveryones({ status, headers }: Response): boolean {
  if (status !== 200 || headers.has('set-cookie') || headers.has('vary')) return false
  const cache = headers.get('cache-control') ?? ''
  return (
    /^public\b/.test(cache) &&
    !/no-store|private/.test(cache) &&
    headers.get('content-type') === 'application/json'
  )
}

/** A page names the one after it in the address it was asked at, and each asker has one of its own. */
function nextIn(body: Uint8Array<ArrayBuffer>): string | null {
  const text = new TextDecoder().decode(body)
  if (!text.includes('"next":')) return null
  const { meta } = JSON.parse(text) as { meta?: { next?: unknown } }
  return typeof meta?.next === 'string' ? meta.next : null
}
