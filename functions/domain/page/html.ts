import sanitize from 'sanitize-html'
import { parseFigureReference } from '#functions/shapes/figure-reference.ts'

/** The HTML allowed in a story: structure and emphasis, links and tables. No scripts, styles or frames. */
const sanitizeOptions: sanitize.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'p', 'br', 'hr', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code'],
    ...['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'mark', 'abbr', 'a', 'span', 'data'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'figure', 'figcaption', 'img'],
  ],
  allowedAttributes: {
    a: ['href', 'title'],
    abbr: ['title'],
    data: ['value'],
    img: ['src', 'alt', 'width', 'height'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
    '*': ['lang', 'dir'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  // Only the page's title is a first-level heading.
  transformTags: {
    h1: 'h2',
    // Only for figures that are read from an insight.
    data: (_name, attribs) =>
      parseFigureReference(attribs.value ?? '')
        ? { tagName: 'data', attribs }
        : { tagName: 'span', attribs: {} },
  },
}

/** Removes all markup that stories may not have; the text of removed elements stays. */
export function cleanHtml(html: string): string {
  const clean = sanitize(html, sanitizeOptions)
  if (!clean.includes('<data')) return clean
  // A figure's content is replaced by text, so elements within it would disappear.
  const plain = clean.replace(
    /(<data value="[^"]*">)([\s\S]*?)(<\/data>)/g,
    (_element, open: string, within: string, close: string) => open + within.replace(/<[^>]*>/g, '') + close,
  )
  return sanitize(plain, sanitizeOptions)
}
