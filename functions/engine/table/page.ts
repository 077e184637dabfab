import { escapeHtml } from '#functions/shapes/htmlText.ts'
import { localePath, type HubLanguages, type Locale } from '#functions/engine/address/locales.ts'

/** The stored page that tables of records are put into; there is one a language. */
export const recordsPath = '/?records'

/** Stands in that page where a table, and what is said of it, goes. Texts that React leaves as they are. */
export const recordSlots = {
  title: '[[title]]',
  robots: '[[robots]]',
  /** The way to the page, its heading, and the table or record. */
  content: '[[content]]',
} as const

/** Stands where the path of what is shown goes, in a language. */
export const pathSlot = (locale: Locale) => `[[path ${locale}]]`

/** The stored page of tables with one put in. `html` is as it is; other texts are escaped here. */
export function fillRecordsPage(
  shell: string,
  {
    title,
    isIndexed,
    html,
    path,
    search,
    languages,
  }: {
    title: string
    isIndexed: boolean
    html: string
    /** Without a language. */ path: string
    search: string
    /** Those of the hub, its own first. */
    languages: HubLanguages
  },
): string {
  const robots = isIndexed ? 'all' : 'noindex, nofollow'
  const fill: Record<string, string> = { title: escapeHtml(title), robots, content: html }
  for (const code of languages) fill[`path ${code}`] = escapeHtml(localePath(code, path, languages) + search)
  return shell.replace(
    /\[\[(title|robots|content|path [a-z-]+)\]\]/g,
    (all, name: string) => fill[name] ?? all,
  )
}

/** Whether a page of a source offers its records as shapes: then each has a place on a map. */
export const offersShapes = (page: string): boolean => page.includes('/export.geojson"')

/**
 * What a page of a source says of where it is and how it is called: its way, as HTML, and its title, as text of HTML. `language`: attributes
 * of what is not in the language of the page; '' where it is.
 */
export function headOfSourcePage(page: string): { crumbs: string; title: string; language: string } {
  const crumbs = /<nav class="crumbs"[\s\S]*?<\/nav>/.exec(page)?.[0] ?? ''
  const [, language = '', title = ''] = /<h1((?: (?:lang|dir)="[\w-]*")*)>([^<]*)<\/h1>/.exec(page) ?? []
  return { crumbs, title, language }
}
