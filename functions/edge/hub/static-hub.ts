import { languages } from '#functions/shapes/language/index.ts'
import { topicPath, topicsPath } from '#functions/shapes/topic.ts'
import { escapeText, unescapeText } from '#functions/shapes/htmlText.ts'
import { localePath, splitLocale, type Locale } from '#functions/engine/address/locales.ts'
import { allLanguages, hubLanguagesOf } from '#functions/shapes/locale.ts'
import { isAnswered } from './earlier.ts'
import { mirrors } from './hub-files.ts'
import {
  fileKey,
  isText,
  languagesIn,
  pageKey,
  pageName,
  readManifest,
  storyOfFigure,
  type Manifest,
  type ManifestPage,
} from './manifest.ts'
import { etagOf, headersOf, pageSecurity } from './page-headers.ts'
import { lastPlaceState } from './place-state.ts'
import { domainPath, searchPath, withoutSlashes } from '#functions/engine/address/urls.ts'
import { questionIn, type SearchShown } from '#functions/edge/search/search-page.ts'
import {
  indexIn,
  resultsPage,
  searchPageOf,
  suggestionsOf,
  wordsPath,
  type InVain,
} from '#functions/edge/search/search-serve.ts'
import { serveFigure, type PictureEnding } from './serve-figure.ts'
import { subjectIn } from '#functions/engine/address/figure-subject.ts'
import { guideContent, guideIn, type GuideAddress } from './serve-guide.ts'
import { reportAt, type ReportAddress } from './report-page.ts'
import { reportPage, type ReportServices } from './serve-report.ts'
import { tableContent, tableIn, type TableAddress, type TableServices } from './serve-table.ts'
import { versionContent, versionIn, type VersionAddress } from './serve-version.ts'
import { fillRecordsPage, filledPages, headOfSourcePage } from '#functions/engine/table/page.ts'
import { decodedPath, nearestPages, wordsIn, type NearPage } from './nearest.ts'
import { fillNotFound } from '#functions/shapes/nearest-slots.ts'
import { readBody, servedManifest, servedPage } from './served.ts'
import type { Snapshot } from './snapshot.ts'
import { staleHeaders } from '#functions/engine/http/stale-headers.ts'
import type { BackgroundWork } from '#functions/platform/cache/stale.ts'
import { unavailablePage, unavailableText } from './unavailable.ts'
import { isAboutPublic, isFileShown, verdictOn } from './withdrawn.ts'

/** Reads the snapshot again, bypassing memory. */
type ReadAgain = () => Promise<Snapshot | null>

/** Services for pages that are composed of a source's records or its guide. */
type RecordServices = Omit<TableServices, 'hubs'> & {
  /** The origin of the workspace, which has the API reference. */
  workspace: string
}

