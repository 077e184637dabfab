import { byteMemory } from '#functions/platform/cache/bounded-memory.ts'
import { readCached } from '#functions/platform/cache/cached.ts'
import { SingleFlight } from '#functions/platform/cache/single-flight.ts'
import { dataCentreTier, type DataCentreCache, type Tier } from '#functions/platform/cache/tier.ts'
import { lastPlaceState, type KeptState } from '#functions/edge/hub/place-state.ts'
import { staleHeaders } from '#functions/engine/http/stale-headers.ts'
import { readPack } from './packs.ts'
import { readQuestion } from '#functions/engine/tile/question.ts'
import { isKnown } from '#functions/engine/http/etag.ts'
import { currentAddress, readAddress, versionsOf, type RecordTile } from './record-address.ts'
import { acceptsPacked, forever, notFound, shared } from './serve.ts'

/** What tiles of records are answered from. */
export interface TileServices {
  hubs: R2Bucket
  /** Of the data centre; null where there is none. */
  cache: DataCentreCache | null
  /** An address of our own, below which the cache keeps tiles. */
  origin: string
  /** Names the code that makes tiles; null: the code may change any time, so nothing is kept. */
  build: string | null
  /** Lets what was begun end though the asker may be gone. */
  waitUntil(work: Promise<unknown>): void
  /**
   * Has a tile that is kept nowhere made by the database, as a stranger would get it: its bytes, null for one without a
   * record, or the refusal.
   */
  ask(question: TileQuestion): Promise<Uint8Array | null | Response>
}

/** What the database is asked for a tile. */
export interface TileQuestion {
  scope: { placeId: string; sourceId: string } | { placeId: string; dataTypeId: string }
  kind: RecordTile['layer']
  tile: RecordTile['tile']
  /** Of the address, as it was sent: what is wrong with it is a refusal too. */
  query: string
  /** The data versions of the sources that the tile is to be of. */
  versions: Record<string, number>
}

/** A tile as it is kept. */
interface KeptTile {
  /** Packed with gzip; without bytes one of no record. */
  body: Uint8Array<ArrayBuffer>
  /** Of when its data are where they are older than what the address names (ms); such a tile is kept nowhere. */
  asOf: number | null
}

/** A tile is some kilobytes: the tiles of some hundred views of maps. */
const memory = byteMemory<KeptTile>(8_000_000)
const singleFlight = new SingleFlight<KeptTile>()
const cacheSeconds = 30 * 86_400

/**
 * Answers GET and HEAD of `/t/{points|shapes}/{placeId}/{source|type}/{id}@{data}/{z}/{x}/{y}.mvt`. What is public of the
 * place, and at which versions, is asked of the edge before any cache: 404 for what is not public, 302 to the data of now
 * for others. A tile is kept for good under its address, in the isolate and in the data centre; one that is kept
 * nowhere is made by the database, or, when that does not answer in time, of the pack that was made of the map when it was
 * published: a pack of older data says so (`x-snapshot-date`). 204 where no record is, 400 for a question that is not understood or cannot be
 * answered in time, 503 while newer data are being published.
 */
export async function serveRecordTiles(request: Request, ports: TileServices): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { ...shared, allow: 'GET, HEAD' } })
  const address = readAddress(new URL(request.url))
  const place = address && (await lastPlaceState(ports.hubs, address.subject.placeId))
  const versions = place && versionsOf(address.subject, place)
  if (!address || !versions) return notFound()
  const current = await currentAddress(address, versions)
  if (current !== null) {
    const headers = { ...shared, location: current, 'cache-control': 'no-store' }
    return new Response(null, { status: 302, headers })
  }
  const tile = await readTile(address, { place, versions }, ports)
  return tile instanceof Response ? tile : answerFrom(request, address, tile)
}

const nameOf = ({ layer, subject, name, tile, query }: RecordTile) =>
  `/t/${layer}/${subject.placeId}/${subject.kind}/${subject.id}@${name}/${tile.z}/${tile.x}/${tile.y}.mvt?${query}`

