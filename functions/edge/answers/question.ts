import { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { parseSubject, type AnswerSubject } from './subject.ts'
import type { ApiRequest } from '#functions/engine/http/read-request.ts'
import { canonical } from '#functions/engine/http/canonical.ts'
import { findSizeIssue } from '#functions/engine/http/size.ts'
import type { Site } from '#functions/context.ts'

/** A query whose answer can be cached for everyone. */
export interface Question {
  subject: AnswerSubject
  /**
   * The canonical form of the query: equal for different spellings of it, different for different queries.
   */
  text: string
  /** Whether the answer may be so large that it is looked up in R2. */
  mayBeLarge: boolean
  /** Its key in the caches outside of the isolate; null until it is computed. */
  name: string | null
}

/** Longer texts are not cached, because they are held in memory with the answer. In characters. */
const maxText = 20_000

/**
 * The query of a request; null where its answer depends on the actor, or is not cached. It must be a GET (or
 * a rewritten one) without anything that identifies the sender: no cookie, no `Authorization`, no API key,
 * not even an empty one. Of the other headers only `Accept` matters, which must allow JSON.
 */
export function toQuestion(
  { request, options, key, readError: refusal }: ApiRequest,
  site: Site,
): Question | null {
  if (refusal || key !== null || !isEveryones(request)) return null
  const { pathname } = new URL(request.url)
  const subject = parseSubject(pathname)
  // The option `response` selects parts of the answer, for any endpoint.
  if (!subject || 'response' in options || findSizeIssue(options)) return null
  const text = `${getHubPlaceId(site)} ${pathname.replace(/\/$/, '')} ${canonical(options)}`
  return text.length > maxText
    ? null
    : { subject, text, mayBeLarge: mayBeLarge(subject, options), name: null }
}

/** Whether the answer depends only on the address and body of a request. */
function isEveryones({ method, headers }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (headers.has('cookie') || headers.has('authorization')) return false
  const accept = headers.get('accept')
  return accept === null || /(^|,)\s*(\*\/\*|application\/json)\s*(;|,|$)/i.test(accept)
}

/** The place of a hub's host, on which ETags depend; '' for the workspace. */
const getHubPlaceId = (site: Site) => (site.mode === 'hub' ? site.placeId : '')

/** Whether there may be several hundred records, or many groups. */
function mayBeLarge({ kind, verb }: AnswerSubject, options: Record<string, unknown>): boolean {
  if (verb === 'cluster' || kind === 'insight') return true
  if (verb === 'data') return Number(options.limit ?? 0) > 250
  return verb === 'analytics' && (options.groupings !== undefined || options.aggregations === undefined)
}

const maxAddress = 1000
const questions = new BoundedMemory<Question>({ cost: 5000, estimateCost: () => 1 })
const buildQuestionKey = (address: string, site: Site) => `${getHubPlaceId(site)} ${address}`

/**
 * The query of an address that was parsed before, without reading the request again; null where it was not.
 */
export function findRememberedQuestion(request: Request, address: string, site: Site): Question | null {
  const question = questions.get(buildQuestionKey(address, site))
  return question && isEveryones(request) ? question : null
}

/** Remembers the query of an address. */
export function remember(question: Question, address: string, site: Site): void {
  if (address.length > maxAddress) return
  questions.put(buildQuestionKey(address, site), question)
}