interface HubServices {
  inVain?: InVain
  /** Without it a hub takes no reports. */
  reports?: ReportServices
  /** Services for record tables; without them a hub has none. */
  tables?: RecordServices
  /** Services for pictures of figures; without them a hub has only the stored ones. */
  figures?: Pick<Parameters<typeof serveFigure>[3], 'tiles' | 'basemap' | 'cache'>
  again?: ReadAgain
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
  { inVain, again, later, tables, reports, figures }: HubServices = {},
): Promise<Response> {
  const url = new URL(request.url)
  const isForm = reports !== undefined && isReportForm(url.pathname)
  if (request.method !== 'GET' && request.method !== 'HEAD' && !(isForm && request.method === 'POST')) {
    const allow = isForm ? 'GET, HEAD, POST' : 'GET, HEAD'
    return new Response('Method Not Allowed', { status: 405, headers: { allow } })
  }
  const servedHub = await servedManifest(hubs, snapshot, later)
  const locales = servedHub ? languagesIn(servedHub.of) : hubLanguagesOf(snapshot.languages)
  const { locale, path, isExplicit } = splitLocale(withoutSlashes(url.pathname) || '/', locales)
  if (!servedHub) return unavailablePage(locale, languages[locale].edge.preparing)
  const { of: manifest } = servedHub
  const asOf = earliest(snapshot.asOf, servedHub.asOf)
  if (url.pathname.startsWith('/f/')) {
    const name = url.pathname.slice(3)
    const isKnown = async (file: string) =>
      (isAnswered(manifest, file, Date.now()) && isFileShown(snapshot, manifest, file)) ||
      isNew(hubs, snapshot, file, again)
    if (await isKnown(name)) return serveFile(request, hubs, snapshot.placeId, name)
    const of = figures && pictureIn(name)
    if (!of || !(await isKnown(of.subject))) return notFound()
    return (await drawFigure(request, { hubs, snapshot, later, figures }, of, true)) ?? notFound()
  }
  // Each page has one address: without trailing slash, and without a language prefix in the hub's default
  // language.
  const address = localePath(locale, path, locales)
  if (address !== url.pathname) return movedTo(url, address)
  // A language that this hub does not have (any more): redirect to the default language.
  const other = isExplicit ? null : splitLocale(path, allLanguages)
  if (other?.isExplicit) return movedTo(url, other.path)
  if (path === '/' && url.searchParams.get('search')?.trim())
    return movedTo(url, localePath(locale, searchPath, locales))
  if (path === searchPath || path === wordsPath) {
    const shell = resultsPage(manifest, locale)
    const isPublic = (href: string) => isAboutPublic(snapshot, href)
    const question = { ...questionIn(url.searchParams), locale, languages: locales }
    const serve = path === searchPath ? serveSearch : serveWords
    if (shell) return serve(request, hubs, { manifest, shell, asOf }, question, isPublic, inVain)
  }
  const table =
    tables && (guideIn(path) ?? tableIn(path) ?? versionIn(path) ?? (reports ? reportAt(path) : null))
  if (table) {
    const response = await serveOfSource(request, { hubs, snapshot, manifest, locale, later, asOf }, table, {
      ...tables,
      reports,
    })
    if (response) return response
  }
  const framedPicture = figures && path.startsWith('/embed/') ? pictureIn(path) : null
  if (framedPicture && figures) {
    const page = manifest.pages[pageName(locale, framedPicture.of)]
    const subject =
      page && verdictOn(snapshot, framedPicture.of, page) === 'shown' ? await subjectIn(page) : null
    const picture =
      subject &&
      (await drawFigure(request, { hubs, snapshot, later, figures }, { ...framedPicture, subject }, false))
    if (picture) return picture
  }
  const name = pageName(locale, Object.hasOwn(mirrors, path) ? (mirrors[path] ?? path) : path)
  const match = manifest.pages[name]
  const newAddress = match
    ? null
    : (topicMeant(manifest, locale, path) ?? (await movedPath(hubs, manifest, locale, path)))
  if (newAddress !== null) return movedTo(url, localePath(locale, newAddress, locales))
  const verdict = match ? verdictOn(snapshot, path, match) : 'gone'
  if (match && verdict === 'withheld') return beingUpdated(match, locale, request.method === 'HEAD')
  const isShown = match !== undefined && verdict === 'shown'
  const shownName = isShown ? name : pageName(locale, '/404')
  const page = manifest.pages[shownName]
  if (!page) return notFound()
  const framedBy = path.startsWith('/embed/') ? '*' : "'none'"
  if (!isShown) return serveNotFound(request, { hubs, snapshot, manifest, locale, later, asOf }, path, page)
  const storedPage = { name, path, page }
  return servePage(request, hubs, snapshot, storedPage, { framedBy, asOf, later })
}

const isReportForm = (pathname: string) => /\/source\/[\w-]+\/report\/?$/.test(pathname)

/** Parses the path of a figure's picture: its file or page, and the format. */
function pictureIn(path: string) {
  const [, of, ending] = /^([^.]+)\.(svg|png)$/.exec(path) ?? []
  return of === undefined ? null : { of, subject: `${of}.json`, ending: ending as PictureEnding }
}