/** What the edge knows of the data of a tile: its place, and the version of each source. */
interface Data {
  place: KeptState
  versions: Record<string, number>
}

/** A tile from where it is kept, else made; or the refusal to make it. Its address names the data, so what is kept is right. */
async function readTile(
  address: RecordTile,
  { place, versions }: Data,
  ports: TileServices,
): Promise<KeptTile | Response> {
  const isKept = ports.build !== null
  const result = await readCached<KeptTile, KeptTile | Response>({
    key: nameOf(address),
    memory: isKept ? memory : null,
    tiers: isKept ? tiersOf(ports) : [],
    singleFlight,
    make: () => make(address, versions, ports),
    keep: async (made) => ({ value: made instanceof Response ? null : made, made }),
    older: {
      isFailure: (made) => made instanceof Response && made.status >= 500,
      find: () => fromPack(address, place, ports.hubs),
    },
    later: (work) => ports.waitUntil(work.catch(() => {})),
  })
  return 'made' in result ? result.made : result.value
}

function tiersOf({ cache, origin, build }: TileServices): Tier<KeptTile>[] {
  if (!cache) return []
  const headers = { 'cache-control': `public, max-age=${cacheSeconds}` }
  return [
    dataCentreTier(cache, {
      addressOf: (path) => `${origin}${path}&build=${build}`,
      write: ({ body }) => new Response(body, { headers }),
      read: async (response) => tileOf(new Uint8Array(await response.arrayBuffer())),
    }),
  ]
}

const tileOf = (body: Uint8Array<ArrayBuffer>, asOf: number | null = null): KeptTile => ({ body, asOf })

/** A tile of the map's pack; null without one. */
async function fromPack(address: RecordTile, place: KeptState, hubs: R2Bucket): Promise<KeptTile | null> {
  if (address.layer !== 'points') return null
  const kept = await readPack(hubs, address, place)
  if (!kept) return null
  const { PackReader, packedTile } = await import('#functions/engine/tile/pack.ts')
  const bytes = await packedTile(new PackReader(kept.pack), address.tile, readQuestion(address.query).fields)
  const body = bytes ? await pack(bytes) : new Uint8Array()
  return tileOf(body, kept.name === address.name ? null : kept.at)
}

/** Has the database make a tile; or its refusal. */
async function make(
  { layer: kind, subject, tile, query }: RecordTile,
  versions: Record<string, number>,
  { ask }: TileServices,
): Promise<KeptTile | Response> {
  const { placeId, id } = subject
  const scope = subject.kind === 'source' ? { placeId, sourceId: id } : { placeId, dataTypeId: id }
  const answer = await ask({ scope, kind, tile, versions, query })
  if (!(answer instanceof Response)) return tileOf(answer ? await pack(answer) : new Uint8Array())
  for (const [name, value] of Object.entries(shared)) answer.headers.set(name, value)
  return answer
}

async function pack(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Response(bytes as Uint8Array<ArrayBuffer>).body?.pipeThrough(
    new CompressionStream('gzip'),
  )
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

function answerFrom(request: Request, { name, tile }: RecordTile, { body, asOf }: KeptTile): Response {
  const etag = `W/"${name}-${tile.z}-${tile.x}-${tile.y}"`
  const headers = new Headers({ ...shared, etag, 'cache-control': forever, vary: 'accept-encoding' })
  // Made of older data: it is not what the address names.
  if (asOf !== null) {
    headers.delete('etag')
    for (const [header, value] of Object.entries(staleHeaders(asOf))) headers.set(header, value)
  }
  if (headers.has('etag') && isKnown(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  if (body.byteLength === 0) return new Response(null, { status: 204, headers })
  headers.set('content-type', 'application/vnd.mapbox-vector-tile')
  const isPacked = acceptsPacked(request)
  if (isPacked) headers.set('content-encoding', 'gzip')
  if (request.method === 'HEAD') return new Response(null, { headers })
  if (isPacked) return new Response(body, { headers, encodeBody: 'manual' })
  return new Response(new Response(body).body?.pipeThrough(new DecompressionStream('gzip')), { headers })
}
