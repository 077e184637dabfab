import { xmlText } from '#functions/engine/export/xml.ts'

/** One page with its URL in each language; `updatedAt` as ISO text, null where it is unknown. */
export interface SitemapPage {
  /** Addresses by language code; the default language's first. */
  urls: Record<string, string>
  updatedAt: string | null
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/**
 * A sitemap (sitemaps.org 0.9): every page once in each language, each with links to all its languages as search engines
 * require ("each language version must list itself as well as all other language versions"); `x-default` is the hub's
 * own.
 */
export function sitemap(pages: SitemapPage[]): string {
  const urls = pages.flatMap(({ urls, updatedAt }) => {
    const entries = Object.entries(urls)
    const others = [...entries, ...entries.slice(0, 1).map(([, url]) => ['x-default', url] as const)]
      .map(
        ([code, url]) => `<xhtml:link rel="alternate" hreflang="${xmlText(code)}" href="${xmlText(url)}"/>`,
      )
      .join('')
    const when = updatedAt === null ? '' : `<lastmod>${xmlText(updatedAt)}</lastmod>`
    return entries.map(([, url]) => `<url><loc>${xmlText(url)}</loc>${when}${others}</url>`)
  })
  return `${declaration}<urlset xmlns="${namespace}" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${urls.join('\n')}\n</urlset>\n`
}

/** The sitemap of sitemaps, by their addresses. */
export function sitemapIndex(urls: string[]): string {
  const items = urls.map((url) => `<sitemap><loc>${xmlText(url)}</loc></sitemap>`)
  return `${declaration}<sitemapindex xmlns="${namespace}">\n${items.join('\n')}\n</sitemapindex>\n`
}

/**
 * The robots.txt (RFC 9309): allows everything but searches, of which there are unlimited many, and queries of the data.
 * Files, tiles and the catalogue are allowed.
 */
export function robots(origin: string): string {
  const lines = [
    'User-agent: *',
    'Disallow: /*?search=',
    'Disallow: /*search/words',
    'Disallow: /v1/',
    'Allow: /v1/places/*/export.',
    'Allow: /',
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ]
  return lines.join('\n')
}
