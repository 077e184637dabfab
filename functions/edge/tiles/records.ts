import type { Entry } from '#functions/edge/answers/entry.ts'
import { SingleFlight } from '#functions/platform/cache/single-flight.ts'
import { inTime } from '#functions/edge/answers/keep.ts'
import { Memory } from '#functions/edge/answers/memory.ts'
import { lastPlaceState, type KeptState } from '#functions/edge/hub/place-state.ts'
import { ofThen } from '#functions/edge/hub/stale.ts'
import { readPack } from './packs.ts'
import { readQuestion } from '#functions/engine/tile/question.ts'
import { isKnown } from '#functions/engine/http/etag.ts'
import { currentAddress, readAddress, versionsOf, type RecordTile } from './record-address.ts'
import { acceptsPacked, forever, notFound, shared } from './serve.ts'

/** What tiles of records are answered from. */
export interface RecordPorts {
  hubs: R2Bucket
  /** Of the data centre; null where there is none. */
  cache: Pick<Cache, 'match' | 'put'> | null
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

/** A tile is some kilobytes: the tiles of some hundred views of maps. */
const memory = new Memory(8_000_000)
const flights = new SingleFlight<Entry>()
const cacheSeconds = 30 * 86_400

/**
 * Answers GET and HEAD of `/t/{points|shapes}/{placeId}/{source|type}/{id}@{data}/{z}/{x}/{y}.mvt`. What is public of the
 * place, and at which versions, is asked of the edge before any cache: 404 for what is not public, 302 to the data of now
 * for others. A tile is kept for good under its address, in the isolate and in the data centre; one that is kept
 * nowhere is made by the database, or, when that does not answer in time, of the pack that was made of the map when it was
 * published: a pack of older data says so (`x-snapshot-date`). 204 where no record is, 400 for a question that is not understood or cannot be
 * answered in time, 503 while newer data are being published.
 */
export async function serveRecordTiles(request: Request, ports: RecordPorts): Promise<Response> {
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
  const path = nameOf(address)
  const entry = (await kept(path, ports)) ?? (await made(path, address, { place, versions }, ports))
  return entry instanceof Response ? entry : told(request, address, entry)
}

const nameOf = ({ layer, subject, name, tile, query }: RecordTile) =>
  `/t/${layer}/${subject.placeId}/${subject.kind}/${subject.id}@${name}/${tile.z}/${tile.x}/${tile.y}.mvt?${query}`

/** A tile that is kept; null without one. */
async function kept(path: string, { cache, origin, build }: RecordPorts): Promise<Entry | null> {
  if (build === null) return null
  const held = memory.get(path)
  if (held) return held
  const found = await cache?.match(cacheName(path, origin, build))
  if (!found) return null
  const entry = entryOf(new Uint8Array(await found.arrayBuffer()))
  memory.put(path, entry)
  return entry
}

const cacheName = (path: string, origin: string, build: string) => `${origin}${path}&build=${build}`

/** What the edge knows of the data of a tile: its place, and the version of each source. */
interface Data {
  place: KeptState
  versions: Record<string, number>
}

/** Equal tiles that are asked for at once are made once. Gives the tile, or the refusal. */
async function made(
  path: string,
  address: RecordTile,
  data: Data,
  ports: RecordPorts,
): Promise<Entry | Response> {
  const flight = flights.join(path, Date.now())
  if ('wait' in flight) return (await flight.wait()) ?? makeInTime(path, address, data, ports)
  const making = makeInTime(path, address, data, ports).then(
    (found) => {
      flight.land(found instanceof Response ? null : found)
      return found
    },
    (error: unknown) => {
      flight.land(null)
      throw error
    },
  )
  ports.waitUntil(making.catch(() => {}))
  return making
}

/** Makes a tile, by the database if it answers in time; else of the map's pack, if there is one. */
async function makeInTime(
  path: string,
  address: RecordTile,
  { place, versions }: Data,
  ports: RecordPorts,
): Promise<Entry | Response> {
  const making = make(path, address, versions, ports)
  const answer = await inTime(making)
  if (answer && !(answer instanceof Response && answer.status >= 500)) return answer
  const found = await fromPack(address, place, ports.hubs).catch(() => null)
  if (!found) return answer ?? making
  ports.waitUntil(making.catch(() => {}))
  return found
}

/** A tile of the map's pack; null without one. */
async function fromPack(address: RecordTile, place: KeptState, hubs: R2Bucket): Promise<Entry | null> {
  if (address.layer !== 'points') return null
  const kept = await readPack(hubs, address, place)
  if (!kept) return null
  const { PackReader, packedTile } = await import('#functions/engine/tile/pack.ts')
  const bytes = await packedTile(new PackReader(kept.pack), address.tile, readQuestion(address.query).fields)
  const entry = entryOf(bytes ? await pack(bytes) : new Uint8Array())
  if (kept.name !== address.name) entry.about.headers = ofThen(kept.at)
  return entry
}

async function make(
  path: string,
  { layer: kind, subject, tile, query }: RecordTile,
  versions: Record<string, number>,
  { ask, cache, origin, build, waitUntil }: RecordPorts,
): Promise<Entry | Response> {
  const { placeId, id } = subject
  const scope = subject.kind === 'source' ? { placeId, sourceId: id } : { placeId, dataTypeId: id }
  const answer = await ask({ scope, kind, tile, versions, query })
  if (answer instanceof Response) {
    for (const [name, value] of Object.entries(shared)) answer.headers.set(name, value)
    return answer
  }
  const entry = entryOf(answer ? await pack(answer) : new Uint8Array())
  if (build !== null) {
    memory.put(path, entry)
    const headers = { 'cache-control': `public, max-age=${cacheSeconds}` }
    if (cache) waitUntil(cache.put(cacheName(path, origin, build), new Response(entry.body, { headers })))
  }
  return entry
}

/** A tile, packed; without bytes one of no record. */
function entryOf(body: Uint8Array<ArrayBuffer>): Entry {
  return { body, about: { headers: {}, next: null, basis: {}, at: Date.now(), until: null }, checkedBy: null }
}

async function pack(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Response(bytes as Uint8Array<ArrayBuffer>).body?.pipeThrough(
    new CompressionStream('gzip'),
  )
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

function told(request: Request, { name, tile }: RecordTile, { body, about }: Entry): Response {
  const etag = `W/"${name}-${tile.z}-${tile.x}-${tile.y}"`
  const headers = new Headers({ ...shared, etag, 'cache-control': forever, vary: 'accept-encoding' })
  // Made of older data: it is not what the address names.
  if (about.headers['x-snapshot-date'] !== undefined) headers.delete('etag')
  for (const [header, value] of Object.entries(about.headers)) headers.set(header, value)
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
