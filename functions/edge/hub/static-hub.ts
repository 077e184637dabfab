import { localePath, splitLocale, type Locale } from '#functions/engine/address/locales.ts'
import { subjectIn } from '#functions/engine/address/figure-subject.ts'
import { searchPath, withoutSlashes, wordsPath } from '#functions/engine/address/urls.ts'
import type { BackgroundWork } from '#functions/platform/cache/stale.ts'
import { allLanguages, toHubLanguages } from '#functions/shapes/locale.ts'
import { isAnswered } from './earlier-files.ts'
import { mirrors } from './hub-files.ts'
import {
  fileKey,
  isText,
  languagesIn,
  pageKey,
  pageName,
  readManifest,
  type ManifestPage,
} from './manifest.ts'
import { findMovedPath, redirectTo, topicMeant } from './moved-page.ts'
import { earliest, buildEtag, buildPageHeaders } from './page-headers.ts'
import type { PictureEnding, PictureServices } from './serve-figure.ts'
import type { ReportServices } from './serve-report.ts'
import type { RecordServices } from './serve-source.ts'
import { readServedManifest, readServedPage, type PageServing } from './served-pages.ts'
import type { Snapshot } from './snapshot.ts'
import { isFileShown, verdictOn } from './withdrawn.ts'

/** Reads the snapshot again, bypassing memory. */
type ReadAgain = () => Promise<Snapshot | null>

interface HubServices {
  /** Called with the text of a search without results. */
  onEmptySearch?: (text: string) => void
  /** Without it a hub takes no reports. */
  reports?: ReportServices
  /** Services for record tables; without them a hub has none. */
  tables?: RecordServices
  /** Services for pictures of figures; without them a hub has only the stored ones. */
  figures?: PictureServices
  rereadSnapshot?: ReadAgain
  later?: BackgroundWork
}

/**
 * Serves a stored page or file of a hub from the snapshot's manifest and R2, without the database and the web
 * framework. Unknown paths get the hub's 404 page; a hub that was never published answers 503. Where storage
 * does not answer in time, serves from memory, with its date; throws `StorageError` when memory has nothing.
 */
export async function serveHub(
  request: Request,
  snapshot: Snapshot,
  hubs: R2Bucket,
  { onEmptySearch, rereadSnapshot, later, tables, reports, figures }: HubServices = {},
): Promise<Response> {
  const url = new URL(request.url)
  const isForm = reports !== undefined && isReportForm(url.pathname)
  if (request.method !== 'GET' && request.method !== 'HEAD' && !(isForm && request.method === 'POST')) {
    const allow = isForm ? 'GET, HEAD, POST' : 'GET, HEAD'
    return new Response('Method Not Allowed', { status: 405, headers: { allow } })
  }
  const servedHub = await readServedManifest(hubs, snapshot, later)
  const locales = servedHub ? languagesIn(servedHub.of) : toHubLanguages(snapshot.languages)
  const { locale, path, isExplicit } = splitLocale(withoutSlashes(url.pathname) || '/', locales)
  if (!servedHub) return (await import('./unavailable.ts')).unavailablePage(locale, 'preparing')
  const { of: manifest } = servedHub
  const dataTime = earliest(snapshot.dataTime, servedHub.dataTime)
  const serving: PageServing = { hubs, snapshot, manifest, locale, later, dataTime }
  if (url.pathname.startsWith('/f/')) {
    const name = url.pathname.slice(3)
    const isKnown = async (file: string) =>
      (isAnswered(manifest, file, Date.now()) && isFileShown(snapshot, manifest, file)) ||
      isNew(hubs, snapshot, file, rereadSnapshot)
    if (await isKnown(name)) return serveFile(request, hubs, snapshot.placeId, name)
    const of = figures && pictureIn(name)
    if (!of || !(await isKnown(of.subject))) return createNotFoundResponse()
    return (await drawFigure(request, serving, figures, of, true)) ?? createNotFoundResponse()
  }
  // Each page has one address: without trailing slash, and without a language prefix in the hub's default
  // language.
  const address = localePath(locale, path, locales)
  if (address !== url.pathname) return redirectTo(url, address)
  // A language that this hub does not have (any more): redirect to the default language.
  const other = isExplicit ? null : splitLocale(path, allLanguages)
  if (other?.isExplicit) return redirectTo(url, other.path)
  if (path === '/' && url.searchParams.get('search')?.trim())
    return redirectTo(url, localePath(locale, searchPath, locales))
  if (path === searchPath || path === wordsPath) {
    const { serveSearch } = await import('./serve-search.ts')
    const results = await serveSearch(request, serving, path, onEmptySearch)
    if (results) return results
  }
  if (tables && isBelowSource(path)) {
    const { serveOfSource } = await import('./serve-source.ts')
    const sourceResponse = await serveOfSource(request, serving, path, { ...tables, reports })
    if (sourceResponse) return sourceResponse
  }
  const framedPicture = figures && path.startsWith('/embed/') ? pictureIn(path) : null
  if (framedPicture && figures) {
    const page = manifest.pages[pageName(locale, framedPicture.of)]
    const subject =
      page && verdictOn(snapshot, framedPicture.of, page) === 'shown' ? await subjectIn(page) : null
    const picture =
      subject && (await drawFigure(request, serving, figures, { ...framedPicture, subject }, false))
    if (picture) return picture
  }
  const name = pageName(locale, Object.hasOwn(mirrors, path) ? (mirrors[path] ?? path) : path)
  const match = manifest.pages[name]
  const newAddress = match
    ? null
    : (topicMeant(manifest, locale, path) ?? (await findMovedPath(hubs, manifest, locale, path)))
  if (newAddress !== null) return redirectTo(url, localePath(locale, newAddress, locales))
  const verdict = match ? verdictOn(snapshot, path, match) : 'gone'
  if (match && verdict === 'withheld') return beingUpdated(match, locale, request.method === 'HEAD')
  const isShown = match !== undefined && verdict === 'shown'
  const shownName = isShown ? name : pageName(locale, '/404')
  const page = manifest.pages[shownName]
  if (!page) return createNotFoundResponse()
  const framedBy = path.startsWith('/embed/') ? '*' : "'none'"
  if (!isShown) return (await import('./serve-not-found.ts')).serveNotFound(request, serving, path, page)
  const storedPage = { name, path, page }
  return servePage(request, hubs, snapshot, storedPage, { framedBy, dataTime, later })
}