const drawFigure = (
  request: Request,
  {
    hubs,
    snapshot,
    later,
    figures,
  }: Pick<PageServing, 'hubs' | 'snapshot' | 'later'> & Pick<HubServices, 'figures'>,
  { subject, ending }: { subject: string; ending: PictureEnding },
  isForGood: boolean,
): Promise<Response | null> | null =>
  figures
    ? serveFigure(request, subject, ending, { ...figures, hubs, placeId: snapshot.placeId, later }, isForGood)
    : null

/** The topic page that a path means in plain words (`/topics/Public Safety`), or in another encoding; null without one. */
function topicMeant({ pages }: Manifest, locale: Locale, path: string): string | null {
  const text = path.startsWith(`${topicsPath}/`) ? decodedPath(path.slice(topicsPath.length + 1)) : null
  const topic = text === null || text.length > 1000 ? null : topicPath(text)
  return topic !== null && topic !== path && Object.hasOwn(pages, pageName(locale, topic)) ? topic : null
}

const pathOfSource = /^((?:\/embed|\/og)?\/domains\/)([\w-]+)(\/source\/([\w-]+)(?:[/.].*)?)$/

/**
 * The current path of a public source's page: a source keeps its id when it moves to another data type, which
 * is part of the path. Null where there is none, or it has not changed.
 */
