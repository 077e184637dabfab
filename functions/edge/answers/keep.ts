import { dataTypeOf, isCurrent, isStillPublic } from './currency.ts'
import { entryOf, isEveryones, type Entry, type AnswerBasis } from './entry.ts'
import type { SingleFlight } from '#functions/platform/cache/single-flight.ts'
import type { Memory } from './memory.ts'
import type { Question } from './question.ts'
import { readFallback, withoutHost } from './fallback.ts'
import { fromCache, fromStore, nameOf, toCache, toStore, type Tiers } from './tiers.ts'
import { isRewritten } from '#functions/engine/http/read-request.ts'
import { nextLink } from '#functions/engine/http/next-link.ts'
import { isKnown } from '#functions/engine/http/etag.ts'
import { lastPlaceState, placeOfSource, type KeptState } from '#functions/edge/hub/place-state.ts'
import { ofThen } from '#functions/edge/hub/stale.ts'

/** What keeping answers needs. Memory and flights are of the isolate. */
export interface KeepPorts {
  memory: Memory
  flights: SingleFlight<Entry>
  shelves: Tiers
  /** Lets what was begun end though the asker may be gone. */
  waitUntil(work: Promise<unknown>): void
}

/** Makes an answer for this request; notes in `made` what it is made of. */
export type Live = (made: AnswerBasis) => Promise<Response>

/** Where an answer came from. `shared`: from an equal question that was being asked. */
export type HitSource = 'memory' | 'shared' | 'cache' | 'store' | 'snapshot'

/** So long an answer of today is waited for where an older one is at hand. */
export const deadlineMs = 1500

export interface KeptAnswer {
  response: Response
  /** What a kept answer was about, for counting; null for one that was made just now. */
  hit: { placeId: string; dataTypeId: string } | null
}

/**
 * Answers a question that everyone is answered alike: from memory, else from the cache of the data centre, else (large
 * ones) from R2, else live; then it is kept. What is public is asked of the edge's state of the place before any of
 * them. A question about what is not public there goes live and is not kept, and so does one to a place whose state
 * was never told. Where the live answer fails, or is not there after 1.5 s, the last one that was kept is given instead,
 * and says of when it is.
 */
export async function answerKept(
  question: Question,
  request: Request,
  ports: KeepPorts,
  live: Live,
): Promise<KeptAnswer> {
  const { subject, text } = question
  const { memory, flights, shelves } = ports
  const place = await placeOf(question, shelves)
  const dataTypeId = place && dataTypeOf(subject, place)
  if (!place || dataTypeId === null) return fresh(await live(nothing()))
  // Of a state that could not be read nobody knows whether it is of now: the database is asked.
  const isOfNow = (entry: Entry) => place.asOf === undefined && isCurrent(subject, entry, place, Date.now())
  const from = (entry: Entry, where: HitSource): KeptAnswer => ({
    response: told(entry, request, isOfNow(entry) ? where : 'snapshot'),
    hit: { placeId: place.placeId, dataTypeId },
  })
  const held = memory.get(text)
  if (held && isOfNow(held)) return from(held, 'memory')
  // A HEAD makes no body that could be kept.
  if (request.method === 'HEAD') return fresh(await live(nothing()))
  const isGood = (entry: Entry | null): entry is Entry => entry !== null && isOfNow(entry)
  const name = (question.name ??= await nameOf(text, shelves.build))
  const cached = await fromCache(shelves, name)
  if (isGood(cached)) {
    memory.put(text, cached)
    return from(cached, 'cache')
  }
  const flight = flights.join(text, Date.now())
  if ('wait' in flight) {
    const brought = await flight.wait()
    return brought ? from(brought, 'shared') : fresh(await live(nothing()))
  }
  const last = async () => {
    const all = [held ?? null, cached, await standing(question, place.placeId, shelves)]
    const given = all.filter((entry) => entry !== null && isStillPublic(subject, entry, place)) as Entry[]
    return given.sort((a, b) => b.about.at - a.about.at)[0] ?? null
  }
  const leading = lead({ name, question, placeId: place.placeId, isGood, last }, ports, live)
  // Others wait for this one, so it goes on though its own asker may have left.
  ports.waitUntil(
    leading.then(
      ({ entry }) => flight.land(entry),
      () => flight.land(null),
    ),
  )
  const found = await leading
  return 'response' in found ? fresh(found.response) : from(found.entry, 'store')
}

