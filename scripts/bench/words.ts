import { Parser } from 'htmlparser2'

/** A block of a page as given to another site generator: its words, and pictures unchanged. */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'row'; cells: string[] }
  | { kind: 'picture'; svg: string }

/** The content of a page without its layout. */
export interface Words {
  /** Without a slash at its start or end; unique per document. */
  path: string
  locale: string
  title: string
  blocks: Block[]
}

const paragraphs = new Set(['p', 'li', 'dt', 'dd', 'figcaption', 'summary', 'label'])
const cellNames = new Set(['td', 'th'])

/**
 * Extracts the words of a stored page: its title, and from its main part the headings, paragraphs, table rows
 * and drawings, in the order of the page. Everything outside of these (buttons, bare links) is left out.
 */
export function extractWords(html: string, path: string, locale: string): Words {
  const blocks: Block[] = []
  let title = ''
  let text: string | null = null
  let row: string[] | null = null
  let mains = 0
  let pictures = 0
  let pictureAt = 0
  let isTitle = false
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === 'title' && pictures === 0) isTitle = true
        if (name === 'main') mains += 1
        if (mains === 0) return
        if (name === 'svg' && pictures++ === 0) pictureAt = parser.startIndex
        if (pictures > 0) return
        if (name === 'tr') row = []
        else if (isTextElement(name)) text = ''
      },
      ontext(chunkText) {
        if (isTitle) title += chunkText
        else if (pictures === 0 && text !== null) text += chunkText
      },
      onclosetag(name) {
        if (name === 'title') isTitle = false
        if (name === 'main') mains -= 1
        if (name === 'svg' && pictures > 0 && --pictures === 0)
          blocks.push({ kind: 'picture', svg: html.slice(pictureAt, parser.endIndex + 1) })
        if (mains === 0 || pictures > 0) return
        if (name === 'tr' && row) {
          blocks.push({ kind: 'row', cells: row })
          row = null
        }
        if (!isTextElement(name) || text === null) return
        const sentence = text.replace(/\s+/g, ' ').trim()
        text = null
        if (cellNames.has(name)) row?.push(sentence)
        else if (sentence && paragraphs.has(name)) blocks.push({ kind: 'paragraph', text: sentence })
        else if (sentence) blocks.push({ kind: 'heading', level: Number(name[1]), text: sentence })
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return { path, locale, title: title.trim(), blocks }
}

const isTextElement = (name: string) => paragraphs.has(name) || cellNames.has(name) || /^h[1-6]$/.test(name)
