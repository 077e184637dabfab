import { maxBody, type About, type Entry } from './entry.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'
import { dataCentreTier, type DataCentreCache, type Tier } from '#functions/platform/cache/tier.ts'

/** Where answers are kept outside of the isolate. */
export interface AnswerStores {
  /** Of the data centre; null where there is none, as in the development server. */
  cache: DataCentreCache | null
  hubs: R2Bucket
  /** Of the workspace: below it the cache of the data centre keeps answers. */
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

/** The name of a question outside of the isolate. */
export async function nameOf(text: string, build: string): Promise<string> {
  return hex(await sha256(`${build} ${text}`))
}

/** In R2: below the place, so that what is kept of one can be looked through. */
export const keptPrefix = 'answers/'

/** The cache of the data centre. `nameOf` gives the name of a question from its text. */
export function cacheTier(
  cache: DataCentreCache,
  origin: string,
  nameOf: (text: string) => Promise<string>,
): Tier<Entry> {
  return dataCentreTier(cache, {
    addressOf: async (text) => `${origin}/v1/.kept/${await nameOf(text)}`,
    write({ body, about }) {
      const seconds = about.until === null ? cacheSeconds : Math.ceil((about.until - Date.now()) / 1000)
      const text = ascii(JSON.stringify(about))
      // The platform bounds headers; an answer that is made of thousands of sources stays in memory.
      if (seconds < 1 || text.length > 8000) return null
      const headers = { 'cache-control': `public, max-age=${seconds}`, [aboutHeader]: text }
      return new Response(body, { headers })
    },
    async read(response) {
      const about = response.headers.get(aboutHeader)
      return about ? entryFrom(await response.arrayBuffer(), about) : null
    },
  })
}

let writes = { minute: 0, count: 0 }

/** R2, for large answers: not a small one, nor one of this minute, nor more than a few each minute are written. */
export function storeTier(
  hubs: R2Bucket,
  placeId: string,
  nameOf: (text: string) => Promise<string>,
): Tier<Entry> {
  const keyOf = async (text: string) => `${keptPrefix}${placeId}/${await nameOf(text)}`
  return {
    name: 'store',
    isFar: true,
    async get(text) {
      const object = await hubs.get(await keyOf(text))
      const about = object?.customMetadata?.about
      return object && about && object.size <= maxBody ? entryFrom(await object.arrayBuffer(), about) : null
    },
    async put(text, { body, about }) {
      const metadata = ascii(JSON.stringify(about))
      // R2 takes 2 kB of such text.
      if (body.byteLength < largeFrom || about.until !== null || metadata.length > 1900) return
      const minute = Math.floor(Date.now() / 60_000)
      if (writes.minute !== minute) writes = { minute, count: 0 }
      if (writes.count >= writesPerMinute) return
      writes.count += 1
      await hubs.put(await keyOf(text), body, { customMetadata: { about: metadata } })
    },
  }
}

const entryFrom = (body: ArrayBuffer, about: string): Entry => ({
  body: new Uint8Array(body),
  about: JSON.parse(about) as About,
  checkedBy: null,
})

/** JSON that a header may carry. */
function ascii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
