import type { Entry } from '../answers/entry.ts'
import { Flights } from '../answers/flights.ts'
import { Memory } from '../answers/memory.ts'
import { refusal } from '../api/answer.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { readPlaceState } from '../site/place-state.ts'
import { isKnown } from './range.ts'
import { currentAddress, readAddress, readQuestion, versionsOf, type RecordTile } from './record-address.ts'
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
  /** A stranger's context, for a tile that is kept nowhere. */
  open(): Promise<{ ctx: Context; close(): Promise<void> }>
}

/** A tile is some kilobytes: the tiles of some hundred views of maps. */
const memory = new Memory(8_000_000)
const flights = new Flights<Entry>()
const cacheSeconds = 30 * 86_400

/**
 * Answers GET and HEAD of `/t/{points|shapes}/{placeId}/{source|type}/{id}@{data}/{z}/{x}/{y}.mvt`. What is public of the
 * place, and at which versions, is asked of the edge before any cache: 404 for what is not public, 302 to the data of now
 * for others. A tile is kept for good under its address, in the isolate and in the data centre; one that is kept
 * nowhere is made by the database. 204 where no record is, 400 for a question that is not understood or cannot be
 * answered in time, 503 while newer data are being published.
 */
export async function serveRecordTiles(request: Request, ports: RecordPorts): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { ...shared, allow: 'GET, HEAD' } })
  const address = readAddress(new URL(request.url))
  const place = address && (await readPlaceState(ports.hubs, address.subject.placeId))
  const versions = place && versionsOf(address.subject, place)
  if (!address || !versions) return notFound()
  const current = await currentAddress(address, versions)
  if (current !== null) {
    const headers = { ...shared, location: current, 'cache-control': 'no-store' }
    return new Response(null, { status: 302, headers })
  }
  const path = nameOf(address)
  const entry = (await kept(path, ports)) ?? (await made(path, address, versions, ports))
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

/** Equal tiles that are asked for at once are made once. Gives the tile, or the refusal. */
async function made(
  path: string,
  address: RecordTile,
  versions: Record<string, number>,
  ports: RecordPorts,
): Promise<Entry | Response> {
  const flight = flights.join(path, Date.now())
  if ('wait' in flight) return (await flight.wait()) ?? make(path, address, versions, ports)
  const making = make(path, address, versions, ports).then(
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

async function make(
  path: string,
  { layer, subject, tile, ...address }: RecordTile,
  versions: Record<string, number>,
  { open, cache, origin, build, waitUntil }: RecordPorts,
): Promise<Entry | Response> {
  const { ctx, close } = await open()
  try {
    const asked = readQuestion(address)
    const allowed = ctx.limits ? await ctx.limits.take('key', `tiles ${ctx.request.ip ?? ''}`) : true
    if (!allowed) throw new Failure('tooMany')
    const { placeId, kind, id } = subject
    const scope = kind === 'source' ? { placeId, sourceId: id } : { placeId, dataTypeId: id }
    const { tile: tileIn } = await import('../domain/dataset/tile.ts')
    const bytes = await tileIn(ctx, scope, { kind: layer, tile, ...asked, versions })
    const entry = entryOf(bytes ? await packed(bytes) : new Uint8Array())
    if (build !== null) {
      memory.put(path, entry)
      const headers = { 'cache-control': `public, max-age=${cacheSeconds}` }
      if (cache) waitUntil(cache.put(cacheName(path, origin, build), new Response(entry.body, { headers })))
    }
    return entry
  } catch (error) {
    const response = refusal(error, ctx)
    for (const [name, value] of Object.entries(shared)) response.headers.set(name, value)
    return response
  } finally {
    waitUntil(close())
  }
}

/** A tile, packed; without bytes one of no record. */
function entryOf(body: Uint8Array<ArrayBuffer>): Entry {
  return { body, about: { headers: {}, next: null, basis: {}, until: null }, checkedBy: null }
}

async function packed(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Response(bytes as Uint8Array<ArrayBuffer>).body?.pipeThrough(
    new CompressionStream('gzip'),
  )
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

function told(request: Request, { name, tile }: RecordTile, { body }: Entry): Response {
  const etag = `W/"${name}-${tile.z}-${tile.x}-${tile.y}"`
  const headers = new Headers({ ...shared, etag, 'cache-control': forever, vary: 'accept-encoding' })
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  if (body.byteLength === 0) return new Response(null, { status: 204, headers })
  headers.set('content-type', 'application/vnd.mapbox-vector-tile')
  const isPacked = acceptsPacked(request)
  if (isPacked) headers.set('content-encoding', 'gzip')
  if (request.method === 'HEAD') return new Response(null, { headers })
  if (isPacked) return new Response(body, { headers, encodeBody: 'manual' })
  return new Response(new Response(body).body?.pipeThrough(new DecompressionStream('gzip')), { headers })
}
