import { emptyBasis, type AnswerBasis } from '#functions/platform/cache/depends.ts'
import { findDataTypeId, isCurrent, isStillPublic } from './currency.ts'
import { toEntry, isEveryones, type Entry } from './entry.ts'
import type { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { readCached } from '#functions/platform/cache/cached.ts'
import type { SingleFlight } from '#functions/platform/cache/single-flight.ts'
import type { BackgroundWork } from '#functions/platform/cache/stale.ts'
import type { Question } from './question.ts'
import { readFallback, withoutHost } from './fallback.ts'
import { cacheTier, hashQueryText, storeTier, type AnswerStores } from './tiers.ts'
import { isRewritten } from '#functions/engine/http/read-request.ts'
import { buildNextLink } from '#functions/engine/http/next-link.ts'
import { matchesEtag } from '#functions/engine/http/etag.ts'
import { staleHeaders } from '#functions/engine/http/stale-headers.ts'
import { readLastPlaceState, placeOfSource, type StoredPlaceState } from '#functions/edge/hub/place-state.ts'

/** What caching needs. Memory and single flight are those of the isolate. */
export interface AnswerCache {
  memory: BoundedMemory<Entry>
  singleFlight: SingleFlight<Entry>
  stores: AnswerStores
  /** Lets started work finish after the response. */
  later: BackgroundWork
}

/** Computes an answer for this request; records in `basis` what it depends on. */
export type ComputeAnswer = (basis: AnswerBasis) => Promise<Response>

/** Where an answer came from. `shared`: from an equal query in progress. */
type HitSource = 'memory' | 'shared' | 'cache' | 'store' | 'snapshot'

interface KeptAnswer {
  response: Response
  /** The subject of a cached answer, for counting; null for one that was just computed. */
  hit: { placeId: string; dataTypeId: string } | null
}

/**
 * Answers a query whose answer is the same for everyone: from memory, else from the cache of the data centre,
 * else (large ones) from R2, else live, and then caches it. First checks the place's state for what is
 * public. A query on something that is not public, or on a place without a state, is answered live and not
 * cached. Where the live answer fails or takes more than 1.5 s, the last cached one is served instead, with
 * its date.
 */
export async function answerFromCache(
  question: Question,
  request: Request,
  cache: AnswerCache,
  live: ComputeAnswer,
): Promise<KeptAnswer> {
  const { subject, text } = question
  const place = await findPlaceState(question, cache.stores)
  const dataTypeId = place && findDataTypeId(subject, place)
  if (!place || dataTypeId === null) return fresh(await live(emptyBasis()))
  // If the state could not be read, currency is unknown and the database is queried.
  const isOfNow = (entry: Entry) =>
    place.dataTime === undefined && isCurrent(subject, entry, place, Date.now())
  const from = (entry: Entry, where: string): KeptAnswer => ({
    response: answerFrom(entry, request, isOfNow(entry) ? (where as HitSource) : 'snapshot'),
    hit: { placeId: place.placeId, dataTypeId },
  })
  // A HEAD has no body to cache.
  if (request.method === 'HEAD') {
    const entry = cache.memory.get(text)
    return entry && isOfNow(entry) ? from(entry, 'memory') : fresh(await live(emptyBasis()))
  }
  const result = await readCached<Entry, ComputedAnswer>({
    key: text,
    memory: cache.memory,
    tiers: buildTiers(question, place.placeId, cache.stores),
    singleFlight: cache.singleFlight,
    isCurrent: isOfNow,
    async make() {
      const basis = emptyBasis()
      return { response: await live(basis), basis }
    },
    toCacheable: toSharedEntry,
    older: {
      isFailure: ({ response }) => response.status >= 500,
      async find(candidates) {
        const all = [...candidates, await findFallback(question, place.placeId, cache.stores)]
        const values = all.filter(
          (entry) => entry !== null && isStillPublic(subject, entry, place),
        ) as Entry[]
        return values.sort((a, b) => b.about.at - a.about.at)[0] ?? null
      },
    },
    later: cache.later,
  })
  return 'made' in result ? fresh(result.made.response) : from(result.value, result.from)
}

/** A live answer, and what it depends on. */
interface ComputedAnswer {
  response: Response
  basis: AnswerBasis
}

/** Turns a live answer into a cache entry, if it is the same for everyone. */
async function toSharedEntry({
  response,
  basis,
}: ComputedAnswer): Promise<{ value: Entry | null; made: ComputedAnswer }> {
  if (!isEveryones(response)) return { value: null, made: { response, basis } }
  const body = new Uint8Array(await response.arrayBuffer())
  const value = toEntry(response.headers, body, basis, Date.now())
  return { value, made: { response: new Response(body, response), basis } }
}

/** The cache tiers: that of the data centre and, for queries with possibly large answers, R2. */
function buildTiers(question: Question, placeId: string, { cache, hubs, origin, build }: AnswerStores) {
  const name = async (text: string) => (question.name ??= await hashQueryText(text, build))
  return [
    ...(cache ? [cacheTier(cache, origin, name)] : []),
    ...(question.mayBeLarge ? [storeTier(hubs, placeId, name)] : []),
  ]
}

/**
 * The state of the query's place; null where there is none or it cannot be read, so that the database is
 * queried.
 */
async function findPlaceState(
  { subject }: Question,
  { hubs }: AnswerStores,
): Promise<StoredPlaceState | null> {
  try {
    const placeId = subject.placeId ?? (await placeOfSource(hubs, subject.id))
    return placeId === null ? null : await readLastPlaceState(hubs, placeId)
  } catch {
    return null
  }
}

/** The fallback answer; null at the host of another place. */
async function findFallback(
  { text }: Question,
  placeId: string,
  { hubs }: AnswerStores,
): Promise<Entry | null> {
  const host = text.slice(0, text.indexOf(' '))
  return host === '' || host === placeId ? readFallback(hubs, placeId, withoutHost(text)) : null
}

function fresh(response: Response): KeptAnswer {
  response.headers.set('server-timing', 'cache;desc="miss"')
  return { response, hit: null }
}

/**
 * The response of a cached answer for one request: with its own id and next link, and nothing of other
 * requests.
 */
function answerFrom({ body, about }: Entry, request: Request, where: HitSource): Response {
  const headers: Record<string, string> = {
    ...about.headers,
    'x-request-id': crypto.randomUUID(),
    'server-timing': `cache;desc="hit-${where}"`,
    ...(where === 'snapshot' ? staleHeaders(about.at) : {}),
  }
  if (matchesEtag(request.headers.get('if-none-match'), about.headers.etag ?? null)) {
    delete headers['content-type']
    return new Response(null, { status: 304, headers })
  }
  if (about.next !== null && !isRewritten(request)) headers.link = buildNextLink(request.url, about.next)
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}
