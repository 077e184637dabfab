import { xmlText } from '#functions/engine/export/xml.ts'

/** One page with its address in each language; `updatedAt` as ISO text, null where it is not known. */
export interface SitemapPage {
  /** Addresses by language code; the default language's first. */
  urls: Record<string, string>
  updatedAt: string | null
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/**
 * A sitemap (sitemaps.org 0.9): every page once in each language, each naming all its languages as search engines want
 * it ("each language version must list itself as well as all other language versions"), `x-default` being the default's.
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
 * What robots may read (RFC 9309): all but searches, of which there are as many as there are words, and questions to
 * the data. Files, tiles and the catalogue stay open.
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
