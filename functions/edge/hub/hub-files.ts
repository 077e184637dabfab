import type { HubState } from '#functions/shapes/hub-state.ts'
import type { HubLanguages } from '#functions/shapes/locale.ts'
import { figureEmbedPath } from '#functions/shapes/hub-picture.ts'
import { domainPaths, listVisibleSources, topicPaths } from './hub-pages.ts'

/** Datasets per page of a linked-data catalogue. */
export const datasetsPerPage = 1000
/** Addresses per sitemap; the standard's limits are 50,000 and 50 MB. */
export const urlsPerSitemap = 10_000

/** The linked-data catalogues, by the path of their first page. */
export const pagedCatalogues = [
  '/catalog/dcat-us-3.jsonld',
  '/catalog/dcat-ap-3.jsonld',
  '/catalog/dcat-ap-3.ttl',
] as const

/** Paths of ArcGIS Hub, by which harvesters request the same files. */
export const mirrors: Readonly<Record<string, string>> = {
  '/api/feed/dcat-us/1.1.json': '/data.json',
  '/api/feed/dcat-us/3.0.json': '/catalog/dcat-us-3.jsonld',
  '/api/feed/dcat-ap/3.0.0.json': '/catalog/dcat-ap-3.jsonld',
}

/** Sizes of the icons in a web manifest, in pixels. */
export const iconPixels = [192, 512] as const

const commonPaths = [
  '/favicon.ico',
  ...iconPixels.map((side) => `/icons/${side}.png`),
  '/site.webmanifest',
  '/opensearch.xml',
  '/robots.txt',
  '/sitemap.xml',
  '/feed.atom',
  '/feed.json',
  '/api/feed/rss/2.0',
  '/datastories/feed.atom',
  '/datastories/feed.json',
  '/data.json',
  ...pagedCatalogues,
  '/og/home.png',
  '/og/place.png',
]

/**
 * The paths of a hub's files for programs: sitemaps, feeds, catalogues, pictures, embeds. Stored like its
 * pages: pictures and embeds in each language, the others once.
 */
export function hubFiles(hub: HubState): { path: string; status: number }[] {
  const sources = listVisibleSources(hub)
  const stories = hub.pages.filter(({ type }) => type !== 'dashboard')
  const lists = topicPaths(hub).length + domainPaths(hub).length
  // Of each source its page and that of its fields; home, map, stories, domains, about, accessibility, privacy.
  const pages = 2 * sources.length + stories.length + lists + (hub.hasMap ? 7 : 6)
  const paths = [
    ...commonPaths,
    ...partPaths(sitemapParts(pages, hub.languages)),
    ...pagedCatalogues.flatMap((first) =>
      listLaterPageNumbers(Math.ceil(sources.length / datasetsPerPage)).map((n) => pageOfCatalogue(first, n)),
    ),
    ...(hub.hasMap ? ['/og/map.png', '/embed/map'] : []),
    ...stories.map(({ id }) => `/og/pages/${id}.png`),
    ...hub.figures.map(({ pageId, insightId }) => figureEmbedPath(pageId, insightId)),
    ...sources.flatMap(({ id, dataTypeId }) => sourceFiles(dataTypeId, id)),
  ]
  return paths.map((path) => ({ path, status: 200 }))
}

/** The paths of one source's files. */
function sourceFiles(dataTypeId: string, id: string): string[] {
  const page = `/domains/${dataTypeId}/source/${id}`
  const names = ['feed.atom', 'feed.json', 'csv-metadata.json', 'table-schema.json']
  return [...names.map((name) => `${page}/${name}`), `/embed${page}`, `/og${page}.png`]
}

/** The number of sitemaps for so many pages, each in every language; with one there is no index. */
export function sitemapParts(pages: number, languages: HubLanguages): number {
  return Math.max(1, Math.ceil((pages * languages.length) / urlsPerSitemap))
}

/** The paths of the sitemaps in the index `/sitemap.xml`; empty where that is the only sitemap. */
export function partPaths(parts: number): string[] {
  return parts === 1 ? [] : Array.from({ length: parts }, (_, i) => `/sitemaps/${i + 1}.xml`)
}

/** The path of a page of a linked-data catalogue, counted from 1. */
export function pageOfCatalogue(first: string, n: number): string {
  return n === 1 ? first : first.replace(/\.(\w+)$/, `/${n}.$1`)
}

/** The page numbers from 2 to the last. */
const listLaterPageNumbers = (last: number) => Array.from({ length: Math.max(0, last - 1) }, (_, i) => i + 2)
