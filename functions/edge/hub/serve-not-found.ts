import { localePath, type Locale } from '#functions/engine/address/locales.ts'
import { domainPath } from '#functions/engine/address/urls.ts'
import { indexIn, resultsPage } from '#functions/edge/search/search-serve.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { fillNotFound } from '#functions/shapes/nearest-slots.ts'
import { topicsPath } from '#functions/shapes/topic.ts'
import { languagesIn, pageKey, pageName, type Manifest, type ManifestPage } from './manifest.ts'
import { listNearestPages, wordsIn, type NearPage } from './nearest.ts'
import { earliest, buildPageHeaders } from './page-headers.ts'
import { readBody, readServedPage, type PageServing } from './served-pages.ts'
import type { Snapshot } from './snapshot.ts'
import { isAboutPublic } from './withdrawn.ts'

/** Serves the hub's 404 page, with pages of similar addresses and a search for the words in the path. */
export async function serveNotFound(
  request: Request,
  { hubs, snapshot, manifest, locale, later, dataTime }: PageServing,
  path: string,
  page: ManifestPage,
): Promise<Response> {
  const page404 = { name: pageName(locale, '/404'), path: '/404', page }
  const { of, dataTime: readAt } = await readServedPage(hubs, snapshot, page404, later)
  // Not for files: programs request missing ones by the thousand.
  const pages = /\.\w{1,8}$/.test(path) ? [] : await nearIn(hubs, snapshot, manifest, locale, path)
  const body = fillNotFound(of.body, {
    words: wordsIn(path),
    pages: pages.map(({ title, href }) => ({ title, href: localePath(locale, href, languagesIn(manifest)) })),
  })
  const headers = buildPageHeaders(of.page, "'none'", earliest(dataTime, readAt))
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
  const domainPages = Object.entries(index?.domains ?? {}).map(([id, title]) => ({
    title,
    href: domainPath(id),
  }))
  return listNearestPages(path, [...own, ...domainPages, ...(index?.entries ?? [])]).filter(isThere)
}