/** What is public of the place of a question; null where it was never told, or cannot be read: then the database is asked. */
async function placeOf({ subject }: Question, { hubs }: Tiers): Promise<KeptState | null> {
  try {
    const placeId = subject.placeId ?? (await placeOfSource(hubs, subject.id))
    return placeId === null ? null : await lastPlaceState(hubs, placeId)
  } catch {
    return null
  }
}

type Found = { entry: Entry } | { entry: Entry | null; response: Response }

interface Sought {
  name: string
  question: Question
  placeId: string
  isGood(entry: Entry | null): entry is Entry
  /** The newest answer there is of older data; null without one. */
  last(): Promise<Entry | null>
}

/** What stands there for when nothing else can be had; at the host of another place nothing does. */
async function standing({ text }: Question, placeId: string, { hubs }: Tiers): Promise<Entry | null> {
  const host = text.slice(0, text.indexOf(' '))
  return host === '' || host === placeId ? readFallback(hubs, placeId, withoutHost(text)) : null
}

/** Finds a large answer in R2 or makes one, and keeps it. */
async function lead(
  { name, question, placeId, isGood, last }: Sought,
  { memory, shelves, waitUntil }: KeepPorts,
  live: Live,
): Promise<Found> {
  const { text, mayBeLarge } = question
  const later = (work: Promise<void>) => waitUntil(work.catch(() => {}))
  const stored = mayBeLarge ? await fromStore(shelves, placeId, name).catch(() => null) : null
  if (isGood(stored)) {
    memory.put(text, stored)
    later(toCache(shelves, name, stored, Date.now()))
    return { entry: stored }
  }
  const made = nothing()
  const keep = async (answer: Response): Promise<Found> => {
    if (!isEveryones(answer)) return { entry: null, response: answer }
    const body = new Uint8Array(await answer.arrayBuffer())
    const response = new Response(body, answer)
    const entry = entryOf(answer.headers, body, made, Date.now())
    if (!isGood(entry)) return { entry: null, response }
    memory.put(text, entry)
    later(toCache(shelves, name, entry, Date.now()))
    if (mayBeLarge) later(toStore(shelves, placeId, name, entry, Date.now()))
    return { entry, response }
  }
  const making = live(made)
  const answer = await inTime(making)
  if (answer && answer.status < 500) return keep(answer)
  const old = await last().catch(() => null)
  if (!old) return keep(answer ?? (await making))
  // It may still come, and then the next one who asks has it.
  if (!answer) waitUntil(making.then(keep).then(ignore, ignore))
  return { entry: old }
}

const ignore = () => {}

/** What is being made, if it is there in 1.5 s and nothing went wrong; else null. */
export async function inTime<Made>(making: Promise<Made>): Promise<Made | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), deadlineMs)))
  try {
    return await Promise.race([making.catch(() => null), late])
  } finally {
    clearTimeout(timer)
  }
}

const nothing = (): AnswerBasis => ({ basis: {}, isOfNow: false })

function fresh(response: Response): KeptAnswer {
  response.headers.set('server-timing', 'cache;desc="miss"')
  return { response, hit: null }
}

/** A kept answer to one request: its own id, its own address for the page after it, nothing of any other request. */
function told({ body, about }: Entry, request: Request, where: HitSource): Response {
  const headers: Record<string, string> = {
    ...about.headers,
    'x-request-id': crypto.randomUUID(),
    'server-timing': `cache;desc="hit-${where}"`,
    ...(where === 'snapshot' ? ofThen(about.at) : {}),
  }
  if (isKnown(request.headers.get('if-none-match'), about.headers.etag ?? null)) {
    delete headers['content-type']
    return new Response(null, { status: 304, headers })
  }
  if (about.next !== null && !isRewritten(request)) headers.link = nextLink(request.url, about.next)
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}
