import type { About, Entry } from './entry.ts'
import { subjectOf } from './subject.ts'
import type { KeptState } from '#functions/edge/hub/place-state.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'

/**
 * Answers that are there before anyone has asked: the first page of the records of each public source and data type, their
 * fields, the answers of saved questions. They are given only when the database does not answer in time, so they lie in
 * R2 and are looked for by nobody else.
 */
export const fallbackPrefix = 'standing/'

/** Larger ones are left out. */
const maxBytes = 2_000_000

/** What is public or not, and with it what stands of it. */
type FallbackKind = 'source' | 'dataType' | 'insight'

/** Where something stands: below what it is of, so that it can be swept with it. */
export async function fallbackKey(
  placeId: string,
  of: FallbackKind,
  id: string,
  text: string,
): Promise<string> {
  return `${fallbackPrefix}${placeId}/${of}/${id}/${hex(await sha256(text))}`
}

/** Whether what stands under a key is of something public; of another key than one of ours it is not. */
export function isOfPublic(key: string, place: KeptState): boolean {
  const [, , of, id = ''] = key.split('/')
  const all = { source: place.sources, dataType: place.dataTypes, insight: place.insights }
  return (of === 'source' || of === 'dataType' || of === 'insight') && Object.hasOwn(all[of], id)
}

/** Where the answer to a question stands. `question`: path and options, without the host it is asked at. */
async function answerKey(placeId: string, question: string): Promise<string | null> {
  const subject = subjectOf(question.slice(0, question.indexOf(' ')))
  return subject && fallbackKey(placeId, subject.kind, subject.id, question)
}

/** The part of a question's text that is the same at every host. */
export const withoutHost = (text: string) => text.slice(text.indexOf(' ') + 1)

/** Puts an answer there, in the place of the one before. */
export async function putFallback(
  hubs: R2Bucket,
  placeId: string,
  question: string,
  { body, about }: Entry,
): Promise<void> {
  const key = await answerKey(placeId, question)
  if (key === null || body.byteLength > maxBytes) return
  const head = new TextEncoder().encode(`${JSON.stringify(about)}\n`)
  const bytes = new Uint8Array(head.byteLength + body.byteLength)
  bytes.set(head)
  bytes.set(body, head.byteLength)
  await hubs.put(key, bytes)
}

/** The answer that stands; null without one. Whether it may be given is the caller's to ask. */
export async function readFallback(hubs: R2Bucket, placeId: string, question: string): Promise<Entry | null> {
  const key = await answerKey(placeId, question)
  const object = key === null ? null : await hubs.get(key)
  if (!object) return null
  const bytes = new Uint8Array(await object.arrayBuffer())
  const end = bytes.indexOf(10)
  const about = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as About
  return { body: bytes.slice(end + 1), about, checkedBy: null }
}

/**
 * The addresses of what is to stand for some sources of a place: theirs, those of their data types, and of the saved
 * questions that are asked of them. Only of what is public.
 */
export function fallbackPaths(place: KeptState, sourceIds: string[]): string[] {
  const { placeId, sources, insights } = place
  const mine = sourceIds.filter((id) => Object.hasOwn(sources, id))
  const types = [...new Set(mine.map((id) => sources[id]?.dataType ?? ''))]
  const matches = Object.entries(insights).filter(([, { source, dataType }]) =>
    source === null ? types.includes(dataType) : mine.includes(source),
  )
  const verbs = ['data', 'fields']
  const at = (path: string) => `/v1/places/${placeId}/${path}`
  return [
    ...mine.flatMap((id) =>
      verbs.flatMap((verb) => [`/v1/sources/${id}/${verb}`, at(`sources/${id}/${verb}`)]),
    ),
    ...types.flatMap((id) => verbs.map((verb) => at(`dataTypes/${id}/${verb}`))),
    ...matches.map(([id]) => at(`insights/${id}/analytics`)),
  ]
}
