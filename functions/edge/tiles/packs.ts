import { PolledCache } from '#functions/platform/cache/polled.ts'
import { fallbackKey } from '#functions/edge/answers/fallback.ts'
import type { Pack } from '#functions/engine/tile/pack.ts'
import type { KeptState } from '#functions/edge/hub/place-state.ts'
import type { RecordTile } from './record-address.ts'

/** A pack as it is kept: of which data, of which sources, made when. */
interface KeptPack {
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
const packs = new PolledCache<KeptPack | null>({
  name: 'pack',
  freshMs: 30_000,
  staleMs: 0,
  bounds: { cost: 3, costOf: () => 1 },
})

/** The pack of a map whose sources are all public now; null without one. */
export async function readPack(
  hubs: R2Bucket,
  question: Question,
  place: KeptState,
): Promise<KeptPack | null> {
  const key = await keyOf(question)
  const kept = await packs.readFresh(key, () => fetchPack(hubs, key))
  return kept?.sources.every((id) => Object.hasOwn(place.sources, id)) ? kept : null
}

async function fetchPack(hubs: R2Bucket, key: string): Promise<KeptPack | null> {
  const object = await hubs.get(key)
  if (!object) return null
  const stream = object.body.pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).json<KeptPack>()
}
