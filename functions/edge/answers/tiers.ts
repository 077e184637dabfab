import { maxBody, type AnswerMetadata, type Entry } from './entry.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'
import { dataCentreTier, type DataCentreCache, type Tier } from '#functions/platform/cache/tier.ts'

/** The caches outside of the isolate. */
export interface AnswerStores {
  /** The cache of the data centre; null where there is none, as in the development server. */
  cache: DataCentreCache | null
  hubs: R2Bucket
  /** The workspace's origin, for the keys in that cache. */
  origin: string
  /** The version of the code: another build may answer the same query differently. */
  build: string
}

/** Answers from this size on (bytes) are also stored in R2, for all data centres. */
export const largeFrom = 256_000

/** Expiry in the data centre's cache. */
const cacheSeconds = 86_400
/** Most writes of an isolate to R2 per minute, which bounds the cost of many different queries. */
const writesPerMinute = 20

const aboutHeader = 'x-kept-about'

/** The key of a query outside of the isolate. */
export async function hashQueryText(text: string, build: string): Promise<string> {
  return hex(await sha256(`${build} ${text}`))
}

/** The prefix in R2; the place's id follows, so that its answers can be listed. */
export const keptPrefix = 'answers/'

/** The data centre's cache as a tier. `hashText` computes the key from a query's text. */
export function cacheTier(
  cache: DataCentreCache,
  origin: string,
  hashText: (text: string) => Promise<string>,
): Tier<Entry> {
  return dataCentreTier(cache, {
    toAddress: async (text) => `${origin}/v1/.kept/${await hashText(text)}`,
    write({ body, about }) {
      const seconds = about.until === null ? cacheSeconds : Math.ceil((about.until - Date.now()) / 1000)
      const text = ascii(JSON.stringify(about))
      // The platform limits headers; an answer that depends on thousands of sources stays in memory only.
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

/**
 * R2 as a tier for large answers: does not store small ones, those that depend on the current time, and more
 * than a few each minute.
 */
export function storeTier(
  hubs: R2Bucket,
  placeId: string,
  hashText: (text: string) => Promise<string>,
): Tier<Entry> {
  const buildObjectKey = async (text: string) => `${keptPrefix}${placeId}/${await hashText(text)}`
  return {
    name: 'store',
    isFar: true,
    async get(text) {
      const object = await hubs.get(await buildObjectKey(text))
      const about = object?.customMetadata?.about
      return object && about && object.size <= maxBody ? entryFrom(await object.arrayBuffer(), about) : null
    },
    async put(text, { body, about }) {
      const metadata = ascii(JSON.stringify(about))
      // R2 allows 2 kB of metadata.
      if (body.byteLength < largeFrom || about.until !== null || metadata.length > 1900) return
      const minute = Math.floor(Date.now() / 60_000)
      if (writes.minute !== minute) writes = { minute, count: 0 }
      if (writes.count >= writesPerMinute) return
      writes.count += 1
      await hubs.put(await buildObjectKey(text), body, { customMetadata: { about: metadata } })
    },
  }
}

const entryFrom = (body: ArrayBuffer, about: string): Entry => ({
  body: new Uint8Array(body),
  about: JSON.parse(about) as AnswerMetadata,
  checkedBy: null,
})

/** JSON escaped to ASCII, for a header. */
function ascii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
