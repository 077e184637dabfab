import type { EdgeWords } from '#functions/shapes/language/edge.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { formatTag, type HubLanguages, type Locale } from '#functions/shapes/locale.ts'
import { plural } from '#functions/shapes/plural.ts'
import { localePath } from '#functions/engine/address/locales.ts'
import { searchKinds, type SearchResult, type SearchQuestion } from './index.ts'

/** Stands in the stored page where what was asked and found goes. Texts that React leaves as they are. */
export const slots = {
  query: '[[query]]',
  /** The query of the address: the same search in another language. */
  asked: '[[asked]]',
  count: '[[count]]',
  kinds: '[[kinds]]',
  domains: '[[domains]]',
  results: '[[results]]',
  pages: '[[pages]]',
} as const

/** Results on a page. */
export const pageSize = 50
/** Domains that a search is narrowed to by a link. */
const mostDomains = 12

/** The attribute of the stored page that has the address of the index. */
export const indexAttribute = 'data-search-index'

/** Which search a page of results is of: the question, which page of the results, and its language. */
export interface SearchShown extends SearchQuestion {
  page: number
  locale: Locale
  /** Those of the hub, its own first. */
  languages: HubLanguages
}

/** The question in the address of a page of results; null without one. What no kind has is no kind. */
export function questionIn(params: URLSearchParams): (SearchQuestion & { page: number }) | null {
  const text = params.get('search')?.trim().slice(0, 200)
  if (!text) return null
  const kind = searchKinds.find((each) => each === params.get('kind')) ?? null
  const domain = params.get('domain')?.slice(0, 64) || null
  const page = Number(/^\d{1,4}$/.exec(params.get('page') ?? '')?.[0] ?? 1)
  return { text, kind, domain, page: Math.max(1, page) }
}

/** What an attribute of the stored page says; null where it is missing. */
export function attributeOf(page: string, name: string): string | null {
  const text = new RegExp(`\\s${name}="([^"]*)"`).exec(page)?.[1]
  return text === undefined ? null : unescape(text)
}

/** The stored page with the answer to a search put in. Every text is escaped here. */
export function fillResults(page: string, shown: SearchShown, match: SearchResult): string {
  const { locale } = shown
  const texts = languages[locale].edge
  const { results, kinds, domains } = match
  const number = new Intl.NumberFormat(formatTag(locale))
  const pages = Math.max(1, Math.ceil(results.length / pageSize))
  const at = Math.min(shown.page, pages)
  const choice = (change: Partial<SearchShown>, name: string, count: number | null, isChosen: boolean) =>
    `<li><a href="${escape(addressOf({ ...shown, page: 1, ...change }))}"${isChosen ? ' aria-current="true"' : ''}>` +
    `${escape(name)}${count === null ? '' : ` <span class="count">${number.format(count)}</span>`}</a></li>`
  const ofKinds = searchKinds
    .filter((kind) => kinds[kind] > 0 || shown.kind === kind)
    .map((kind) => choice({ kind }, texts.kinds[kind], kinds[kind], shown.kind === kind))
  const ofDomains = domains
    .filter(({ id }, i) => i < mostDomains || id === shown.domain)
    .map(({ id, name, count }) => choice({ domain: id }, name, count, shown.domain === id))
  const items = results.slice((at - 1) * pageSize, at * pageSize).map(({ kind, title, href, note }) => {
    const more = note ? `<p class="muted">${escape(note)}</p>` : ''
    const tag = `<span class="tag">${escape(texts.kinds[kind])}</span>`
    return `<li>${tag}<a href="${escape(localePath(locale, href, shown.languages))}">${escape(title)}</a>${more}</li>`
  })
  const all = (change: Partial<SearchShown>, isChosen: boolean) =>
    choice(change, texts.search.all, null, isChosen)
  const fill: Record<keyof typeof slots, string> = {
    query: escape(shown.text),
    asked: escape(addressOf(shown).replace(/^[^?]*/, '')),
    count: escape(
      results.length === 0 ? texts.none : plural(texts.results, results.length, formatTag(locale)),
    ),
    // One thing to choose is no choice.
    kinds: ofKinds.length > 1 || shown.kind ? all({ kind: null }, !shown.kind) + ofKinds.join('') : '',
    domains:
      ofDomains.length > 1 || shown.domain ? all({ domain: null }, !shown.domain) + ofDomains.join('') : '',
    results: items.join(''),
    pages: pages === 1 ? '' : pagesOf(shown, texts, at, pages, number),
  }
  return page.replace(
    /<li>\[\[(kinds|domains|results|pages)\]\]<\/li>|\[\[(query|asked|count)\]\]/g,
    (_all, list: keyof typeof slots | undefined, word: keyof typeof slots | undefined) =>
      fill[list ?? word ?? 'query'],
  )
}

/** Links to the pages before and after one of several. */
function pagesOf(
  shown: SearchShown,
  { search }: EdgeWords,
  at: number,
  pages: number,
  number: Intl.NumberFormat,
) {
  const link = (page: number, rel: string, name: string) =>
    `<li><a rel="${rel}" href="${escape(addressOf({ ...shown, page }))}">${escape(name)}</a></li>`
  const text = search.page.replace('{n}', number.format(at)).replace('{of}', number.format(pages))
  return [
    ...(at > 1 ? [link(at - 1, 'prev', search.previous)] : []),
    `<li aria-current="page">${escape(text)}</li>`,
    ...(at < pages ? [link(at + 1, 'next', search.next)] : []),
  ].join('')
}

/** The address of a page of results. */
export function addressOf({ text, kind, domain, page, locale, languages }: SearchShown): string {
  const params = new URLSearchParams({ search: text })
  if (kind) params.set('kind', kind)
  if (domain) params.set('domain', domain)
  if (page > 1) params.set('page', String(page))
  return `${localePath(locale, '/', languages)}?${params.toString()}`
}

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" }
const unescape = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_all, name: string) => entities[name] ?? '')
