import { cleanHtml } from '#functions/domain/page/html.ts'
import { figureReferencesIn } from '#functions/shapes/figure-reference.ts'
import { unescapeText } from '#functions/shapes/html-text.ts'
import type { TextSlot } from '#functions/shapes/translatable.ts'

/** The text to store of a submitted one, or why it is rejected. */
interface TextCheckResult {
  text: string
  /** Why it is refused; null: it is not. */
  refusal: { message: string; validator: string } | null
  /** Notes for the writer: what was removed, and what the text lacks of the original. */
  notes: string[]
}

/** Characters that change the direction of everything after them; isolates end with their paragraph and do no harm. */
const overrides = /[\u202a-\u202e]/u
// Control characters except tabs and line breaks, which are valid in texts of several lines.
const controls = /[^\P{Cc}\t\n\r]/u
const lineBreaks = /[\n\r\t\p{Zl}\p{Zp}]/u
const tags = /<\/?[a-z!][^>]*>/i

/** Validates a text for a slot: sanitises HTML, rejects invalid content, and notes what it lacks of the original. */
export function checkText({ kind, most, original }: TextSlot, input: string): TextCheckResult {
  const plain = input.normalize('NFC').trim()
  const refuse = (message: string, validator: string): TextCheckResult => ({
    text: plain,
    refusal: { message, validator },
    notes: [],
  })
  if (plain === '') return refuse('Required.', 'required')
  if (overrides.test(plain))
    return refuse('Must be without characters that turn the direction of writing.', 'direction')
  if (controls.test(plain)) return refuse('Must be without control characters.', 'characters')
  if (kind === 'line' && lineBreaks.test(plain)) return refuse('Must be one line.', 'line')
  if (kind !== 'rich' && tags.test(plain) && !tags.test(original))
    return refuse('Must be without HTML: this text is shown as it is written.', 'plain')
  const text = kind === 'rich' ? cleanHtml(plain) : plain
  if (text === '') return refuse('Nothing is left of this HTML that may be shown.', 'html')
  if (text.length > most) return refuse(`Must be at most ${most} characters.`, 'maxLength')
  const notes = kind === 'rich' ? notesOn(original, plain, text) : []
  return { text, refusal: null, notes }
}

function notesOn(original: string, input: string, text: string): string[] {
  const hasLoss = listElements(input).length > listElements(text).length || hasScript(input)
  const links = listLinks(original).filter((link) => !listLinks(text).includes(link))
  const figures = figureReferencesIn(original).filter((figure) => !figureReferencesIn(text).includes(figure))
  return [
    ...(hasLoss ? ['Unsafe HTML was taken out.'] : []),
    ...links.map((link) => `The original has a link to ${link}, this has none.`),
    ...(figures.length > 0 ? [`${figures.length} of the original’s live figures are not in it.`] : []),
  ]
}

const listElements = (html: string) => [...html.matchAll(/<[a-z][^>]*>/gi)]
const hasScript = (html: string) => /\son[a-z]+\s*=|javascript:|\sstyle\s*=/i.test(html)
const listLinks = (html: string) =>
  [...html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].map(([, href = '']) => unescapeText(href))
