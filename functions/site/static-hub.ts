import { BoundedMemory } from '../bounded-memory.ts'
import { edgeWords } from '../shapes/edgeWords.ts'
import { directionOf } from '../shapes/locale.ts'
import { hubPolicy } from '../shapes/page-policy.ts'
import { defaultLocale, localePath, splitLocale, type Locale } from './locales.ts'
import { isAnswered } from './earlier.ts'
import { mirrors } from './hub-files.ts'
import {
  fileKey,
  isText,
  pageKey,
  pageName,
  readManifest,
  type Manifest,
  type ManifestPage,
} from './manifest.ts'
import { readPlaceState } from './place-state.ts'
import { questionIn, type SearchShown } from './search-page.ts'
import { resultsPage, searchPageOf, type InVain } from './search-serve.ts'
import type { Snapshot } from './snapshot.ts'
import { isAboutPublic, isFileShown, verdictOn } from './withdrawn.ts'

/** Bodies kept in the isolate; the sum of their lengths stays below this many characters. */
const bodies = new BoundedMemory<string>({ cost: 16_000_000, costOf: (body) => body.length })

/** Reads the snapshot once more, past what is remembered of it. */
type Again = () => Promise<Snapshot | null>

/**
 * A stored page or file of a hub. Reads the snapshot's manifest and R2, never the database, and loads no
 * framework. Unknown paths get the hub's own 404 page; a hub that was never published says so (503).
 */
export async function serveHub(
  request: Request,
  snapshot: Snapshot,
  hubs: R2Bucket,
  inVain?: InVain,
  again?: Again,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response('Method Not Allowed', { status: 405, headers: { allow: 'GET, HEAD' } })
  }
  const url = new URL(request.url)
  const { locale, path, isExplicit } = splitLocale(withoutSlash(url.pathname))
  const manifest = await readManifest(hubs, snapshot.placeId, snapshot.manifest)
  if (!manifest) return beingPrepared(locale)
  if (url.pathname.startsWith('/f/')) {
    const name = url.pathname.slice(3)
    const isKnown =
      (isAnswered(manifest, name, Date.now()) && isFileShown(snapshot, manifest, name)) ||
      (await isNew(hubs, snapshot, name, again))
    return isKnown ? serveFile(request, hubs, snapshot.placeId, name) : notFound()
  }
  // One address a page: without a slash at its end, and without a prefix in the default language.
  const address = isExplicit && locale === defaultLocale ? path : localePath(locale, path)
  if (address !== url.pathname) return movedTo(url, address)
  const asked = path === '/' ? questionIn(url.searchParams) : null
  if (asked) {
    const shell = resultsPage(manifest, locale)
    const isPublic = (href: string) => isAboutPublic(snapshot, href)
    if (shell) return serveSearch(request, hubs, manifest, shell, { ...asked, locale }, isPublic, inVain)
  }
  const name = pageName(locale, Object.hasOwn(mirrors, path) ? (mirrors[path] ?? path) : path)
  const found = manifest.pages[name]
  const moved = found ? null : await movedPath(hubs, manifest, locale, path)
  if (moved !== null) return movedTo(url, localePath(locale, moved))
  const verdict = found ? verdictOn(snapshot, path, found) : 'gone'
  if (found && verdict === 'withheld') return beingUpdated(found, locale, request.method === 'HEAD')
  const shown = verdict === 'shown' ? found : manifest.pages[pageName(locale, '/404')]
  if (!shown) return notFound()
  return servePage(request, hubs, snapshot, shown, path.startsWith('/embed/') ? '*' : "'none'")
}

const pathOfSource = /^((?:\/embed|\/og)?\/domains\/)([\w-]+)(\/source\/([\w-]+)(?:[/.].*)?)$/

/**
 * Where a page of a public source is now: a source keeps its id when it moves to another data type, which its address
 * names as well. Null where that is nowhere, or here.
 */
async function movedPath(
  hubs: R2Bucket,
  { placeId, pages }: Manifest,
  locale: Locale,
  path: string,
): Promise<string | null> {
  const [, before, dataType, after, sourceId = ''] = pathOfSource.exec(path) ?? []
  if (before === undefined) return null
  const sources = (await readPlaceState(hubs, placeId))?.sources ?? {}
  const now = Object.hasOwn(sources, sourceId) ? sources[sourceId]?.dataType : undefined
  const moved = now === undefined || now === dataType ? null : `${before}${now}${after}`
  return moved !== null && Object.hasOwn(pages, pageName(locale, moved)) ? moved : null
}

/** Whether a file is of a manifest that this isolate has not heard of yet, while another has served a page of it. */
async function isNew(hubs: R2Bucket, { manifest }: Snapshot, name: string, again?: Again): Promise<boolean> {
  const now = await again?.()
  if (!now || now.manifest === manifest) return false
  const newer = await readManifest(hubs, now.placeId, now.manifest)
  return newer !== null && isAnswered(newer, name, Date.now()) && isFileShown(now, newer, name)
}

const withoutSlash = (path: string) => path.replace(/\/+$/, '') || '/'

