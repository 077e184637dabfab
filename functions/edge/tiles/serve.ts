import { archiveSize, readTile } from '#functions/engine/tile/archives.ts'
import { archiveKey, boundaryKey, isHash, setArchiveKey } from '#functions/engine/tile/manifest.ts'
import { matchesEtag } from '#functions/engine/http/etag.ts'
import { readRange } from '#functions/engine/http/range.ts'

/** Headers that let maps of other sites read public tiles. */
export const sharedHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'accept-ranges, content-length, content-range, etag',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/**
 * Immutable, because the path contains the hash. `no-transform`: ranges of a re-compressed archive would be
 * wrong.
 */
export const forever = 'public, max-age=31536000, immutable, no-transform'

/** For what its organization may withdraw: cached for an hour, and only by browsers. `no-transform` as above. */
const withdrawable = 'private, max-age=3600, no-transform'

/**
 * Answers GET and HEAD of `/a/{hash}.pmtiles` and `/a/sets/{id}/{hash}.pmtiles` (byte ranges of an archive),
 * `/a/boundaries/{id}.geojson` (all boundaries of a level) and `/t/{hash}/{z}/{x}/{y}.mvt` (one tile; 204 if the archive has none
 * within its zooms). An unknown hash, id or zoom is 404, another method 405. Null for other paths.
 */
export async function serveTiles(request: Request, tiles: R2Bucket): Promise<Response | null> {
  const { pathname } = new URL(request.url)
  const boundary = /^\/a\/boundaries\/([^/]+)\.geojson$/.exec(pathname)
  const archive = /^\/a\/([^/]+)\.pmtiles$/.exec(pathname)
  const set = /^\/a\/sets\/([\w-]{1,64})\/([^/]+)\.pmtiles$/.exec(pathname)
  const tile = /^\/t\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\.mvt$/.exec(pathname)
  if (!boundary && !archive && !set && !tile) return null
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { ...sharedHeaders, allow: 'GET, HEAD' } })
  }
  if (boundary) return serveBoundary(request, tiles, boundary[1] ?? '')
  if (archive) return serveArchive(request, tiles, archive[1] ?? '')
  if (set) return serveSet(request, tiles, set[1] ?? '', set[2] ?? '')
  const [, hash = '', ...place] = tile ?? []
  return serveTile(request, tiles, hash, place)
}

/** The 404 response. */
export function createNotFoundResponse(): Response {
  const headers = {
    ...sharedHeaders,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'public, max-age=60',
  }
  return new Response('There is no such map data.\n', { status: 404, headers })
}

async function serveArchive(request: Request, tiles: R2Bucket, hash: string): Promise<Response> {
  const size = isHash(hash) ? await archiveSize(tiles, hash) : null
  return size === null
    ? createNotFoundResponse()
    : serveParts(request, tiles, { key: archiveKey(hash), hash, size, keep: forever })
}

/** The archive of an organization's own set: read each time, because it may be withdrawn. */
async function serveSet(request: Request, tiles: R2Bucket, id: string, hash: string): Promise<Response> {
  const key = setArchiveKey(id, hash)
  const head = isHash(hash) ? await tiles.head(key) : null
  return head
    ? serveParts(request, tiles, { key, hash, size: head.size, keep: withdrawable })
    : createNotFoundResponse()
}

interface StoredArchive {
  key: string
  hash: string
  size: number
  /** The `Cache-Control` header. */
  keep: string
}

async function serveParts(
  request: Request,
  tiles: R2Bucket,
  { key, hash, size, keep }: StoredArchive,
): Promise<Response> {
  const etag = `"${hash}"`
  const headers = new Headers({ ...sharedHeaders, etag, 'cache-control': keep, 'accept-ranges': 'bytes' })
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  headers.set('content-type', 'application/vnd.pmtiles')
  if (request.method === 'HEAD') {
    headers.set('content-length', String(size))
    return new Response(null, { headers })
  }
  const ifRange = request.headers.get('if-range')
  const text = ifRange === null || ifRange === etag ? request.headers.get('range') : null
  const range = readRange(text, size)
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`)
    headers.set('cache-control', 'no-store')
    return new Response(null, { status: 416, headers })
  }
  const part = range === 'whole' ? { offset: 0, length: size } : range
  const object = await tiles.get(key, { range: part })
  if (!object) return createNotFoundResponse()
  headers.set('content-length', String(part.length))
  if (range === 'whole') return new Response(object.body, { headers })
  headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${size}`)
  return new Response(object.body, { status: 206, headers })
}

async function serveTile(
  request: Request,
  tiles: R2Bucket,
  hash: string,
  place: string[],
): Promise<Response> {
  if (!isHash(hash) || !place.every((part) => /^(0|[1-9]\d{0,7})$/.test(part)))
    return createNotFoundResponse()
  const [z = 0, x = 0, y = 0] = place.map(Number)
  const etag = `W/"${hash}-${z}-${x}-${y}"`
  const headers = new Headers({ ...sharedHeaders, etag, 'cache-control': forever, vary: 'accept-encoding' })
  const tile = await readTile(tiles, hash, [z, x, y])
  if (tile === null) return createNotFoundResponse()
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  if (tile === 'empty') return new Response(null, { status: 204, headers })
  headers.set('content-type', 'application/vnd.mapbox-vector-tile')
  const isPacked = acceptsPacked(request)
  if (isPacked) headers.set('content-encoding', 'gzip')
  if (request.method === 'HEAD') return new Response(null, { headers })
  if (isPacked) return new Response(tile, { headers, encodeBody: 'manual' })
  return new Response(new Response(tile).body?.pipeThrough(new DecompressionStream('gzip')), { headers })
}

/** Whether the reader accepts gzip. */
export function acceptsPacked(request: Request): boolean {
  return acceptsGzip(acceptedEncodings(request))
}

/** Cloudflare replaces the header before it calls the Worker, and passes the reader's in `cf`. */
function acceptedEncodings(request: Request): string | null {
  const encodings = (request as { cf?: { clientAcceptEncoding?: unknown } }).cf?.clientAcceptEncoding
  return typeof encodings === 'string' ? encodings : request.headers.get('accept-encoding')
}

/** False when gzip is not listed or has `q=0`. */
function acceptsGzip(header: string | null): boolean {
  return (header ?? '').split(',').some((part) => {
    const [coding, ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    return (
      (coding === 'gzip' || coding === '*') && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    )
  })
}

async function serveBoundary(request: Request, tiles: R2Bucket, id: string): Promise<Response> {
  if (!/^[\w-]{1,64}$/.test(id)) return createNotFoundResponse()
  const key = boundaryKey(id)
  const ifNoneMatch = request.headers.get('if-none-match')
  const wantsBody = request.method === 'GET'
  const head = ifNoneMatch !== null || !wantsBody ? await tiles.head(key) : null
  const isFresh = head !== null && matchesEtag(ifNoneMatch, head.httpEtag)
  const object = wantsBody && !isFresh ? await tiles.get(key) : head
  if (!object) return createNotFoundResponse()
  const headers = new Headers({
    ...sharedHeaders,
    etag: object.httpEtag,
    'cache-control': 'public, max-age=0, must-revalidate',
  })
  if (isFresh) return new Response(null, { status: 304, headers })
  headers.set('content-type', 'application/geo+json')
  headers.set('content-length', String(object.size))
  return new Response('body' in object ? (object as R2ObjectBody).body : null, { headers })
}
