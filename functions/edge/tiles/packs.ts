import { fallbackKey } from '#functions/edge/answers/fallback.ts'
import type { Pack } from '#functions/engine/tile/pack.ts'
import type { KeptState } from '#functions/edge/hub/place-state.ts'
import type { RecordTile } from './record-address.ts'

/** A pack as it is kept: of which data, of which sources, made when. */
export interface KeptPack {
  /** The data it is of, as tiles of them are named. */
  name: string
  sources: string[]
  /** In milliseconds. */
  at: number
  pack: Pack
}

type Question = Pick<RecordTile, 'subject' | 'query'>

/** Where the pack of a map lies: one for each question, in the place of the one before. */
async function keyOf({ subject: { placeId, kind, id }, query }: Question): Promise<string> {
  return fallbackKey(placeId, kind === 'type' ? 'dataType' : kind, id, `tiles?${query}`)
}

/** Keeps a pack. */
export async function putPack(hubs: R2Bucket, question: Question, kept: KeptPack): Promise<void> {
  const stream = new Response(JSON.stringify(kept)).body?.pipeThrough(new CompressionStream('gzip'))
  const bytes = await new Response(stream).arrayBuffer()
  await hubs.put(await keyOf(question), bytes, { customMetadata: { name: kept.name } })
}

/** Whether the pack of a map is of these data. */
export async function hasPack(hubs: R2Bucket, question: Question, name: string): Promise<boolean> {
  return (await hubs.head(await keyOf(question)))?.customMetadata?.name === name
}

/** Packs in the isolate: for as long as the database is away the same ones are asked for again and again. */
const packs = new Map<string, { readAt: number; kept: KeptPack | null }>()
const mostPacks = 3
const memoMs = 30_000

/** The pack of a map whose sources are all public now; null without one. */
export async function readPack(
  hubs: R2Bucket,
  question: Question,
  place: KeptState,
): Promise<KeptPack | null> {
  const key = await keyOf(question)
  let known = packs.get(key)
  if (!known || Date.now() - known.readAt > memoMs) {
    known = { readAt: Date.now(), kept: await fetchPack(hubs, key) }
    packs.delete(key)
    if (packs.size >= mostPacks) packs.delete(packs.keys().next().value ?? '')
    packs.set(key, known)
  }
  const { kept } = known
  return kept?.sources.every((id) => Object.hasOwn(place.sources, id)) ? kept : null
}

async function fetchPack(hubs: R2Bucket, key: string): Promise<KeptPack | null> {
  const object = await hubs.get(key)
  if (!object) return null
  const stream = object.body.pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).json<KeptPack>()
}
