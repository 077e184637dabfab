/** The elements that the server's sanitiser allows in text from the editor. */
const storedTags: ReadonlySet<string> = new Set(
  'p h2 h3 h4 ul ol li blockquote strong b em i u s a br code pre hr'.split(' '),
)

/**
 * Normalizes formatted text to the elements people write, with only the targets of links as attributes. Renders stored text without
 * trusting it, and tells whether the sanitised text of the server equals what was submitted.
 */
export function normalizeHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return serializeChildren(body)
}

function serializeChildren(parent: Node): string {
  return [...parent.childNodes]
    .map((node) => {
      if (node.nodeType === 3) return escape(node.textContent ?? '')
      if (!(node instanceof Element) || /^(?:script|style|template)$/i.test(node.tagName)) return ''
      const name = node.tagName.toLowerCase()
      const inside = serializeChildren(node)
      if (!storedTags.has(name)) return inside
      const href = name === 'a' ? (node.getAttribute('href') ?? '') : ''
      const leads = /^(?:https?:|mailto:|tel:|\/(?!\/)|#)/i.test(href) ? ` href="${escape(href)}"` : ''
      return name === 'br' || name === 'hr' ? `<${name}>` : `<${name}${leads}>${inside}</${name}>`
    })
    .join('')
}

const escape = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

/** Whether two texts are equal to a reader. */
export function isSameText(a: string, b: string): boolean {
  if (a === b) return true
  if (!a.includes('<') && !b.includes('<')) return a.trim() === b.trim()
  return normalizeHtml(a) === normalizeHtml(b)
}
