import type { Site } from '#functions/context.ts'
import { getTextDirection } from '#functions/shapes/locale.ts'

/** Whether a page is a hub page in another language than the hub's own, in which its texts are written. */
export const isOther = (site: Site): boolean => site.mode === 'hub' && site.locale !== site.languages[0]

/**
 * The attributes that mark a text as being in the hub's own language: ` lang="en"`, and ` dir="ltr"` if the page has the other
 * direction. '' on pages in that language.
 */
export function languageAttributes(site: Site): string {
  if (site.mode !== 'hub' || !isOther(site)) return ''
  const [own] = site.languages
  const direction = getTextDirection(own)
  return ` lang="${own}"${direction === getTextDirection(site.locale) ? '' : ` dir="${direction}"`}`
}

/** Sanitised HTML with attributes on each of its outermost elements; text outside of elements is wrapped. */
export function markHtml(html: string, attributes: string): string {
  if (attributes === '') return html
  let depth = 0
  return html.replace(
    /<(\/?)([a-z][a-z0-9]*)([^>]*)>|[^<]+/g,
    (part, end: string | undefined, name?: string, rest = '') => {
      if (name === undefined)
        return depth === 0 && part.trim() !== '' ? `<span${attributes}>${part}</span>` : part
      if (end === '/') {
        depth -= 1
        return part
      }
      const isOutermost = depth === 0
      if (!isVoid.test(name)) depth += 1
      return isOutermost && !/\slang=/.test(rest) ? `<${name}${attributes}${rest}>` : part
    },
  )
}

const isVoid = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/

/** Elements whose text is not content of the page. */
const isClosed = /^(?:script|style|title|textarea|svg|template|noscript|code|pre)$/

/** The notice that a page is partly untranslated; removed if it is not. */
const line = /<p class="muted partly">[^<]*<\/p>/

/**
 * Marks each untranslated text of a hub page with its language: on the element that contains only this text, else on a span around it.
 * `untranslatedTexts`: those texts, trimmed. If none is on the page, the notice is removed.
 */
export function markLanguages(
  html: string,
  untranslatedTexts: readonly ReadonlySet<string>[],
  attributes: string,
): string {
  if (attributes === '') return html
  const body = html.indexOf('<body')
  const parts = html.slice(Math.max(body, 0)).match(/<!--[\s\S]*?-->|<[^>]*>|[^<]+/g) ?? []
  let within: string | null = null
  let hasMarks = false
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? ''
    if (part.startsWith('<')) {
      const [, end, name = ''] = /^<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/.exec(part) ?? []
      if (within === null && end === '' && isClosed.test(name) && !part.endsWith('/>')) within = name
      else if (end === '/' && name === within) within = null
      // HTML that was marked earlier.
      hasMarks ||= part.endsWith('>') && part.includes(attributes) && !/ hreflang=/i.test(part)
      continue
    }
    if (within !== null) continue
    const text = unescape(part.trim())
    if (text === '' || !untranslatedTexts.some((texts) => texts.has(text))) continue
    hasMarks = true
    const before = parts[at - 1] ?? ''
    const [, name] = /^<([a-zA-Z][a-zA-Z0-9-]*)/.exec(before) ?? []
    const isAlone = name !== undefined && parts[at + 1] === `</${name}>`
    if (!isAlone) parts[at] = `<span${attributes}>${part}</span>`
    else if (!/\slang=/.test(before)) parts[at - 1] = `<${name}${attributes}${before.slice(name.length + 1)}`
  }
  const whole = html.slice(0, Math.max(body, 0)) + parts.join('')
  return hasMarks ? whole : whole.replace(line, '')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" }

/** The text of the page before it was escaped by React or by us. */
const unescape = (text: string) =>
  text.includes('&')
    ? text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name: string) => entities[name] ?? '')
    : text
