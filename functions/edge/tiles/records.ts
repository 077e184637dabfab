import { byteMemory } from '#functions/platform/cache/bounded-memory.ts'
import { readCached } from '#functions/platform/cache/cached.ts'
import { SingleFlight } from '#functions/platform/cache/single-flight.ts'
import { dataCentreTier, type DataCentreCache, type Tier } from '#functions/platform/cache/tier.ts'
import { readLastPlaceState, type StoredPlaceState } from '#functions/edge/hub/place-state.ts'
import { staleHeaders } from '#functions/engine/http/stale-headers.ts'
import { readPack } from './packs.ts'
import { readQuestion } from '#functions/engine/tile/question.ts'
import { matchesEtag } from '#functions/engine/http/etag.ts'
import { currentAddress, readAddress, findDataVersions, type RecordTile } from './record-address.ts'
import { acceptsPacked, forever, createNotFoundResponse, sharedHeaders } from './serve.ts'

/** What serving tiles of records needs. */
export interface TileServices {
  hubs: R2Bucket
  /** The cache of the data centre; null where there is none. */
  cache: DataCentreCache | null
  /** One of our own origins, for the keys in that cache. */
  origin: string
  /** The version of the code that makes tiles; null in development, where nothing is cached. */
  build: string | null
  /** Lets started work finish after the response. */
  waitUntil(work: Promise<unknown>): void
  /**
   * Makes a tile from the database, as for an anonymous reader: its bytes, null for an empty one, or an error
   * response.
   */
  ask(question: TileQuestion): Promise<Uint8Array | null | Response>
}

/** The query for a tile. */
export interface TileQuestion {
  scope: { placeId: string; sourceId: string } | { placeId: string; dataTypeId: string }
  kind: RecordTile['layer']
  tile: RecordTile['tile']
  /** The query string as sent; it may not be valid. */
  query: string
  /** The data versions that the tile has to have, by source. */
  versions: Record<string, number>
}

/** A cached tile. */
interface KeptTile {
  /** Compressed with gzip; empty for a tile without records. */
  body: Uint8Array<ArrayBuffer>
  /**
   * The date of its data (milliseconds) if they are older than the address says; such a tile is not cached.
   * Null: they are as the address says.
   */
  dataTime: number | null
}

/** Bytes of cached tiles: enough for some hundred views of maps. */
const memory = byteMemory<KeptTile>(8_000_000)
const singleFlight = new SingleFlight<KeptTile>()
const cacheSeconds = 30 * 86_400

/**
 * Answers GET and HEAD of `/t/{points|shapes}/{placeId}/{source|type}/{id}@{data}/{z}/{x}/{y}.mvt`. First
 * checks the place's state: 404 for what is not public, 302 to the current data versions. Tiles are immutable
 * under their address, and cached in the isolate and the data centre. A tile that is not cached is made by
 * the database or, when that does not answer in time, from the pack that was stored when the map was
 * published, with its date if the data are older (`x-snapshot-date`). 204 for an empty tile, 400 for a query
 * that is not valid or cannot be answered in time, 503 while newer data are being published.
 */
export async function serveRecordTiles(request: Request, ports: TileServices): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { ...sharedHeaders, allow: 'GET, HEAD' } })
  const address = readAddress(new URL(request.url))
  const place = address && (await readLastPlaceState(ports.hubs, address.subject.placeId))
  const versions = place && findDataVersions(address.subject, place)
  if (!address || !versions) return createNotFoundResponse()
  const current = await currentAddress(address, versions)
  if (current !== null) {
    const headers = { ...sharedHeaders, location: current, 'cache-control': 'no-store' }
    return new Response(null, { status: 302, headers })
  }
  const tile = await readTile(address, { place, versions }, ports)
  return tile instanceof Response ? tile : answerFrom(request, address, tile)
}

const buildTilePath = ({ layer, subject, name, tile, query }: RecordTile) =>
  `/t/${layer}/${subject.placeId}/${subject.kind}/${subject.id}@${name}/${tile.z}/${tile.x}/${tile.y}.mvt?${query}`

/** The place's state and the data version of each source of a tile. */
interface Data {
  place: StoredPlaceState
  versions: Record<string, number>
}

