import { emptyBasis, type AnswerBasis } from '#functions/platform/cache/depends.ts'
import { dataTypeOf, isCurrent, isStillPublic } from './currency.ts'
import { entryOf, isEveryones, type Entry } from './entry.ts'
import type { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import { readCached } from '#functions/platform/cache/cached.ts'
import type { SingleFlight } from '#functions/platform/cache/single-flight.ts'
import type { Later } from '#functions/platform/cache/stale.ts'
import type { Question } from './question.ts'
import { readFallback, withoutHost } from './fallback.ts'
import { cacheTier, nameOf, storeTier, type AnswerStores } from './tiers.ts'
import { isRewritten } from '#functions/engine/http/read-request.ts'
import { nextLink } from '#functions/engine/http/next-link.ts'
import { isKnown } from '#functions/engine/http/etag.ts'
import { staleHeaders } from '#functions/engine/http/stale-headers.ts'
import { lastPlaceState, placeOfSource, type KeptState } from '#functions/edge/hub/place-state.ts'

/** What keeping answers needs. Memory and single flight are of the isolate. */
export interface AnswerCache {
  memory: BoundedMemory<Entry>
  singleFlight: SingleFlight<Entry>
  stores: AnswerStores
  /** Lets what was begun end though the asker may be gone. */
  later: Later
}

/** Makes an answer for this request; notes in `made` what it is made of. */
export type Live = (made: AnswerBasis) => Promise<Response>

/** What is said of where an answer came from. `shared`: from an equal question that was being asked. */
type HitSource = 'memory' | 'shared' | 'cache' | 'store' | 'snapshot'

interface KeptAnswer {
  response: Response
  /** What a kept answer was about, for counting; null for one that was made just now. */
  hit: { placeId: string; dataTypeId: string } | null
}

/**
 * Answers a question that everyone is answered alike: from memory, else from the cache of the data centre, else (large
 * ones) from R2, else live; then it is kept. What is public is asked of the edge's state of the place before any of
 * them. A question about what is not public there goes live and is not kept, and so does one to a place of which the edge knows
 * no state. Where the live answer fails, or is not there after 1.5 s, the last one that was kept is given instead,
 * and says of when it is.
 */
export async function answerKept(
  question: Question,
  request: Request,
  cache: AnswerCache,
  live: Live,
): Promise<KeptAnswer> {
  const { subject, text } = question
  const place = await placeOf(question, cache.stores)
  const dataTypeId = place && dataTypeOf(subject, place)
  if (!place || dataTypeId === null) return fresh(await live(emptyBasis()))
  // Of a state that could not be read nobody knows whether it is of now: the database is asked.
  const isOfNow = (entry: Entry) => place.asOf === undefined && isCurrent(subject, entry, place, Date.now())
  const from = (entry: Entry, where: string): KeptAnswer => ({
    response: answerFrom(entry, request, isOfNow(entry) ? (where as HitSource) : 'snapshot'),
    hit: { placeId: place.placeId, dataTypeId },
  })
  // A HEAD makes no body that could be kept.
  if (request.method === 'HEAD') {
    const held = cache.memory.get(text)
    return held && isOfNow(held) ? from(held, 'memory') : fresh(await live(emptyBasis()))
  }
  const result = await readCached<Entry, Made>({
    key: text,
    memory: cache.memory,
    tiers: tiersOf(question, place.placeId, cache.stores),
    singleFlight: cache.singleFlight,
    isCurrent: isOfNow,
    async make() {
      const made = emptyBasis()
      return { response: await live(made), made }
    },
    keep: keepForAll,
    older: {
      isFailure: ({ response }) => response.status >= 500,
      async find(known) {
        const all = [...known, await fallbackOf(question, place.placeId, cache.stores)]
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

/** An answer that was made live, and what it was made of. */
interface Made {
  response: Response
  made: AnswerBasis
}

/** An answer as it is kept, where everyone gets it alike. */
async function keepForAll({ response, made }: Made): Promise<{ value: Entry | null; made: Made }> {
  if (!isEveryones(response)) return { value: null, made: { response, made } }
  const body = new Uint8Array(await response.arrayBuffer())
  const value = entryOf(response.headers, body, made, Date.now())
  return { value, made: { response: new Response(body, response), made } }
}

/** The cache of the data centre and, for a question whose answer may be large, R2. */
function tiersOf(question: Question, placeId: string, { cache, hubs, origin, build }: AnswerStores) {
  const name = async (text: string) => (question.name ??= await nameOf(text, build))
  return [
    ...(cache ? [cacheTier(cache, origin, name)] : []),
    ...(question.mayBeLarge ? [storeTier(hubs, placeId, name)] : []),
  ]
}

/** What is public of the place of a question; null where the edge knows of none, or cannot read it: then the database is asked. */
async function placeOf({ subject }: Question, { hubs }: AnswerStores): Promise<KeptState | null> {
  try {
    const placeId = subject.placeId ?? (await placeOfSource(hubs, subject.id))
    return placeId === null ? null : await lastPlaceState(hubs, placeId)
  } catch {
    return null
  }
}

/** What lies there for when nothing else can be had; at the host of another place nothing does. */
async function fallbackOf(
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

/** A kept answer to one request: its own id, its own address for the page after it, nothing of any other request. */
function answerFrom({ body, about }: Entry, request: Request, where: HitSource): Response {
  const headers: Record<string, string> = {
    ...about.headers,
    'x-request-id': crypto.randomUUID(),
    'server-timing': `cache;desc="hit-${where}"`,
    ...(where === 'snapshot' ? staleHeaders(about.at) : {}),
  }
  if (isKnown(request.headers.get('if-none-match'), about.headers.etag ?? null)) {
    delete headers['content-type']
    return new Response(null, { status: 304, headers })
  }
  if (about.next !== null && !isRewritten(request)) headers.link = nextLink(request.url, about.next)
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}
