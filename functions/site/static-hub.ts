import { fileKey, pageKey, readManifest, type ManifestPage } from './manifest.ts'
import { fillResults, search, searchPath, type Findable } from './search.ts'
import type { Snapshot } from './snapshot.ts'

const defaultLocale = 'en'
/** Bodies kept in the isolate; the sum of their lengths stays below this many characters. */
const memoBudget = 16_000_000
const bodies = new Map<string, string>()
let bodiesSize = 0

/**
 * A stored page or file of a hub. Reads the snapshot's manifest and R2, never the database, and loads no
 * framework. Unknown paths get the hub's own 404 page; a hub that was never published says so (503).
 */
export async function serveHub(request: Request, snapshot: Snapshot, hubs: R2Bucket): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response('Method Not Allowed', { status: 405, headers: { allow: 'GET, HEAD' } })
  }
  const manifest = await readManifest(hubs, snapshot.placeId, snapshot.manifest)
  if (!manifest) return beingPrepared()
  const url = new URL(request.url)
  if (url.pathname.startsWith('/f/')) {
    const name = url.pathname.slice(3)
    const isServed = Object.values(manifest.pages).some((page) => page.files.includes(name))
    return isServed ? serveFile(request, hubs, snapshot.placeId, name) : notFound()
  }
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/+$/, '') : '/'
  if (path !== url.pathname) return Response.redirect(new URL(path || '/', url).href, 308)
  const query = path === '/' ? url.searchParams.get('search')?.trim().slice(0, 200) : undefined
  if (query) {
    const shell = manifest.pages[`${defaultLocale} ${searchPath}`]
    if (shell) return serveSearch(request, hubs, snapshot, shell, query)
  }
  const page = manifest.pages[`${defaultLocale} ${path}`]
  const shown = page ?? manifest.pages[`${defaultLocale} /404`]
  if (!shown) return notFound()
  return servePage(request, hubs, snapshot, shown)
}

async function servePage(request: Request, hubs: R2Bucket, snapshot: Snapshot, page: ManifestPage) {
  const headers = new Headers({
    'content-type': page.type,
    'cache-control': page.status === 200 ? 'public, max-age=0, must-revalidate' : 'no-store',
    etag: `"${page.hash.slice(0, 32)}"`,
    ...pageSecurity(page.styles),
  })
  if (page.status === 200 && request.headers.get('if-none-match') === headers.get('etag')) {
    return new Response(null, { status: 304, headers })
  }
  const body = await readBody(hubs, pageKey(snapshot.placeId, page.hash))
  if (body === null)
    return new Response('Service Unavailable', { status: 503, headers: { 'cache-control': 'no-store' } })
  return new Response(request.method === 'HEAD' ? null : body, { status: page.status, headers })
}

/** The stored page of results, filled from the hub's own index: a search without scripts and without the database. */
async function serveSearch(
  request: Request,
  hubs: R2Bucket,
  snapshot: Snapshot,
  page: ManifestPage,
  query: string,
) {
  const { placeId } = snapshot
  const [shell, index] = await Promise.all([
    readBody(hubs, pageKey(placeId, page.hash)),
    readBody(hubs, fileKey(placeId, page.files[0] ?? '')),
  ])
  if (shell === null || index === null) return new Response('Service Unavailable', { status: 503 })
  const body = fillResults(shell, query, search(JSON.parse(index) as Findable[], query), {
    domain: 'Domain',
    indicator: 'Indicator',
    story: 'Data story',
  })
  const headers = { 'content-type': page.type, 'cache-control': 'no-store', ...pageSecurity(page.styles) }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}

async function serveFile(request: Request, hubs: R2Bucket, placeId: string, name: string) {
  const object = await hubs.get(fileKey(placeId, name))
  if (!object) return notFound()
  return new Response(request.method === 'HEAD' ? null : object.body, {
    headers: {
      'content-type': object.httpMetadata?.contentType ?? 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: object.httpEtag,
      'x-content-type-options': 'nosniff',
    },
  })
}

async function readBody(hubs: R2Bucket, key: string): Promise<string | null> {
  const known = bodies.get(key)
  if (known !== undefined) return known
  const object = await hubs.get(key)
  if (!object) return null
  const body = await object.text()
  for (const [oldest, text] of bodies) {
    if (bodiesSize + body.length <= memoBudget) break
    bodies.delete(oldest)
    bodiesSize -= text.length
  }
  bodies.set(key, body)
  bodiesSize += body.length
  return body
}

/** A stored page's nonce would be public, so stored pages allow only our own files and the styles they carry. */
function pageSecurity(styles: string[]): Record<string, string> {
  const style = ["'self'", ...styles.map((hash) => `'${hash}'`)].join(' ')
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src ${style}`,
      "img-src 'self' data: blob: https:",
      "font-src 'self'",
      "connect-src 'self'",
      "worker-src 'self' blob:",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  }
}

function notFound() {
  return new Response('Not Found', { status: 404, headers: { 'cache-control': 'no-store' } })
}

function beingPrepared() {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Being prepared</title><h1>This hub is being prepared</h1><p>Please come back in a minute.</p></html>`
  return new Response(body, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '10' },
  })
}
