import { Parser } from 'htmlparser2'
import { Unreadable } from '../row.ts'
import { htmlDepth } from './html.ts'
import type { ParsedSource } from './reading.ts'
import { selectorText } from './selector.ts'
import { Sink } from './sink.ts'
import { openText } from './text.ts'
import { XmlStream } from './xmlEvents.ts'

/** Selectors are looked for in so many characters of a document, and no more than so many are listed. */
export const lookedAt = 4 * 1024 * 1024
const mostSelectors = 100

/**
 * The paths of XML and HTML that lead to elements which are objects, with attributes or elements in them, deepest first. Those that
 * stand side by side end with `.*`. Unreadable when the source cannot be read.
 */
export async function elementSelectors(reading: ParsedSource): Promise<string[]> {
  const objects = new Set<string>()
  const many = new Set<string>()
  const path: string[] = []
  const children: Set<string>[] = []
  const isMany = () => many.has(selectorText(path))
  const open = (name: string, attributes: Record<string, string>) => {
    if (path.length && objects.size < mostSelectors) objects.add(selectorText(path))
    path.push(name)
    // The paths of a document that nests for ever are as long as it, each.
    if (path.length > htmlDepth)
      throw new Unreadable(`The document is nested deeper than ${htmlDepth} levels.`)
    const siblings = children.at(-1)
    if (siblings?.has(name)) many.add(selectorText(path))
    siblings?.add(name)
    children.push(new Set())
    if (Object.keys(attributes).length && objects.size < mostSelectors && !isMany())
      objects.add(selectorText(path))
  }
  const close = () => {
    path.pop()
    children.pop()
  }
  const parser = new Parser({ onopentag: open, onclosetag: close })
  const stream = new XmlStream({ open, text() {}, close, fault() {} }, reading.caps, 'utf-8')
  await lookThrough(
    reading,
    () => objects.size > 0,
    (text) => (reading.name === 'html' ? parser.write(text) : stream.write({ text, bad: [], ascii: true })),
  )
  return deepestFirst(objects).map((selector) => (many.has(selector) ? `${selector}.*` : selector))
}

/** Looks through the beginning of a document. One that breaks off behind `isAny` is no fault: Unreadable before that. */
export async function lookThrough(reading: ParsedSource, isAny: () => boolean, look: (text: string) => void) {
  const { pieces } = await openText(reading, new Sink({ batchRows: 1 }))
  let size = 0
  try {
    for await (const { text } of pieces) {
      look(text)
      size += text.length
      if (size > lookedAt) break
    }
  } catch (error) {
    // What was found before a document breaks off is still what it has.
    if (!(error instanceof Unreadable) || !isAny()) throw error
  }
}

function deepestFirst(paths: Set<string>): string[] {
  const depth = (path: string) => path.split(/(?<!\\)\./).length
  return [...paths].sort((a, b) => depth(b) - depth(a))
}
