import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { localePath } from '#functions/engine/address/locales.ts'
import { dataJson } from '#functions/engine/catalogue/data-json.ts'
import { dcat, jsonLd } from '#functions/engine/catalogue/dcat.ts'
import { atom, jsonFeed, rss, tagUri, type Feed } from '#functions/engine/catalogue/feeds.ts'
import { toOneLine } from '#functions/engine/catalogue/facts.ts'
import { robots, sitemap, sitemapIndex, type SitemapPage } from '#functions/engine/catalogue/sitemap.ts'
import { turtle } from '#functions/engine/catalogue/turtle.ts'
import {
  datasetsPerPage,
  pageOfCatalogue,
  pagedCatalogues,
  partPaths,
  sitemapParts,
  urlsPerSitemap,
} from '#functions/edge/hub/hub-files.ts'
import { maxTopics } from '#functions/edge/hub/hub-pages.ts'
import { groupByTopic, topicPath, topicsPath } from '#functions/shapes/topic.ts'
import { getSiteLanguages } from '#app/server/page-language.server.ts'
import {
  datasets,
  hubFacts,
  hubOrigin,
  stories,
  translatedTexts,
} from '#app/server/hub-facts/facts.server.ts'
import { load } from '#app/server/load.server.ts'
import { v1 } from '#functions/v1/index.ts'

/** A document before it becomes a response. */
export interface Document {
  type: string
  body: string
}

/** Maximum number of entries in a feed, the newest ones. */
const maxEntries = 100

const types = {
  robots: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  jsonFeed: 'application/feed+json; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonLd: 'application/ld+json; charset=utf-8',
  turtle: 'text/turtle; charset=utf-8',
}

/** A language-independent document of the hub, by its path; null for an unknown path. */
export async function hubDocument(args: LoaderFunctionArgs): Promise<Document | null> {
  const origin = hubOrigin(args.context.ctx)
  const { pathname } = new URL(args.request.url)
  switch (pathname) {
    case '/robots.txt':
      return { type: types.robots, body: robots(origin) }
    case '/feed.atom':
      return { type: types.atom, body: atom(await catalogueFeed(args), origin + pathname) }
    case '/feed.json':
      return { type: types.jsonFeed, body: jsonFeed(await catalogueFeed(args), origin + pathname) }
    case '/api/feed/rss/2.0':
      return { type: types.rss, body: rss(await catalogueFeed(args), origin + pathname) }
    case '/datastories/feed.atom':
      return { type: types.atom, body: atom(await storiesFeed(args), origin + pathname) }
    case '/datastories/feed.json':
      return { type: types.jsonFeed, body: jsonFeed(await storiesFeed(args), origin + pathname) }
    case '/data.json': {
      const rows = await datasets(args)
      return { type: types.json, body: dataJson(await hubFacts(args, rows), rows) }
    }
  }
  if (pathname.startsWith('/sitemap')) return siteMap(args, pathname)
  return linkedData(args, pathname)
}

/** The catalogue's feed: an entry for each data version of a source. */
async function catalogueFeed(args: LoaderFunctionArgs): Promise<Feed> {
  const rows = await datasets(args)
  const hub = await hubFacts(args, rows)
  const newest = rows.sort((a, b) => b.updatedAt.localeCompare(a.updatedAt)).slice(0, maxEntries)
  return {
    id: tagUri(hub, 'catalogue'),
    title: `${hub.name}: open data`,
    description: toOneLine(hub.description),
    url: `${hub.origin}/domains`,
    language: hub.language,
    author: hub.name,
    updatedAt: hub.updatedAt ?? `${hub.since}T00:00:00.000Z`,
    entries: newest.map((row) => ({
      id: tagUri(hub, 'source', row.id, row.version),
      title: row.title,
      url: row.url,
      updatedAt: row.updatedAt,
      publishedAt: row.updatedAt,
      text: toOneLine(`${row.theme}, ${row.count.toLocaleString('en')} records. ${row.description}`),
    })),
  }
}

async function storiesFeed(args: LoaderFunctionArgs): Promise<Feed> {
  const rows = await stories(args)
  const hub = await hubFacts(args, rows)
  const newest = rows.sort((a, b) => b.publishedAt.localeCompare(a.publishedAt)).slice(0, maxEntries)
  return {
    id: tagUri(hub, 'stories'),
    title: `${hub.name}: data stories`,
    description: toOneLine(hub.description),
    url: `${hub.origin}/datastories`,
    language: hub.language,
    author: hub.name,
    updatedAt: hub.updatedAt ?? `${hub.since}T00:00:00.000Z`,
    entries: newest.map(({ id, title, summary, author, url, ...row }) => ({
      ...{ id: tagUri(hub, 'story', id), title, url },
      updatedAt: row.updatedAt,
      publishedAt: row.publishedAt,
      text: toOneLine(summary || title),
      ...(author !== null && { author }),
    })),
  }
}

