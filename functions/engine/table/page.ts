import { escapeHtml, unescapeText } from '#functions/shapes/html-text.ts'
import { localePath, type HubLanguages, type Locale } from '#functions/engine/address/locales.ts'

/**
 * Stored templates that are filled on request, one per language: `records` for tables and records of a source, `guide`
 * for its guide, versions and report form. Separate, because each page includes the styles of what may be filled in.
 */
export const filledPages = { records: '/?filled=records', guide: '/?filled=guide' } as const

/** The template that a URL names; null for others. */
export function findFilledPage({ pathname, searchParams }: URL): keyof typeof filledPages | null {
  const name = pathname === '/' ? searchParams.get('filled') : null
  return name === 'records' || name === 'guide' ? name : null
}

/** Placeholders in a template for a table and its texts. React writes them unchanged. */
export const recordSlots = {
  title: '[[title]]',
  description: '[[description]]',
  robots: '[[robots]]',
  /** The breadcrumbs of the page, its heading, and the table or record. */
  content: '[[content]]',
} as const

/** The placeholder for the path of the page in a language. */
export const pathSlot = (locale: Locale) => `[[path ${locale}]]`

/** Fills a template. `html` is inserted unchanged; other texts are escaped here. */
export function fillRecordsPage(
  shell: string,
  {
    title,
    description,
    isIndexed,
    html,
    path,
    search,
    languages,
  }: {
    title: string
    description: string
    isIndexed: boolean
    html: string
    /** Without a language. */ path: string
    search: string
    /** Those of the hub, its own first. */
    languages: HubLanguages
  },
): string {
  const robots = isIndexed ? 'all' : 'noindex, nofollow'
  const fill: Record<string, string> = {
    ...{ title: escapeHtml(title), description: escapeHtml(description), robots, content: html },
  }
  for (const code of languages) fill[`path ${code}`] = escapeHtml(localePath(code, path, languages) + search)
  return shell.replace(
    /\[\[(title|description|robots|content|path [a-z-]+)\]\]/g,
    (all, name: string) => fill[name] ?? all,
  )
}

/** Whether a page of a source offers its records as shapes: then each has a place on a map. */
export const offersShapes = (page: string): boolean => page.includes('/export.geojson"')

/**
 * The heading of a source page: its breadcrumbs, as HTML, and its title and description, as escaped text. `language`:
 * attributes for text that is not in the language of the page; otherwise ''.
 */
export function headOfSourcePage(page: string): {
  crumbs: string
  title: string
  description: string
  language: string
} {
  const [, description = ''] = /<meta name="description" content="([^"]*)"/.exec(page) ?? []
  // As text: the build scans source texts for the CSS classes that may be filled into a page.
  const from = page.indexOf('<nav class="crumbs"')
  const crumbs = from < 0 ? '' : page.slice(from, page.indexOf('</nav>', from) + '</nav>'.length)
  const [, language = '', title = ''] = /<h1((?: (?:lang|dir)="[\w-]*")*)>([^<]*)<\/h1>/.exec(page) ?? []
  return { crumbs, title, description, language }
}

/** The title of a figure on a stored page, by its name in URLs; null where the page has none with this name. */
export function figureTitle(page: string, name: string): string | null {
  const at = page.indexOf(` data-figure="${name}"`)
  const [, title] =
    at < 0 ? [] : (/<figcaption[^>]*><(?:h2|h3|span)[^>]*>([^<]*)</.exec(page.slice(at)) ?? [])
  return title === undefined ? null : unescapeText(title)
}
