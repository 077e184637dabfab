import { PolledCache } from '#functions/platform/cache/polled.ts'
import { fallbackKey } from '#functions/edge/answers/fallback.ts'
import type { Pack } from '#functions/engine/tile/pack.ts'
import type { StoredPlaceState } from '#functions/edge/hub/place-state.ts'
import type { RecordTile } from './record-address.ts'

/** A stored pack (see `functions/engine/tile`). */
interface KeptPack {
  /** The name of its data versions, as in the addresses of tiles. */
  name: string
  sources: string[]
  /** When it was made, in milliseconds since 1970. */
  at: number
  pack: Pack
}

type Question = Pick<RecordTile, 'subject' | 'query'>

/** The key of a map's pack: one for each query, which replaces the one before. */
async function buildPackKey({ subject: { placeId, kind, id }, query }: Question): Promise<string> {
  return fallbackKey(placeId, kind === 'type' ? 'dataType' : kind, id, `tiles?${query}`)
}

/** Stores a pack, compressed with gzip. */
export async function putPack(hubs: R2Bucket, question: Question, pack: KeptPack): Promise<void> {
  const stream = new Response(JSON.stringify(pack)).body?.pipeThrough(new CompressionStream('gzip'))
  const bytes = await new Response(stream).arrayBuffer()
  await hubs.put(await buildPackKey(question), bytes, { customMetadata: { name: pack.name } })
}

/** Whether the stored pack of a map has these data versions. */
export async function hasPack(hubs: R2Bucket, question: Question, name: string): Promise<boolean> {
  return (await hubs.head(await buildPackKey(question)))?.customMetadata?.name === name
}

/** Packs in memory: while the database is unavailable, the same ones are requested repeatedly. */
const packs = new PolledCache<KeptPack | null>({
  name: 'pack',
  freshMs: 30_000,
  staleMs: 0,
  bounds: { cost: 3, estimateCost: () => 1 },
})

/** The pack of a map if all of its sources are public now; otherwise null. */
export async function readPack(
  hubs: R2Bucket,
  question: Question,
  place: StoredPlaceState,
): Promise<KeptPack | null> {
  const key = await buildPackKey(question)
  const pack = await packs.readFresh(key, () => fetchPack(hubs, key))
  return pack?.sources.every((id) => Object.hasOwn(place.sources, id)) ? pack : null
}

async function fetchPack(hubs: R2Bucket, key: string): Promise<KeptPack | null> {
  const object = await hubs.get(key)
  if (!object) return null
  const stream = object.body.pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).json<KeptPack>()
}
