/** One thing a hub's visitor can find. */
export interface Findable {
  kind: 'domain' | 'indicator' | 'story'
  title: string
  href: string
  /** More words to find it by; the part of them that is shown. */
  note: string
}

/** The path under which a hub's page of results is stored: no request's path has a question mark. */
export const searchPath = '/?search'

/** Stands in the stored page where what was asked and found goes. Texts that React leaves as they are. */
export const slots = { query: '[[query]]', count: '[[count]]', results: '[[results]]' } as const

const most = 200

/** What matches every word of a search, in any case and without accents, by title. Nothing for an empty text. */
export function search(index: Findable[], text: string): Findable[] {
  const words = plain(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found = index.filter(({ title, note }) => {
    const hay = plain(`${title} ${note}`)
    return words.every((word) => hay.includes(word))
  })
  return found
    .sort((a, b) => a.title.localeCompare(b.title, 'en') || a.href.localeCompare(b.href))
    .slice(0, most)
}

/** The stored page with the answer to a search put in. Every text is escaped here. */
export function fillResults(
  page: string,
  text: string,
  found: Findable[],
  kinds: Record<string, string>,
): string {
  const count = found.length === 0 ? 'No results!' : `${found.length.toLocaleString('en')} search results`
  const items = found.map(({ kind, title, href, note }) => {
    const more = note ? `<p class="muted">${escape(note)}</p>` : ''
    return `<li><span class="tag">${escape(kinds[kind] ?? kind)}</span><a href="${escape(href)}">${escape(title)}</a>${more}</li>`
  })
  return page
    .replaceAll(slots.query, () => escape(text))
    .replaceAll(slots.count, () => count)
    .replaceAll(`<li>${slots.results}</li>`, () => items.join(''))
}

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