/** The same address with another path. The path is set, not parsed: one that begins with `//` would name a host. */
function movedTo(url: URL, path: string): Response {
  const to = new URL(url)
  to.pathname = path
  return Response.redirect(to.href, 308)
}

/** `framedBy`: whose pages may show this one in a frame, as a Content-Security-Policy has it. */
async function servePage(
  request: Request,
  hubs: R2Bucket,
  snapshot: Snapshot,
  page: ManifestPage,
  framedBy: string,
) {
  const headers = new Headers({
    'content-type': page.type,
    'cache-control': page.status === 200 ? 'public, max-age=0, must-revalidate' : 'no-store',
    etag: `"${page.hash.slice(0, 32)}"`,
    ...pageSecurity(page.styles, framedBy),
    ...(page.type.startsWith('text/html') ? {} : forPrograms),
  })
  if (page.status === 200 && request.headers.get('if-none-match') === headers.get('etag')) {
    return new Response(null, { status: 304, headers })
  }
  const key = pageKey(snapshot.placeId, page.hash)
  const body = isText(page.type) ? await readBody(hubs, key) : ((await hubs.get(key))?.body ?? null)
  if (body === null)
    return new Response('Service Unavailable', { status: 503, headers: { 'cache-control': 'no-store' } })
  return new Response(request.method === 'HEAD' ? null : body, { status: page.status, headers })
}

/** The stored page of results, filled from the hub's own index: a search without scripts and without the database. */
async function serveSearch(
  request: Request,
  hubs: R2Bucket,
  manifest: Manifest,
  page: ManifestPage,
  shown: SearchShown,
  isPublic: (href: string) => boolean,
  inVain?: InVain,
) {
  const { placeId } = manifest
  const read = (key: string) => readBody(hubs, key)
  const body = await searchPageOf({ hubs, placeId, manifest, read, isPublic, inVain }, page, shown)
  if (body === null) return new Response('Service Unavailable', { status: 503 })
  const headers = { 'content-type': page.type, 'cache-control': 'no-store', ...pageSecurity(page.styles) }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}

async function serveFile(request: Request, hubs: R2Bucket, placeId: string, name: string) {
  const object = await hubs.get(fileKey(placeId, name))
  if (!object) return notFound()
  const type = object.httpMetadata?.contentType ?? 'application/octet-stream'
  return new Response(request.method === 'HEAD' ? null : object.body, {
    headers: {
      'content-type': type,
      // By itself a drawing may do nothing; a page that refers to it has its own policy.
      ...(type === 'image/svg+xml' ? { 'content-security-policy': "default-src 'none'; sandbox" } : {}),
      'cache-control': 'public, max-age=31536000, immutable',
      etag: object.httpEtag,
      'x-content-type-options': 'nosniff',
    },
  })
}

/** A stored body, from memory where it was read lately; null for one that is gone. */
export async function readBody(hubs: R2Bucket, key: string): Promise<string | null> {
  const known = bodies.get(key)
  if (known !== undefined) return known
  const object = await hubs.get(key)
  if (!object) return null
  const body = await object.text()
  bodies.put(key, body)
  return body
}

/** Feeds, catalogues and pictures may be read by pages of other sites. */
const forPrograms = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag',
  'cross-origin-resource-policy': 'cross-origin',
}

/** What browsers may do with a stored page. */
function pageSecurity(styles: string[], framedBy?: string): Record<string, string> {
  return {
    'content-security-policy': hubPolicy(styles, framedBy),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
  }
}

function notFound() {
  return new Response('Not Found', { status: 404, headers: { 'cache-control': 'no-store' } })
}

/** The document of a hub that was never published; it needs no frame, since there is nothing to go to yet. */
const beingPrepared = (locale: Locale) => later(locale, edgeWords[locale].preparing)

/** Instead of a page that shows what was withdrawn, until it is made again without it; of a file nothing but that. */
function beingUpdated({ type }: ManifestPage, locale: Locale, isHead: boolean) {
  if (type.startsWith('text/html')) return later(locale, edgeWords[locale].updating, isHead)
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...laterHeaders }
  return new Response(isHead ? null : `${edgeWords.en.updating.text}\n`, { status: 503, headers })
}

const laterHeaders = { 'cache-control': 'no-store', 'retry-after': '10', 'x-content-type-options': 'nosniff' }

/** A page that is not there yet, by itself: in both themes, without a script or another file. */
function later(locale: Locale, { title, text }: { title: string; text: string }, isHead = false) {
  const body = `<!doctype html><html lang="${locale}" dir="${directionOf(locale)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title}</title><style>${laterStyle}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`
  const headers = { 'content-type': 'text/html; charset=utf-8', ...laterHeaders }
  return new Response(isHead ? null : body, { status: 503, headers })
}

const laterStyle =
  ':root{color-scheme:light dark}body{margin:0;font:1.0625rem/1.6 system-ui,sans-serif}main{max-width:34rem;margin:0 auto;padding:20vh 1.5rem 2rem}h1{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem}p{margin:0}'
