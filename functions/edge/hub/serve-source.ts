import { localePath } from '#functions/engine/address/locales.ts'
import { staleHeaders } from '#functions/engine/http/stale-headers.ts'
import { fillRecordsPage, filledPages, headOfSourcePage } from '#functions/engine/table/page.ts'
import { escapeText, unescapeText } from '#functions/shapes/html-text.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { languagesIn, pageName, storyOfFigure } from './manifest.ts'
import { findMovedPath, redirectTo } from './moved-page.ts'
import { pageSecurity } from './page-headers.ts'
import { reportAt } from './report-page.ts'
import { guideContent, guideIn } from './serve-guide.ts'
import { reportPage, type ReportServices } from './serve-report.ts'
import { tableContent, tableIn, type TableContent, type TableServices } from './serve-table.ts'
import { versionContent, versionIn } from './serve-version.ts'
import { readServedPage, type PageServing } from './served-pages.ts'
import { verdictOn } from './withdrawn.ts'

/** Services for pages that are composed of a source's records or its guide. */
export type RecordServices = Omit<TableServices, 'hubs'> & {
  /** The origin of the workspace, which has the API reference. */
  workspace: string
}

type SourceServices = RecordServices & { reports: ReportServices | undefined }

/**
 * Serves the stored page of tables with what its path requests of a source: its records, its guide, a
 * version, or the form of reports. Null for other paths and where the source has no visible page, so that the
 * path is handled like any other.
 */
export async function serveOfSource(
  request: Request,
  serving: PageServing,
  path: string,
  services: SourceServices,
): Promise<Response | null> {
  const { hubs, snapshot, manifest, locale, later, dataTime } = serving
  const table = readAddress(path, services.reports !== undefined)
  if (!table) return null
  const url = new URL(request.url)
  const locales = languagesIn(manifest)
  const { source, rest } = table
  const isHead = request.method === 'HEAD'
  const newAddress = manifest.pages[pageName(locale, source)]
    ? null
    : await findMovedPath(hubs, manifest, locale, source)
  if (newAddress !== null) return redirectTo(url, localePath(locale, newAddress + rest, locales))
  const readPage = async (path: string) => {
    const page = manifest.pages[pageName(locale, path)]
    if (!page || verdictOn(snapshot, path, page) !== 'shown') return null
    const { of } = await readServedPage(hubs, snapshot, { name: pageName(locale, path), path, page }, later)
    return { body: of.body, page }
  }
  const [of, shell] = await Promise.all([
    readPage(source),
    readPage(filledPages['recordId' in table ? 'records' : 'guide']),
  ])
  if (!of || !shell) return null
  const heading = headOfSourcePage(of.body)
  const name = unescapeText(heading.title)
  const content = await makeContent(request, serving, table, { name, page: of.body, readPage }, services)
  if (!content) return null
  const body = fillRecordsPage(shell.body, {
    title: content.title,
    description: [content.title, unescapeText(heading.description)].filter(Boolean).join('. '),
    isIndexed: content.isWhole,
    html: pageHead(serving, source, heading, content.title) + content.html,
    path: source + rest,
    search: url.search,
    languages: locales,
  })
  const headers = {
    'content-type': shell.page.type,
    'cache-control': content.status === 200 ? 'public, max-age=0, must-revalidate' : 'no-store',
    ...pageSecurity(shell.page.styles, "'none'"),
    ...content.headers,
    ...(dataTime === undefined ? {} : staleHeaders(dataTime)),
  }
  return new Response(isHead ? null : body, { status: content.status, headers })
}

/** Parses what a path requests of a source; null for other paths. */
const readAddress = (path: string, hasReports: boolean) =>
  guideIn(path) ?? tableIn(path) ?? versionIn(path) ?? (hasReports ? reportAt(path) : null)

/** What a page of a source is filled with; null where nothing is there. `readPage`: reads another stored page. */
async function makeContent(
  request: Request,
  { hubs, manifest, locale }: PageServing,
  address: NonNullable<ReturnType<typeof readAddress>>,
  source: { name: string; page: string; readPage: (path: string) => Promise<{ body: string } | null> },
  { reports, ...tables }: SourceServices,
): Promise<TableContent | null> {
  const { name, page, readPage } = source
  const { placeId } = manifest
  const locales = languagesIn(manifest)
  const sourcePath = localePath(locale, address.source, locales)
  const path = localePath(locale, `${address.source}/data`, locales)
  const { searchParams } = new URL(request.url)
  if ('isGuide' in address) return guideContent(address, { name, placeId, locale }, { ...tables, page })
  if ('version' in address)
    return versionContent(address, searchParams, { name, sourcePath, placeId, locale }, { hubs, ...tables })
  if ('recordId' in address)
    return tableContent(address, searchParams, { name, path, placeId, locale }, { hubs, ...tables })
  if (!reports) return null
  return reportPage(request, address, reports, {
    ...{ name, sourcePath, locale, placeId, sourcePage: page },
    privacyPath: localePath(locale, '/privacy', locales),
    readStory: async (figure) => {
      const story = storyOfFigure(manifest, locale, figure)
      return (story === undefined ? null : await readPage(story))?.body ?? ''
    },
  })
}

/** The head of a page of a source: the way to it, its title, and a link to the source's fields if they have a page. */
function pageHead(
  { manifest, locale }: PageServing,
  source: string,
  { crumbs, title, language }: ReturnType<typeof headOfSourcePage>,
  heading: string,
): string {
  const locales = languagesIn(manifest)
  const link = `<li><a href="${localePath(locale, source, locales)}"${language}>${title}</a></li>`
  const way = crumbs.replace('</ol>', () => `${link}</ol>`)
  const toFields = manifest.pages[pageName(locale, `${source}/fields`)]
    ? `<p><a href="${localePath(locale, `${source}/fields`, locales)}">${escapeText(languages[locale].trust.fields.link)}</a></p>`
    : ''
  return `<header class="page-head">${way}<h1>${escapeText(heading)}</h1>${toFields}</header>`
}