const isBelowSource = (path: string) => /^\/domains\/[\w-]+\/source\/[\w-]+\//.test(path)

const isReportForm = (pathname: string) => /\/source\/[\w-]+\/report\/?$/.test(pathname)

/** Parses the path of a figure's picture: its file or page, and the format. */
function pictureIn(path: string) {
  const [, of, ending] = /^([^.]+)\.(svg|png)$/.exec(path) ?? []
  return of === undefined ? null : { of, subject: `${of}.json`, ending: ending as PictureEnding }
}

async function drawFigure(
  request: Request,
  { hubs, snapshot, later }: PageServing,
  figures: PictureServices,
  { subject, ending }: { subject: string; ending: PictureEnding },
  isForGood: boolean,
): Promise<Response | null> {
  const { serveFigure } = await import('./serve-figure.ts')
  const services = { ...figures, hubs, placeId: snapshot.placeId, later }
  return serveFigure(request, subject, ending, services, isForGood)
}

/**
 * Whether a file belongs to a newer manifest than this isolate has cached, from which another isolate has
 * served a page.
 */
async function isNew(
  hubs: R2Bucket,
  { manifest }: Snapshot,
  name: string,
  again?: ReadAgain,
): Promise<boolean> {
  const now = await again?.()
  if (!now || now.manifest === manifest) return false
  const newer = await readManifest(hubs, now.placeId, now.manifest)
  return newer !== null && isAnswered(newer, name, Date.now()) && isFileShown(now, newer, name)
}

interface ServeOptions {
  /** The origins that may frame this page, in the form of the Content-Security-Policy. */
  framedBy: string
  /** The date of the data (milliseconds); undefined: current. */
  dataTime: number | undefined
  later: BackgroundWork | undefined
}

async function servePage(
  request: Request,
  hubs: R2Bucket,
  snapshot: Snapshot,
  input: { name: string; path: string; page: ManifestPage },
  { framedBy, dataTime, later }: ServeOptions,
) {
  const { page } = input
  const etag = buildEtag(page)
  const headers = buildPageHeaders(page, framedBy, dataTime)
  if (page.status === 200 && request.headers.get('if-none-match') === etag)
    return new Response(null, { status: 304, headers })
  const isHead = request.method === 'HEAD'
  if (!isText(page.type)) {
    const object = await hubs.get(pageKey(snapshot.placeId, page.hash))
    if (!object) return (await import('./unavailable.ts')).unavailableText('unreadable', isHead)
    return new Response(isHead ? null : object.body, { status: page.status, headers })
  }
  const { of, dataTime: readAt } = await readServedPage(hubs, snapshot, input, later)
  return new Response(isHead ? null : of.body, {
    status: of.page.status,
    headers: readAt === undefined ? headers : buildPageHeaders(of.page, framedBy, earliest(dataTime, readAt)),
  })
}

async function serveFile(request: Request, hubs: R2Bucket, placeId: string, name: string) {
  const object = await hubs.get(fileKey(placeId, name))
  if (!object) return createNotFoundResponse()
  const type = object.httpMetadata?.contentType ?? 'application/octet-stream'
  return new Response(request.method === 'HEAD' ? null : object.body, {
    headers: {
      'content-type': type,
      // A drawing opened by itself must not run anything; pages that embed it have their own policy.
      ...(type === 'image/svg+xml' ? { 'content-security-policy': "default-src 'none'; sandbox" } : {}),
      'cache-control': 'public, max-age=31536000, immutable',
      etag: object.httpEtag,
      'x-content-type-options': 'nosniff',
    },
  })
}

function createNotFoundResponse() {
  return new Response('Not Found', { status: 404, headers: { 'cache-control': 'no-store' } })
}

/** The 503 for a page that shows something withdrawn, until it is rendered again without it. */
async function beingUpdated({ type }: ManifestPage, locale: Locale, isHead: boolean): Promise<Response> {
  const { unavailablePage, unavailableText } = await import('./unavailable.ts')
  return type.startsWith('text/html')
    ? unavailablePage(locale, 'updating', isHead)
    : unavailableText('updating', isHead)
}
