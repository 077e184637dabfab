import { readValues } from '#functions/engine/media/address.ts'
import { contentDisposition, toSafeFileName } from '#functions/engine/media/disposition.ts'
import { isFileId, buildStorageKey } from '#functions/engine/media/keys.ts'
import { kinds } from '#functions/engine/media/kinds.ts'
import { isResized } from '#functions/engine/media/presets.ts'
import { isImageService, resizeImage, sizeIn } from './resize.ts'
import { isOfClosedPlace } from './withheld.ts'
import { isSigned } from '#functions/engine/media/sign.ts'
import { receiveUpload } from './upload.ts'
import type { AuthSecrets } from '#functions/platform/auth-secrets.ts'
import { matchesEtag } from '#functions/engine/http/etag.ts'
import { readRange } from '#functions/engine/http/range.ts'
import { decodePercents } from '#functions/shapes/percent-encoding.ts'

/** What serving files needs: no database, no identity. The secrets verify signed addresses. */
export interface MediaServices extends AuthSecrets {
  files: R2Bucket
  /** Has the list of files of closed places. */
  hubs: R2Bucket
  now(): Date
  /** Calls the platform's image service; null where there is none, so that originals are served. */
  fetchImage: typeof fetch | null
}

/** Immutable, because the bytes of an id never change. */
const forever = 'public, max-age=31536000, immutable'

/**
 * Answers everything under `/m/`; null for other paths. `GET /m/{id}/{name?}`: a confirmed file of a library
 * or place, whole or a range, resized by `?preset=`. `GET /m/data/{id}/{name?}`: a file of a source, by a
 * signed address that expires. `PUT /m/upload/{id}`: upload, to be confirmed afterwards. 404 for missing,
 * deleted and unconfirmed files, and for all files of a closed place.
 */
export async function serveMedia(request: Request, ports: MediaServices): Promise<Response | null> {
  const url = new URL(request.url)
  if (!url.pathname.startsWith('/m/')) return null
  const [, kind, id = '', name = ''] =
    /^\/m\/(?:(upload|data)\/)?([^/]+)(?:\/([^/]*))?$/.exec(url.pathname) ?? []
  const isUpload = kind === 'upload'
  if (isUpload && request.method !== 'PUT') return createNotAllowedResponse('PUT')
  if (!isUpload && request.method !== 'GET' && request.method !== 'HEAD')
    return createNotAllowedResponse('GET, HEAD')
  if (isFileId(id) && (await isOfClosedPlace(ports.hubs, id))) return refuse(404)
  if (isUpload) return receiveUpload(request, id, ports)
  if (!isFileId(id)) return refuse(404)
  if (kind === 'data') return serveData(request, url, id, decodeName(name), ports)
  const size = sizeIn(url.searchParams)
  if (size === 'unknown') return refuse(400)
  const key = buildStorageKey(id, 'library')
  if (size && ports.fetchImage && !isImageService(request)) {
    const object = await ports.files.head(key)
    if (!object) return refuse(404)
    const image = isResized(getContentType(object))
      ? await resizeImage(request, size, ports.fetchImage)
      : null
    if (image) return smaller(image, object, decodeName(name))
  }
  return send(request, key, decodeName(name), forever, ports.files)
}

async function serveData(request: Request, url: URL, id: string, name: string, ports: MediaServices) {
  const expires = url.searchParams.get('expires') ?? ''
  const value = url.searchParams.get('signature') ?? ''
  const isOurs = await isSigned(ports, 'read', readValues(id, expires), value)
  if (!isOurs || Number(expires) <= ports.now().getTime()) return refuse(403)
  return send(request, buildStorageKey(id, 'source'), name, 'private, no-store', ports.files)
}

async function send(request: Request, key: string, name: string, cache: string, files: R2Bucket) {
  const object = await files.head(key)
  if (!object) return refuse(404)
  const headers = buildHeaders(object, name, cache)
  if (matchesEtag(request.headers.get('if-none-match'), object.httpEtag))
    return new Response(null, { status: 304, headers })
  headers.set('content-type', getContentType(object))
  if (request.method === 'HEAD') {
    headers.set('content-length', String(object.size))
    return new Response(null, { headers })
  }
  const ifRange = request.headers.get('if-range')
  const text = ifRange === null || ifRange === object.httpEtag ? request.headers.get('range') : null
  const range = readRange(text, object.size)
  if (range === 'unsatisfiable') return refuse(416, { 'content-range': `bytes */${object.size}` })
  const part = range === 'whole' ? { offset: 0, length: object.size } : range
  const file = await files.get(key, { range: part })
  if (!file) return refuse(404)
  headers.set('content-length', String(part.length))
  if (range === 'whole') return new Response(file.body, { headers })
  headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${object.size}`)
  return new Response(file.body, { status: 206, headers })
}

/** The content type, if it is one that we support; otherwise that of plain bytes. */
function getContentType(object: R2Object): string {
  const type = object.httpMetadata?.contentType ?? ''
  return Object.hasOwn(kinds, type) ? type : 'application/octet-stream'
}

/**
 * A policy without scripts, frames, forms and requests, whatever a browser makes of the file. SVG may have
 * styles.
 */
function guard(type: string): Record<string, string> {
  const styles = type === 'image/svg+xml' ? "; style-src 'unsafe-inline'" : ''
  return {
    'content-security-policy': `default-src 'none'${styles}; sandbox`,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
  }
}

function buildHeaders(object: R2Object, name: string, cache: string): Headers {
  const type = getContentType(object)
  const text = name || decodeName(object.customMetadata?.name ?? '')
  const how = kinds[type]?.inline ? 'inline' : 'attachment'
  return new Headers({
    ...guard(type),
    etag: object.httpEtag,
    'cache-control': cache,
    'accept-ranges': 'bytes',
    'content-disposition': contentDisposition(how, toSafeFileName(text, type)),
  })
}

/** The image service's response with our own headers: the format may differ from the original's. */
function smaller(image: Response, object: R2Object, name: string): Response {
  const type = image.headers.get('content-type') ?? ''
  const text = name || decodeName(object.customMetadata?.name ?? '')
  const headers = new Headers({
    ...guard(type),
    'content-type': type,
    'cache-control': forever,
    vary: 'accept',
    'content-disposition': contentDisposition('inline', toSafeFileName(text, type)),
  })
  const etag = image.headers.get('etag')
  if (etag) headers.set('etag', etag)
  return new Response(image.body, { headers })
}

/** The name of a file in its address or metadata; '' where it is not well-formed. */
const decodeName = (text: string): string => decodePercents(text) ?? ''

function createNotAllowedResponse(allow: string): Response {
  return new Response(null, { status: 405, headers: { ...guard(''), allow } })
}

const reasons: Record<number, string> = {
  400: 'There is no such size.',
  403: 'This address has expired or was changed.',
  404: 'There is no such file.',
  416: 'The file has no such part.',
}

function refuse(status: number, more: Record<string, string> = {}): Response {
  const headers = {
    ...guard(''),
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...more,
  }
  return new Response(`${reasons[status]}\n`, { status, headers })
}
