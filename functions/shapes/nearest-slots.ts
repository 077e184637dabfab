import { escapeHtml } from './htmlText.ts'

/** Stands in the stored page of addresses that lead nowhere: the list of pages, and the words to search for. */
export const nearestSlots = { pages: '[[nearest]]', words: '[[words]]' } as const

/** That page with its places filled. Every text is escaped here; without pages their list stays hidden. */
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