async function movedPath(
  hubs: R2Bucket,
  { placeId, pages }: Manifest,
  locale: Locale,
  path: string,
): Promise<string | null> {
  const [, before, dataType, after, sourceId = ''] = pathOfSource.exec(path) ?? []
  if (before === undefined) return null
  const sources = (await lastPlaceState(hubs, placeId))?.sources ?? {}
  const now = Object.hasOwn(sources, sourceId) ? sources[sourceId]?.dataType : undefined
  const newPath = now === undefined || now === dataType ? null : `${before}${now}${after}`
  return newPath !== null && Object.hasOwn(pages, pageName(locale, newPath)) ? newPath : null
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

/**
 * A redirect to another path. The path is set instead of parsed, because one that begins with `//` would name
 * a host.
 */
function movedTo(url: URL, path: string): Response {
  const to = new URL(url)
  to.pathname = path
  // Must be revalidated: the hub's default language may change, and a source may move again.
  return new Response(null, {
    status: 308,
    headers: { location: to.href, 'cache-control': 'public, max-age=0, must-revalidate' },
  })
}

/** The earliest of these dates (milliseconds); undefined: everything is current. */
function earliest(...moments: (number | undefined)[]): number | undefined {
  const dates = moments.filter((moment) => moment !== undefined)
  return dates.length > 0 ? Math.min(...dates) : undefined
}

interface ServeOptions {
  /** The origins that may frame this page, in the form of the Content-Security-Policy. */
  framedBy: string
  /** The date of the data (milliseconds); undefined: current. */
  asOf: number | undefined
  later: BackgroundWork | undefined
}

async function servePage(
  request: Request,
  hubs: R2Bucket,
  snapshot: Snapshot,
  input: { name: string; path: string; page: ManifestPage },
  { framedBy, asOf, later }: ServeOptions,
) {
  const { page } = input
  const etag = etagOf(page)
  const headers = headersOf(page, framedBy, asOf)
  if (page.status === 200 && request.headers.get('if-none-match') === etag)
    return new Response(null, { status: 304, headers })
  const isHead = request.method === 'HEAD'
  if (!isText(page.type)) {
    const object = await hubs.get(pageKey(snapshot.placeId, page.hash))
    if (!object) return unavailableText(languages.en.edge.unreadable.text, isHead)
    return new Response(isHead ? null : object.body, { status: page.status, headers })
  }
  const { of, asOf: readAt } = await servedPage(hubs, snapshot, input, later)
  return new Response(isHead ? null : of.body, {
    status: of.page.status,
    headers: readAt === undefined ? headers : headersOf(of.page, framedBy, earliest(asOf, readAt)),
  })
}

/**
 * Serves search results: the stored results page, filled from the hub's search index, without scripts and
 * without the database.
 */
async function serveSearch(
  request: Request,
  hubs: R2Bucket,
  { manifest, shell: page, asOf }: { manifest: Manifest; shell: ManifestPage; asOf: number | undefined },
  query: SearchShown,
  isPublic: (href: string) => boolean,
  inVain?: InVain,
) {
  const { placeId } = manifest
  const read = (key: string) => readBody(hubs, key)
  const body = await searchPageOf({ hubs, placeId, manifest, read, isPublic, inVain }, page, query)
  if (body === null)
    return unavailablePage(query.locale, languages[query.locale].edge.unreadable, request.method === 'HEAD')
  const old = asOf === undefined ? {} : staleHeaders(asOf)
  const headers = {
    'content-type': page.type,
    'cache-control': 'no-store',
    ...pageSecurity(page.styles),
    ...old,
  }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}

/** Serves suggestions for the search box while someone types. */
async function serveWords(
  request: Request,
  hubs: R2Bucket,
  { manifest, shell }: { manifest: Manifest; shell: ManifestPage },
  query: SearchShown,
  isPublic: (href: string) => boolean,
) {
  const { placeId } = manifest
  const read = (key: string) => readBody(hubs, key)
  const words = await suggestionsOf({ hubs, placeId, manifest, read, isPublic }, shell, query)
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return new Response(request.method === 'HEAD' ? null : JSON.stringify(words ?? []), { headers })
}

interface PageServing {
  hubs: R2Bucket
  snapshot: Snapshot
  manifest: Manifest
  locale: Locale
  later: BackgroundWork | undefined
  asOf: number | undefined
}

/**
 * Serves the stored page of tables with what its path requests of a source: its records, its guide, or a
 * version. Null where the source has no visible page, so that the path is handled like any other.
 */
async function serveOfSource(
  request: Request,
  { hubs, snapshot, manifest, locale, later, asOf }: PageServing,
  table: TableAddress | GuideAddress | VersionAddress | ReportAddress,
  { reports, ...tables }: RecordServices & { reports: ReportServices | undefined },
): Promise<Response | null> {
  const url = new URL(request.url)
  const locales = languagesIn(manifest)
  const { source, rest } = table
  const isHead = request.method === 'HEAD'
  const newAddress = manifest.pages[pageName(locale, source)]
    ? null
    : await movedPath(hubs, manifest, locale, source)
  if (newAddress !== null) return movedTo(url, localePath(locale, newAddress + rest, locales))
  const pageOf = async (path: string) => {
    const page = manifest.pages[pageName(locale, path)]
    if (!page || verdictOn(snapshot, path, page) !== 'shown') return null
    const { of } = await servedPage(hubs, snapshot, { name: pageName(locale, path), path, page }, later)
    return { body: of.body, page }
  }
  const [of, shell] = await Promise.all([
    pageOf(source),
    pageOf(filledPages['recordId' in table ? 'records' : 'guide']),
  ])
  if (!of || !shell) return null
  const { crumbs, title, description, language } = headOfSourcePage(of.body)
  const path = localePath(locale, source + '/data', locales)
  const { placeId } = manifest
  const name = unescapeText(title)
  const place = { name, path, placeId, locale }
  const sourcePath = localePath(locale, source, locales)
  const content =
    'isReport' in table
      ? reports &&
        (await reportPage(request, table, reports, {
          ...{ name, sourcePath, locale, placeId, sourcePage: of.body },
          privacyPath: localePath(locale, '/privacy', locales),
          storyOf: async (figure) => {
            const path = storyOfFigure(manifest, locale, figure)
            return (path === undefined ? null : await pageOf(path))?.body ?? ''
          },
        }))
      : 'isGuide' in table
        ? guideContent(table, place, { ...tables, page: of.body })
        : 'version' in table
          ? await versionContent(
              table,
              url.searchParams,
              { name, sourcePath, placeId, locale },
              { hubs, ...tables },
            )
          : await tableContent(table, url.searchParams, place, { hubs, ...tables })
  if (!content) return null
  const way = crumbs.replace(
    '</ol>',
    () => `<li><a href="${localePath(locale, source, locales)}"${language}>${title}</a></li></ol>`,
  )
  const toFields = manifest.pages[pageName(locale, `${source}/fields`)]
    ? `<p><a href="${localePath(locale, `${source}/fields`, locales)}">${escapeText(languages[locale].trust.fields.link)}</a></p>`
    : ''
  const head = `<header class="page-head">${way}<h1>${escapeText(content.title)}</h1>${toFields}</header>`
  const body = fillRecordsPage(shell.body, {
    title: content.title,
    description: [content.title, unescapeText(description)].filter(Boolean).join('. '),
    isIndexed: content.isWhole,
    html: head + content.html,
    path: source + rest,
    search: url.search,
    languages: locales,
  })
  const headers = {
    'content-type': shell.page.type,
    'cache-control': content.status === 200 ? 'public, max-age=0, must-revalidate' : 'no-store',
    ...pageSecurity(shell.page.styles, "'none'"),
    ...content.headers,
    ...(asOf === undefined ? {} : staleHeaders(asOf)),
  }
  return new Response(isHead ? null : body, { status: content.status, headers })
}

/** Serves the hub's 404 page, with pages of similar addresses and a search for the words in the path. */
async function serveNotFound(
  request: Request,
  { hubs, snapshot, manifest, locale, later, asOf }: PageServing,
  path: string,
  page: ManifestPage,
): Promise<Response> {
  const page404 = { name: pageName(locale, '/404'), path: '/404', page }
  const { of, asOf: readAt } = await servedPage(hubs, snapshot, page404, later)
  // Not for files: programs request missing ones by the thousand.
  const pages = /\.\w{1,8}$/.test(path) ? [] : await nearIn(hubs, snapshot, manifest, locale, path)
  const body = fillNotFound(of.body, {
    words: wordsIn(path),
    pages: pages.map(({ title, href }) => ({ title, href: localePath(locale, href, languagesIn(manifest)) })),
  })
  const headers = headersOf(of.page, "'none'", earliest(asOf, readAt))
  headers.delete('etag')
  return new Response(request.method === 'HEAD' ? null : body, { status: of.page.status, headers })
}

/**
 * The hub's public pages with an address similar to a path, from the search index; none where that cannot be
 * read.
 */
async function nearIn(
  hubs: R2Bucket,
  snapshot: Snapshot,
  manifest: Manifest,
  locale: Locale,
  path: string,
): Promise<NearPage[]> {
  const { domains, topics, stories, about, maps } = languages[locale].hub
  const own = [
    { title: topics, href: topicsPath },
    { title: domains, href: '/domains' },
    { title: stories, href: '/datastories' },
    { title: maps, href: '/map' },
    { title: about, href: '/about' },
  ]
  const shell = resultsPage(manifest, locale)
  const { placeId } = manifest
  const read = (key: string) => readBody(hubs, key)
  const body = shell ? await read(pageKey(placeId, shell.hash)).catch(() => null) : null
  const index =
    shell && body !== null
      ? await indexIn({ hubs, placeId, manifest, read }, shell, body).catch(() => null)
      : null
  const isThere = ({ href }: NearPage) =>
    Object.hasOwn(manifest.pages, pageName(locale, href)) && isAboutPublic(snapshot, href)
  const ofDomains = Object.entries(index?.domains ?? {}).map(([id, title]) => ({
    title,
    href: domainPath(id),
  }))
  return nearestPages(path, [...own, ...ofDomains, ...(index?.entries ?? [])]).filter(isThere)
}

async function serveFile(request: Request, hubs: R2Bucket, placeId: string, name: string) {
  const object = await hubs.get(fileKey(placeId, name))
  if (!object) return notFound()
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

function notFound() {
  return new Response('Not Found', { status: 404, headers: { 'cache-control': 'no-store' } })
}

/** The 503 for a page that shows something withdrawn, until it is rendered again without it. */
function beingUpdated({ type }: ManifestPage, locale: Locale, isHead: boolean) {
  return type.startsWith('text/html')
    ? unavailablePage(locale, languages[locale].edge.updating, isHead)
    : unavailableText(languages.en.edge.updating.text, isHead)
}