/**
 * A tile from a cache or newly made, or the error response. The address contains the data versions, so a
 * cached one is right.
 */
async function readTile(
  address: RecordTile,
  { place, versions }: Data,
  ports: TileServices,
): Promise<KeptTile | Response> {
  const isKept = ports.build !== null
  const result = await readCached<KeptTile, KeptTile | Response>({
    key: buildTilePath(address),
    memory: isKept ? memory : null,
    tiers: isKept ? buildTiers(ports) : [],
    singleFlight,
    make: () => make(address, versions, ports),
    toCacheable: async (answer) => ({ value: answer instanceof Response ? null : answer, made: answer }),
    older: {
      isFailure: (answer) => answer instanceof Response && answer.status >= 500,
      find: () => fromPack(address, place, ports.hubs),
    },
    later: (work) => ports.waitUntil(work.catch(() => {})),
  })
  return 'made' in result ? result.made : result.value
}

function buildTiers({ cache, origin, build }: TileServices): Tier<KeptTile>[] {
  if (!cache) return []
  const headers = { 'cache-control': `public, max-age=${cacheSeconds}` }
  return [
    dataCentreTier(cache, {
      toAddress: (path) => `${origin}${path}&build=${build}`,
      write: ({ body }) => new Response(body, { headers }),
      read: async (response) => toTile(new Uint8Array(await response.arrayBuffer())),
    }),
  ]
}

const toTile = (body: Uint8Array<ArrayBuffer>, dataTime: number | null = null): KeptTile => ({
  body,
  dataTime,
})

/** A tile made from the map's pack; null without a pack. */
async function fromPack(
  address: RecordTile,
  place: StoredPlaceState,
  hubs: R2Bucket,
): Promise<KeptTile | null> {
  if (address.layer !== 'points') return null
  const storedPack = await readPack(hubs, address, place)
  if (!storedPack) return null
  const { PackReader, packedTile } = await import('#functions/engine/tile/pack.ts')
  const bytes = await packedTile(
    new PackReader(storedPack.pack),
    address.tile,
    readQuestion(address.query).fields,
  )
  const body = bytes ? await pack(bytes) : new Uint8Array()
  return toTile(body, storedPack.name === address.name ? null : storedPack.at)
}

/** Makes a tile from the database, or returns the error response. */
async function make(
  { layer: kind, subject, tile, query }: RecordTile,
  versions: Record<string, number>,
  { ask }: TileServices,
): Promise<KeptTile | Response> {
  const { placeId, id } = subject
  const scope = subject.kind === 'source' ? { placeId, sourceId: id } : { placeId, dataTypeId: id }
  const answer = await ask({ scope, kind, tile, versions, query })
  if (!(answer instanceof Response)) return toTile(answer ? await pack(answer) : new Uint8Array())
  for (const [name, value] of Object.entries(sharedHeaders)) answer.headers.set(name, value)
  return answer
}

async function pack(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Response(bytes as Uint8Array<ArrayBuffer>).body?.pipeThrough(
    new CompressionStream('gzip'),
  )
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

function answerFrom(request: Request, { name, tile }: RecordTile, { body, dataTime }: KeptTile): Response {
  const etag = `W/"${name}-${tile.z}-${tile.x}-${tile.y}"`
  const headers = new Headers({ ...sharedHeaders, etag, 'cache-control': forever, vary: 'accept-encoding' })
  // Older data than the address says, so it must not be cached.
  if (dataTime !== null) {
    headers.delete('etag')
    for (const [header, value] of Object.entries(staleHeaders(dataTime))) headers.set(header, value)
  }
  if (headers.has('etag') && matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  if (body.byteLength === 0) return new Response(null, { status: 204, headers })
  headers.set('content-type', 'application/vnd.mapbox-vector-tile')
  const isPacked = acceptsPacked(request)
  if (isPacked) headers.set('content-encoding', 'gzip')
  if (request.method === 'HEAD') return new Response(null, { headers })
  if (isPacked) return new Response(body, { headers, encodeBody: 'manual' })
  return new Response(new Response(body).body?.pipeThrough(new DecompressionStream('gzip')), { headers })
}
