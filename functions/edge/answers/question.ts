import { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { subjectOf, type AnswerSubject } from './subject.ts'
import type { ApiRequest } from '#functions/engine/http/read-request.ts'
import { canonical } from '#functions/engine/http/canonical.ts'
import { tooBig } from '#functions/engine/http/size.ts'
import type { Site } from '#functions/context.ts'

/** A question whose answer may be kept for everyone. */
export interface Question {
  subject: AnswerSubject
  /** The question in its one form: two spellings of one question have the same, two questions never. */
  text: string
  /** Whether the answer may be so large that it is worth looking for in the store of large ones. */
  mayBeLarge: boolean
  /** Its name where answers are kept outside of the isolate; null until someone needed it. */
  name: string | null
}

/** Longer ones are answered, and not kept: their text is held in memory with the answer. */
const maxText = 20_000

/**
 * The question of a request; null for one whose answer is made for the asker alone, or is not kept. It must be a GET (or
 * a rewritten one) that brings nothing by which its sender could be known: no cookie, no `Authorization`, no key, not
 * even an empty one. Of the other headers none changes an answer but `Accept`, which must allow JSON.
 */
export function questionOf(
  { request, options, key, refused: refusal }: ApiRequest,
  site: Site,
): Question | null {
  if (refusal || key !== null || !isEveryones(request)) return null
  const { pathname } = new URL(request.url)
  const subject = subjectOf(pathname)
  // `response` says what of the answer is wanted, for any endpoint.
  if (!subject || 'response' in options || tooBig(options)) return null
  const text = `${placeOf(site)} ${pathname.replace(/\/$/, '')} ${canonical(options)}`
  return text.length > maxText
    ? null
    : { subject, text, mayBeLarge: mayBeLarge(subject, options), name: null }
}

/** Whether nothing of a request but its address and its body says what the answer is. */
function isEveryones({ method, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (headers.has('cookie') || headers.has('authorization')) return false
  const accept = headers.get('accept')
  return accept === null || /(^|,)\s*(\*\/\*|application\/json)\s*(;|,|$)/i.test(accept)
}

/** A hub's host answers as its place, which an ETag is made of too. */
const placeOf = (site: Site) => (site.mode === 'hub' ? site.placeId : '')

/** Some hundred records, or a row for each group. */
function mayBeLarge({ kind, verb }: AnswerSubject, options: Record<string, unknown>): boolean {
  if (verb === 'cluster' || kind === 'insight') return true
  if (verb === 'data') return Number(options.limit ?? 0) > 250
  return verb === 'analytics' && (options.groupings !== undefined || options.aggregations === undefined)
}

const maxAddress = 1000
const known = new BoundedMemory<Question>({ cost: 5000, costOf: () => 1 })
const nameOf = (address: string, site: Site) => `${placeOf(site)} ${address}`

/** The question of a request whose address was understood before, without reading it again; null where it was not. */
export function knownQuestion(request: Request, address: string, site: Site): Question | null {
  const question = known.get(nameOf(address, site))
  return question && isEveryones(request) ? question : null
}

/** Notes what an address asks, where the address says it all. */
export function remember(question: Question, address: string, site: Site): void {
  if (address.length > maxAddress) return
  known.put(nameOf(address, site), question)
}
