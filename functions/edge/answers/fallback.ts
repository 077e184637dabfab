import type { AnswerMetadata, Entry } from './entry.ts'
import { parseSubject } from './subject.ts'
import type { StoredPlaceState } from '#functions/edge/hub/place-state.ts'
import { hex, sha256 } from '#functions/platform/digest.ts'

/**
 * Answers that are stored in advance: the first page of records of each public source and data type, their
 * fields, and the answers of saved queries. In R2, used only when the database does not answer in time.
 */
export const fallbackPrefix = 'standing/'

/** Largest stored answer, in bytes. */
const maxBytes = 2_000_000

/** The kinds of subjects, which are public or not. */
type FallbackKind = 'source' | 'dataType' | 'insight'

/** The key of a stored answer: below its subject, so that it can be deleted with it. */
export async function fallbackKey(
  placeId: string,
  of: FallbackKind,
  id: string,
  text: string,
): Promise<string> {
  return `${fallbackPrefix}${placeId}/${of}/${id}/${hex(await sha256(text))}`
}

/** Whether a key belongs to a public subject; false for keys of another form. */
export function isOfPublic(key: string, place: StoredPlaceState): boolean {
  const [, , of, id = ''] = key.split('/')
  const all = { source: place.sources, dataType: place.dataTypes, insight: place.insights }
  return (of === 'source' || of === 'dataType' || of === 'insight') && Object.hasOwn(all[of], id)
}

/**
 * The key of a query's stored answer; null for a query without one. `question`: path and options, without the
 * host.
 */
async function answerKey(placeId: string, question: string): Promise<string | null> {
  const subject = parseSubject(question.slice(0, question.indexOf(' ')))
  return subject && fallbackKey(placeId, subject.kind, subject.id, question)
}

/** The part of a query's text that does not depend on the host. */
export const withoutHost = (text: string) => text.slice(text.indexOf(' ') + 1)

/** Stores an answer, replacing the one before. */
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

/** The stored answer; null without one. The caller must check whether it may be served. */
export async function readFallback(hubs: R2Bucket, placeId: string, question: string): Promise<Entry | null> {
  const key = await answerKey(placeId, question)
  const object = key === null ? null : await hubs.get(key)
  if (!object) return null
  const bytes = new Uint8Array(await object.arrayBuffer())
  const end = bytes.indexOf(10)
  const about = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as AnswerMetadata
  return { body: bytes.slice(end + 1), about, checkedBy: null }
}

/**
 * The paths to store answers for, for these sources of a place: of the public ones, of their data types, and
 * of the saved queries on them.
 */
export function fallbackPaths(place: StoredPlaceState, sourceIds: string[]): string[] {
  const { placeId, sources, insights } = place
  const ownIds = sourceIds.filter((id) => Object.hasOwn(sources, id))
  const types = [...new Set(ownIds.map((id) => sources[id]?.dataType ?? ''))]
  const matches = Object.entries(insights).filter(([, { source, dataType }]) =>
    source === null ? types.includes(dataType) : ownIds.includes(source),
  )
  const verbs = ['data', 'fields']
  const buildPlacePath = (path: string) => `/v1/places/${placeId}/${path}`
  return [
    ...ownIds.flatMap((id) =>
      verbs.flatMap((verb) => [`/v1/sources/${id}/${verb}`, buildPlacePath(`sources/${id}/${verb}`)]),
    ),
    ...types.flatMap((id) => verbs.map((verb) => buildPlacePath(`dataTypes/${id}/${verb}`))),
    ...matches.map(([id]) => buildPlacePath(`insights/${id}/analytics`)),
  ]
}
