import sanitize from 'sanitize-html'
import { parseFigureReference } from '#functions/shapes/figureReference.ts'

/** What a story's text may be made of: structure and emphasis, links and tables. No script, no style, no frame. */
const allowed: sanitize.IOptions = {
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
  // A first-level heading is the page's title.
  transformTags: {
    h1: 'h2',
    // The only ones with a meaning here: figures that are read from an insight.
    data: (_name, attribs) =>
      parseFigureReference(attribs.value ?? '')
        ? { tagName: 'data', attribs }
        : { tagName: 'span', attribs: {} },
  },
}

/** HTML of which only what a story may be made of is left; its text stays. */
export function cleanHtml(html: string): string {
  const clean = sanitize(html, allowed)
  if (!clean.includes('<data')) return clean
  // A figure is a text: other elements within it would go with the text when it is replaced.
  const plain = clean.replace(
    /(<data value="[^"]*">)([\s\S]*?)(<\/data>)/g,
    (_element, open: string, within: string, close: string) => open + within.replace(/<[^>]*>/g, '') + close,
  )
  return sanitize(plain, allowed)
}
