import { refuse } from './refuse.ts'

/** Forbidden contents of a drawing: scripts, embedded web pages, and means to hide either. */
const acting: readonly RegExp[] = [
  /<\s*(?:[\w-]+:)?(?:script|foreignobject|iframe|object|embed|handler|listener|audio|video|form|html|body|meta|link|base)\b/i,
  /[\s"'/]on[a-z]+\s*=/i,
  /(?:java|vb|live)script:/i,
  /(?<![a-z])data:(?!image\/(?:png|jpe?g|gif|webp)[;,]|font\/|application\/(?:x-)?font)/i,
  /<!entity|<!attlist|<\?xml-stylesheet/i,
  /http:\/\/www\.w3\.org\/1999\/xhtml/i,
  /attributename\s*=\s*["']?\s*(?:[\w-]+:)?(?:href|on)/i,
]

/**
 * Rejects an SVG with active content: scripts, event handlers, foreign content, entities, animated links. The second
 * line of defence; the first is how files are served (sandboxed, without scripts, only as attachments).
 */
export function refuseActing(text: string): void {
  const encoding = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']+)/i.exec(text)?.[1]
  if (encoding && !/^(?:utf-?8|utf-?16|us-ascii|iso-8859-1|windows-1252)$/i.test(encoding))
    throw refuse('The drawing is in an encoding that is not known here.')
  // Character references and white space may hide a word: each form is checked.
  const plain = withoutReferences(text)
  const squeezed = plain.replace(/[\s\0]+/g, '')
  const isActing =
    acting.some((pattern) => pattern.test(text) || pattern.test(plain)) || /javascript:/i.test(squeezed)
  if (isActing) throw refuse('The drawing has scripts or links that act; save it as a plain drawing.')
}

function withoutReferences(text: string): string {
  return text
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_all, hex: string) => toCharacter(parseInt(hex, 16)))
    .replace(/&#(\d{1,7});?/g, (_all, digits: string) => toCharacter(Number(digits)))
    .replace(/&colon;/gi, ':')
    .replace(/&(?:tab|newline);/gi, ' ')
}

function toCharacter(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
