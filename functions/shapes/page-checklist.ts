import type { ContentKind } from './content.ts'
import { blockKinds, getSettingText } from './block/index.ts'
import { stripTags } from './html-text.ts'

/** A finding of the check before publishing. */
export interface Finding {
  /** The content it is about; null: the page. */
  contentId: string | null
  message: string
  /** Whether it prevents publishing. */
  isBlocking: boolean
}

/** The checked members of a content. */
export interface CheckedBlock {
  id: string
  kind: ContentKind
  settings: Record<string, unknown>
}

/**
 * Accessibility problems of a page, in order: pictures without alternative texts (which prevent publishing), skipped heading levels,
 * links without a meaningful text, embeds and videos without a name.
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
    const html = getSettingText(settings, 'html')
    for (const [, digit] of html.matchAll(/<h([2-4])\b/g)) {
      const next = Number(digit)
      if (next > level + 1) add('a heading leaves a level out.')
      level = next
    }
    for (const [, words = ''] of html.matchAll(/<a\b[^>]*>([\s\S]*?)<\/a>/g))
      if (isEmptyTalk(words)) add(`the link “${stripTags(words)}” does not say where it leads.`)
    for (const [tag] of html.matchAll(/<img\b[^>]*>/g))
      if (!/\balt=/.test(tag)) add('a picture in the text has no alt text.', true)
  })
  return findings
}

const isEmptyTalk = (html: string) => /^(here|click here|link|this|more|read more|)$/i.test(stripTags(html))
