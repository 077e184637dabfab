import { Parser } from 'htmlparser2'
import type { Batch } from '../row.ts'
import { badText } from './decode.ts'
import type { ParsedSource } from './reading.ts'
import { batches, Sink } from './sink.ts'
import { openText } from './text.ts'
import { longRow, TreeBuilder } from './tree.ts'
import { readXml, getRowPaths, reportEmpty } from './xml.ts'

/** Pages nest deeper than data does. */
export const htmlDepth = 500

/** Reads the selected elements of a page, as leniently as browsers; with `strict` as XML. */
export function readHtml(reading: ParsedSource): AsyncGenerator<Batch> {
  if (reading.options.strict) return readXml(reading)
  const sink = new Sink(reading)

  async function* steps() {
    const { encoding, pieces } = await openText(reading, sink, undefined, declaredEncoding)
    const caps = { ...reading.caps, depth: htmlDepth }
    let line = 1
    let bad: string | null = null
    const builder = new TreeBuilder({
      rows: getRowPaths(reading),
      caps,
      onRow(value, from, isLong) {
        const message = isLong ? longRow(caps) : bad
        if (message) sink.reject({ field: null, message, value: JSON.stringify(value) }, { line: from })
        else sink.row(value, { line: from })
        bad = null
      },
    })
    // The line of the parser's position, which may be one text ahead of the tag.
    const parser = new Parser({
      onopentag: (name, attributes) => builder.open(name, attributes, line),
      ontext: (text) => builder.text(text),
      onclosetag: () => builder.close(),
    })
    const write = (text: string) => {
      for (const part of text.split(/(?<=\n)/)) {
        parser.write(part)
        if (part.endsWith('\n')) line++
      }
    }
    for await (const { text, bad: places } of pieces) {
      let from = 0
      for (const place of places) {
        write(text.slice(from, place.at))
        if (builder.rowLine !== null) bad ??= badText(place, encoding)
        from = place.at
      }
      write(text.slice(from))
      yield
    }
    parser.end()
    reportEmpty(reading, sink, builder)
  }
  return batches(sink, steps())
}

/** Returns the encoding that a page declares in its head. */
function declaredEncoding(head: Uint8Array): string | undefined {
  const start = String.fromCharCode(...head.subarray(0, 1024))
  return /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1]
}
