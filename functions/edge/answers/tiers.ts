import { maxBody, type About, type Entry } from './entry.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'

/** Where answers are kept outside of the isolate. */
export interface Tiers {
  /** Of the data centre; null where there is none, as in the development server. */
  cache: Pick<Cache, 'match' | 'put'> | null
  hubs: R2Bucket
  /** An address of our own: "Always use the hostname that matches the domain associated with your Worker". */
  origin: string
  /** Names the code that makes answers: another build may make another one of the same question and data. */
  build: string
}

/** From this size on an answer is also kept in R2, for all data centres. */
export const largeFrom = 256_000

/** Answers that nobody asks any more leave the cache of the data centre after a day. */
const cacheSeconds = 86_400
/** How many answers an isolate may put into R2 in a minute: what many different questions cost is bounded. */
const writesPerMinute = 20

const aboutHeader = 'x-kept-about'

/** The name of a question on the shelves. */
export async function nameOf(text: string, build: string): Promise<string> {
  return hex(await sha256(`${build} ${text}`))
}

const addressOf = ({ origin }: Tiers, name: string) => `${origin}/v1/.kept/${name}`
/** In R2: below the place, so that what is kept of one can be looked through. */
export const keptPrefix = 'answers/'
const keyOf = (placeId: string, name: string) => `${keptPrefix}${placeId}/${name}`

/** An answer from the cache of the data centre; null without one. */
export async function fromCache(shelves: Tiers, name: string): Promise<Entry | null> {
  const found = await shelves.cache?.match(addressOf(shelves, name))
  const about = found?.headers.get(aboutHeader)
  if (!found || !about) return null
  return {
    body: new Uint8Array(await found.arrayBuffer()),
    about: JSON.parse(about) as About,
    checkedBy: null,
  }
}

/** Keeps an answer in the cache of the data centre. */
export async function toCache(shelves: Tiers, name: string, entry: Entry, now: number): Promise<void> {
  const { until } = entry.about
  const seconds = until === null ? cacheSeconds : Math.ceil((until - now) / 1000)
  const about = ascii(JSON.stringify(entry.about))
  // The platform bounds headers; an answer that is made of thousands of sources stays in memory.
  if (!shelves.cache || seconds < 1 || about.length > 8000) return
  const headers = { 'cache-control': `public, max-age=${seconds}`, [aboutHeader]: about }
  await shelves.cache.put(addressOf(shelves, name), new Response(entry.body, { headers }))
}

/** A large answer from R2; null without one. */
export async function fromStore(shelves: Tiers, placeId: string, name: string): Promise<Entry | null> {
  const object = await shelves.hubs.get(keyOf(placeId, name))
  const about = object?.customMetadata?.about
  if (!object || !about || object.size > maxBody) return null
  return {
    body: new Uint8Array(await object.arrayBuffer()),
    about: JSON.parse(about) as About,
    checkedBy: null,
  }
}

let writes = { minute: 0, count: 0 }

/** Keeps a large answer in R2; not a small one, nor one of this minute, nor more than a few each minute. */
export async function toStore(
  shelves: Tiers,
  placeId: string,
  name: string,
  { body, about }: Entry,
  now: number,
): Promise<void> {
  const text = ascii(JSON.stringify(about))
  // R2 takes 2 kB of such text.
  if (body.byteLength < largeFrom || about.until !== null || text.length > 1900) return
  const minute = Math.floor(now / 60_000)
  if (writes.minute !== minute) writes = { minute, count: 0 }
  if (writes.count >= writesPerMinute) return
  writes.count += 1
  await shelves.hubs.put(keyOf(placeId, name), body, { customMetadata: { about: text } })
}

/** JSON that a header may carry. */
function ascii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