/** `/sitemap.xml`, the only one or the index of `/sitemaps/1.xml` and so on; null beyond the last. */
async function siteMap(args: LoaderFunctionArgs, pathname: string): Promise<Document | null> {
  const pages = await sitePages(args)
  const origin = hubOrigin(args.context.ctx)
  const languages = getSiteLanguages(args.context.ctx)
  const parts = partPaths(sitemapParts(pages.length, languages))
  const each = Math.floor(urlsPerSitemap / languages.length)
  if (pathname === '/sitemap.xml')
    return {
      type: types.xml,
      body: parts.length > 0 ? sitemapIndex(parts.map((path) => origin + path)) : sitemap(pages),
    }
  const at = parts.indexOf(pathname)
  return at < 0 ? null : { type: types.xml, body: sitemap(pages.slice(at * each, (at + 1) * each)) }
}

/** All pages for people, in every language. */
async function sitePages(args: LoaderFunctionArgs): Promise<SitemapPage[]> {
  const [rows, publicStories, { place }] = await Promise.all([
    datasets(args),
    stories(args),
    load(args, { place: v1.place.findById }),
  ])
  const { origin, updatedAt } = await hubFacts(args, [...rows, ...publicStories])
  const topics = groupByTopic(rows, ({ topic }) => topic).slice(0, maxTopics)
  const domains = new Map<string, string>()
  for (const { url, updatedAt: updated } of rows) {
    // A domain's page is the prefix of its sources' URLs.
    const domain = url.slice(origin.length, url.lastIndexOf('/source/'))
    if (updated > (domains.get(domain) ?? '')) domains.set(domain, updated)
  }
  const languages = getSiteLanguages(args.context.ctx)
  const buildSitemapPage = (path: string, updated: string | null): SitemapPage => ({
    urls: Object.fromEntries(languages.map((code) => [code, origin + localePath(code, path, languages)])),
    updatedAt: updated,
  })
  const toSitemapPage = (row: { url: string; updatedAt: string }) =>
    buildSitemapPage(row.url.slice(origin.length), row.updatedAt)
  const placeUpdated = new Date(place.updatedAt).toISOString()
  return [
    buildSitemapPage('/', updatedAt),
    ...(place.hasMap ? [buildSitemapPage('/map', updatedAt)] : []),
    buildSitemapPage('/datastories', publicStories[0]?.updatedAt ?? null),
    buildSitemapPage('/domains', updatedAt),
    ...(topics.length === 0 ? [] : [buildSitemapPage(topicsPath, updatedAt)]),
    ...topics.map(({ name, rows: of }) =>
      buildSitemapPage(
        topicPath(name),
        of.reduce((last, row) => (row.updatedAt > last ? row.updatedAt : last), ''),
      ),
    ),
    ...[...domains].map(([path, updated]) => buildSitemapPage(path, updated)),
    buildSitemapPage('/about', placeUpdated),
    buildSitemapPage('/accessibility', null),
    buildSitemapPage('/privacy', placeUpdated),
    ...publicStories.map(toSitemapPage),
    ...rows.flatMap((row) => [toSitemapPage(row), toSitemapPage({ ...row, url: `${row.url}/fields` })]),
  ]
}

/** A page of a linked-data catalogue; null for an unknown path, or beyond the last page. */
async function linkedData(args: LoaderFunctionArgs, pathname: string): Promise<Document | null> {
  const n = Number(/\/(\d+)\.\w+$/.exec(pathname)?.[1] ?? 1)
  const first = pagedCatalogues.find((path) => pageOfCatalogue(path, n) === pathname)
  if (first === undefined) return null
  const [rows, texts] = await Promise.all([datasets(args), translatedTexts(args)])
  const hub = await hubFacts(args, rows)
  const last = Math.max(1, Math.ceil(rows.length / datasetsPerPage))
  if (n > last) return null
  const getPageUrl = (number: number) => hub.origin + pageOfCatalogue(first, number)
  const tree = dcat(
    first.includes('us-3') ? 'us' : 'ap',
    hub,
    rows
      .slice((n - 1) * datasetsPerPage, n * datasetsPerPage)
      .map((row) => ({ ...row, translations: texts.get(row.id) ?? [] })),
    {
      url: getPageUrl(n),
      first: getPageUrl(1),
      previous: n > 1 ? getPageUrl(n - 1) : null,
      next: n < last ? getPageUrl(n + 1) : null,
      last: getPageUrl(last),
      total: rows.length,
    },
  )
  return first.endsWith('.ttl')
    ? { type: types.turtle, body: turtle(tree) }
    : { type: types.jsonLd, body: jsonLd(tree) }
}
