import { escapeHtml } from './html-text.ts'

/** Placeholders in the stored 404 page: the list of similar pages, and the words to search for. */
export const nearestSlots = { pages: '[[nearest]]', words: '[[words]]' } as const

/** Fills the 404 page. Escapes all text; without pages the list stays hidden. */
export function fillNotFound(
  page: string,
  { words, pages }: { words: string; pages: readonly { title: string; href: string }[] },
): string {
  const items = pages.map(
    ({ title, href }) => `<li><a href="${escapeHtml(href)}">${escapeHtml(title)}</a></li>`,
  )
  const list = /<li><a href="[^"]*">\[\[nearest\]\]<\/a><\/li>/
  const markup =
    pages.length > 0
      ? page
          .replace(list, () => items.join(''))
          .replace(/(<section [^>]*data-nearest="")\s+hidden(?:="")?/, '$1')
      : page.replace(list, '')
  return markup.replace(nearestSlots.words, () => escapeHtml(words))
}
