import { escapeHtml, unescapeText } from '#functions/shapes/htmlText.ts'
import { localePath, type HubLanguages, type Locale } from '#functions/engine/address/locales.ts'

/**
 * The stored pages that are filled when they are requested, one of each a language: of a source its table and records, and its guide,
 * versions and report form. Two, for a page carries the styles of what may be filled in.
 */
export const filledPages = { records: '/?filled=records', guide: '/?filled=guide' } as const

/** Which of the pages that are filled later an address names; null for others. */
export function filledPage({ pathname, searchParams }: URL): keyof typeof filledPages | null {
  const name = pathname === '/' ? searchParams.get('filled') : null
  return name === 'records' || name === 'guide' ? name : null
}

/** Stands in such a page where a table, and what is said of it, goes. Texts that React leaves as they are. */
export const recordSlots = {
  title: '[[title]]',
  description: '[[description]]',
  robots: '[[robots]]',
  /** The way to the page, its heading, and the table or record. */
  content: '[[content]]',
} as const

/** Stands where the path of what is shown goes, in a language. */
export const pathSlot = (locale: Locale) => `[[path ${locale}]]`

/** A stored page with its content put in. `html` is as it is; other texts are escaped here. */
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
 * What a page of a source says of where it is and how it is called: its way, as HTML, and its title and description, as text of HTML.
 * `language`: attributes of what is not in the language of the page; '' where it is.
 */
export function headOfSourcePage(page: string): {
  crumbs: string
  title: string
  description: string
  language: string
} {
  const [, description = ''] = /<meta name="description" content="([^"]*)"/.exec(page) ?? []
  // As text: the build reads from texts which classes may be filled into a page.
  const from = page.indexOf('<nav class="crumbs"')
  const crumbs = from < 0 ? '' : page.slice(from, page.indexOf('</nav>', from) + '</nav>'.length)
  const [, language = '', title = ''] = /<h1((?: (?:lang|dir)="[\w-]*")*)>([^<]*)<\/h1>/.exec(page) ?? []
  return { crumbs, title, description, language }
}

/** The title of a figure on a stored page, by the name that addresses call it by; null where the page has none of this name. */
export function figureTitle(page: string, name: string): string | null {
  const at = page.indexOf(` data-figure="${name}"`)
  const [, title] =
    at < 0 ? [] : (/<figcaption[^>]*><(?:h2|h3|span)[^>]*>([^<]*)</.exec(page.slice(at)) ?? [])
  return title === undefined ? null : unescapeText(title)
}
