import {
  fileKey,
  preparedFormats,
  stateName,
  statePattern,
  type Manifest,
  type PreparedFormat,
} from '#functions/engine/export/prepared/manifest.ts'
import { exportFiles } from '#functions/shapes/export-format.ts'
import { readLastPlaceState, placeOfSource } from '#functions/edge/hub/place-state.ts'
import { staleHeaders } from '#functions/engine/http/stale-headers.ts'
import { findManifest } from './manifests.ts'
import { matchesEtag } from '#functions/engine/http/etag.ts'
import { readRange } from '#functions/engine/http/range.ts'

interface PreparedStores {
  files: R2Bucket
  hubs: R2Bucket
  /** The place of a hub's host, which only has its own sources; null on the workspace's host. */
  placeId: string | null
}

const formats = preparedFormats.join('|')
const latest = new RegExp(
  `^/v1/(?:places/(?<place>[a-z0-9][a-z0-9-]{0,62})/)?sources/(?<source>[\\w-]{1,64})/export\\.(?<format>${formats})$`,
)
const exact = new RegExp(
  `^/e/(?<source>[\\w-]{1,64})/(?:(?<state>${statePattern})/)?(?<name>data\\.(?<format>${formats})|manifest\\.json)$`,
)

/** Requests with these headers are answered live, for their sender. */
const personal = ['cookie', 'authorization']

/** Caching headers. */
type CacheHeaders = Readonly<Record<string, string>>
const forever: CacheHeaders = { 'cache-control': 'public, max-age=31536000, immutable' }
const always: CacheHeaders = { 'cache-control': 'public, max-age=0, must-revalidate' }

/**
 * Answers from prepared files, without the database: `/v1/sources/{id}/export.csv` (and below its place)
 * without further options, with the current bytes; `/e/{id}/{state}/data.csv`, which is immutable;
 * `/e/{id}/manifest.json` and `/e/{id}/{state}/manifest.json`. Checks first what is public, so files of
 * unpublished sources are not served. Null for other addresses, and for `/v1` where no file is prepared, so
 * that it is generated.
 */
export async function servePrepared(request: Request, ports: PreparedStores): Promise<Response | null> {
  const { pathname, search } = new URL(request.url)
  const isOwn = pathname.startsWith('/e/')
  const input = (isOwn ? exact : latest).exec(pathname)?.groups
  if (!input) return isOwn ? refuse(404) : null
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isOwn && !isRead) return refuse(405, { allow: 'GET, HEAD' })
  if (!isOwn && (!isRead || search !== '' || personal.some((name) => request.headers.has(name)))) return null
  const { source = '', place, state, format, name } = input
  const fileState = await findFileState(source, place, ports)
  if (fileState === null) return isOwn ? refuse(404) : null
  const { name: now, dataTime } = fileState
  // It is unknown whether these bytes are current: query the database.
  if (!isOwn && dataTime !== undefined) return null
  const manifest = await findManifest(ports.files, source, state ?? now)
  if (!manifest) return isOwn ? refuse(404) : null
  const cache = state !== undefined ? forever : dataTime === undefined ? always : staleHeaders(dataTime)
  if (name === 'manifest.json') return manifestAnswer(request, manifest, state ?? now, cache)
  const answer = await fileAnswer(
    request,
    manifest,
    state ?? now,
    format as PreparedFormat,
    cache,
    ports.files,
  )
  return answer ?? (isOwn ? refuse(404) : null)
}

/**
 * The current state of a public source, with the date of that information while storage is unavailable; null
 * for one that is not public, or not of that place.
 */
async function findFileState(source: string, place: string | undefined, { hubs, placeId }: PreparedStores) {
  const of = place ?? (await placeOfSource(hubs, source))
  if (of === null || (placeId !== null && placeId !== of)) return null
  const lastState = await readLastPlaceState(hubs, of)
  const match = lastState && Object.hasOwn(lastState.sources, source) ? lastState.sources[source] : undefined
  const dataTypeVersion = match && lastState?.dataTypes[match.dataType]
  if (!lastState || !match || dataTypeVersion === undefined) return null
  return { name: stateName(match.version, dataTypeVersion, lastState.timeZone), dataTime: lastState.dataTime }
}

const sharedHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'accept-ranges, content-disposition, content-length, content-range, etag, link, repr-digest, x-row-count, x-data-version',
  'x-content-type-options': 'nosniff',
}

async function fileAnswer(
  request: Request,
  { sourceId, version, rows, generatedAt, files }: Manifest,
  state: string,
  format: PreparedFormat,
  cache: CacheHeaders,
  bucket: R2Bucket,
): Promise<Response | null> {
  const file = files[format]
  if (!file) return null
  const etag = `"${file.sha256}"`
  const headers = new Headers({
    ...sharedHeaders,
    etag,
    ...cache,
    'accept-ranges': 'bytes',
    'last-modified': new Date(generatedAt).toUTCString(),
    'repr-digest': `sha-256=:${base64(file.sha256)}:`,
    'x-row-count': String(rows),
    'x-data-version': String(version),
    link: `</v1/sources/${sourceId}/datapackage.json>; rel="describedby"; type="application/json", </e/${sourceId}/${state}/data.${format}>; rel="version-history"`,
  })
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  headers.set('content-type', exportFiles[format].type)
  const name = `${sourceId}-${generatedAt.slice(0, 10)}.${exportFiles[format].extension}`
  headers.set('content-disposition', `attachment; filename="${name}"`)
  if (request.method === 'HEAD') {
    headers.set('content-length', String(file.bytes))
    return new Response(null, { headers })
  }
  const ifRange = request.headers.get('if-range')
  const text = ifRange === null || ifRange === etag ? request.headers.get('range') : null
  const range = readRange(text, file.bytes)
  if (range === 'unsatisfiable') return refuse(416, { 'content-range': `bytes */${file.bytes}` })
  const part = range === 'whole' ? { offset: 0, length: file.bytes } : range
  const object = await bucket.get(fileKey(sourceId, state, format), part.length > 0 ? { range: part } : {})
  // Deleted since its manifest was read.
  if (!object) return null
  headers.set('content-length', String(part.length))
  if (range === 'whole') return new Response(object.body, { headers })
  headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${file.bytes}`)
  return new Response(object.body, { status: 206, headers })
}

function manifestAnswer(request: Request, manifest: Manifest, state: string, cache: CacheHeaders): Response {
  const { sourceId, files, ...value } = manifest
  const entries = preparedFormats.flatMap((format) => {
    const file = files[format]
    return file ? [{ format, url: `/e/${sourceId}/${state}/data.${format}`, ...file }] : []
  })
  const etag = `"${sourceId}.${state}"`
  const headers = new Headers({ ...sharedHeaders, etag, ...cache, 'content-type': 'application/json' })
  if (matchesEtag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  const body = `${JSON.stringify({ sourceId, ...value, files: entries })}\n`
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}

function base64(hex: string): string {
  return btoa(hex.replace(/../g, (pair) => String.fromCharCode(parseInt(pair, 16))))
}

const reasons: Record<number, string> = {
  404: 'There is no such file.',
  405: 'Files are only read.',
  416: 'The file has no such part.',
}

function refuse(status: number, more: Record<string, string> = {}): Response {
  const headers = {
    ...sharedHeaders,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...more,
  }
  return new Response(`${reasons[status]}\n`, { status, headers })
}
