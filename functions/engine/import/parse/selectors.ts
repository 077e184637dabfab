import { Parser } from 'htmlparser2'
import { UnreadableError } from '../row.ts'
import { htmlDepth } from './html.ts'
import type { ParsedSource } from './reading.ts'
import { selectorText } from './selector.ts'
import { Sink } from './sink.ts'
import { openText } from './text.ts'
import { XmlStream } from './xml-events.ts'

/** The inspected characters of a document, and the maximum number of listed selectors. */
export const lookedAt = 4 * 1024 * 1024
const maxSelectors = 100

/**
 * Returns the paths to elements of XML and HTML with attributes or child elements, deepest first. Those of
 * repeated siblings end with `.*`. Unreadable if the source cannot be read.
 */
export async function elementSelectors(reading: ParsedSource): Promise<string[]> {
  const objects = new Set<string>()
  const many = new Set<string>()
  const path: string[] = []
  const children: Set<string>[] = []
  const isMany = () => many.has(selectorText(path))
  const open = (name: string, attributes: Record<string, string>) => {
    if (path.length && objects.size < maxSelectors) objects.add(selectorText(path))
    path.push(name)
    // With endless nesting each path would be as long as the document.
    if (path.length > htmlDepth)
      throw new UnreadableError(`The document is nested deeper than ${htmlDepth} levels.`)
    const siblings = children.at(-1)
    if (siblings?.has(name)) many.add(selectorText(path))
    siblings?.add(name)
    children.push(new Set())
    if (Object.keys(attributes).length && objects.size < maxSelectors && !isMany())
      objects.add(selectorText(path))
  }
  const close = () => {
    path.pop()
    children.pop()
  }
  const parser = new Parser({ onopentag: open, onclosetag: close })
  const stream = new XmlStream({ open, text() {}, close, fault() {} }, reading.caps, 'utf-8')
  await scanBeginning(
    reading,
    () => objects.size > 0,
    (text) => (reading.name === 'html' ? parser.write(text) : stream.write({ text, bad: [], ascii: true })),
  )
  return deepestFirst(objects).map((selector) => (many.has(selector) ? `${selector}.*` : selector))
}

/**
 * Scans the beginning of a document. A premature end is accepted once `isAny` is true; before that it is
 * Unreadable.
 */
export async function scanBeginning(
  reading: ParsedSource,
  isAny: () => boolean,
  scanText: (text: string) => void,
) {
  const { pieces } = await openText(reading, new Sink({ batchRows: 1 }))
  let size = 0
  try {
    for await (const { text } of pieces) {
      scanText(text)
      size += text.length
      if (size > lookedAt) break
    }
  } catch (error) {
    // What was found before a premature end is still valid.
    if (!(error instanceof UnreadableError) || !isAny()) throw error
  }
}

function deepestFirst(paths: Set<string>): string[] {
  const depth = (path: string) => path.split(/(?<!\\)\./).length
  return [...paths].sort((a, b) => depth(b) - depth(a))
}
