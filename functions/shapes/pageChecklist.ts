import type { ContentKind } from './content.ts'
import { blockKinds, textOf } from './block/index.ts'

/** One thing to look at before a page is published. */
export interface Finding {
  /** The block it is about; null: the page. */
  contentId: string | null
  message: string
  /** Whether the page cannot be published before it is mended. */
  isBlocking: boolean
}

/** A part of a page, as far as it is looked at. */
export interface CheckedBlock {
  id: string
  kind: ContentKind
  settings: Record<string, unknown>
}

/**
 * What of a page some of its readers could not take in: pictures without alt texts (these keep it from being published),
 * headings that leave a level out, links that do not say where they lead, embeds and videos without a name. In the order of
 * the page.
 */
export function checklist(
  page: { title: string; description: string },
  blocks: readonly CheckedBlock[],
): Finding[] {
  const findings: Finding[] = []
  if (!page.description.trim())
    findings.push({
      contentId: null,
      message: 'Say in one sentence what the page says: lists, search and shared links show it.',
      isBlocking: false,
    })
  if (!blocks.length)
    findings.push({ contentId: null, message: 'There is nothing on the page yet.', isBlocking: true })
  let level = 1
  blocks.forEach(({ id, kind, settings }, i) => {
    const { name, holdsHtml, lacks } = blockKinds[kind]
    const add = (message: string, isBlocking = false) =>
      findings.push({ contentId: id, message: `${name}, block ${i + 1}: ${message}`, isBlocking })
    for (const { message, isBlocking } of lacks(settings)) add(message, isBlocking)
    if (!holdsHtml) return
    const html = textOf(settings, 'html')
    for (const [, digit] of html.matchAll(/<h([2-4])\b/g)) {
      const next = Number(digit)
      if (next > level + 1) add('a heading leaves a level out.')
      level = next
    }
    for (const [, words = ''] of html.matchAll(/<a\b[^>]*>([\s\S]*?)<\/a>/g))
      if (isEmptyTalk(words)) add(`the link “${plain(words)}” does not say where it leads.`)
    for (const [tag] of html.matchAll(/<img\b[^>]*>/g))
      if (!/\balt=/.test(tag)) add('a picture in the text has no alt text.', true)
  })
  return findings
}

const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const isEmptyTalk = (html: string) => /^(here|click here|link|this|more|read more|)$/i.test(plain(html))
