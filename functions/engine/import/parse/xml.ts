import { NothingSelectedError, UnreadableError, type Batch } from '../row.ts'
import { selectorsIn, type ParsedSource } from './reading.ts'
import { parseSelector } from './selector.ts'
import { batches, Sink } from './sink.ts'
import { openText } from './text.ts'
import { elementSteps, longRow, TreeBuilder } from './tree.ts'
import { declaredEncoding, XmlStream } from './xml-events.ts'

/**
 * Reads the selected elements of an XML document; by default each child of the root. A syntax error rejects
 * its row; with `strict` it ends the reading.
 */
export function readXml(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  const { caps, options } = reading

  async function* steps() {
    const open = await openText(reading, sink, undefined, declaredEncoding)
    const rows = getRowPaths(reading)
    let fault: { message: string; line: number } | null = null
    let depth = 0
    const builder = new TreeBuilder({
      rows,
      caps,
      onRow(value, line, isLong) {
        if (isLong) sink.reject({ field: null, message: longRow(caps) }, { line })
        else if (fault) {
          const message = `${fault.message} (line ${fault.line})`
          sink.reject({ field: null, message, value: JSON.stringify(value).slice(0, 200) }, { line })
        } else sink.row(value, { line })
        fault = null
      },
    })
    const stream = new XmlStream(
      {
        open(name, attributes, line) {
          depth++
          builder.open(name, attributes, line)
        },
        text: (text) => builder.text(text),
        close() {
          depth--
          builder.close()
        },
        fault(message, line) {
          if (options.strict || /unclosed tag|unmatched closing/.test(message))
            throw new UnreadableError(`${message} (line ${line})`)
          if (builder.rowLine !== null) fault ??= { message, line }
          else sink.notice('warn', `${message} (line ${line})`)
        },
      },
      caps,
      open.encoding,
    )
    for await (const piece of open.pieces) {
      stream.write(piece)
      yield
    }
    stream.end()
    if (depth) throw new UnreadableError('The document ends before its root is closed.')
    reportEmpty(reading, sink, builder)
  }
  return batches(sink, steps())
}

/** Returns the paths of elements that are rows, by the selectors of a reading. */
export function getRowPaths({ options }: Pick<ParsedSource, 'options'>): string[][] {
  const selectors = selectorsIn(options)
  return (selectors.length ? selectors : ['*.*']).map((selector) => elementSteps(parseSelector(selector)))
}

/**
 * Reports that the selectors found nothing. Throws NothingSelectedError, with the repeated elements, if not even
 * the parent of a row exists.
 */
export function reportEmpty({ options }: Pick<ParsedSource, 'options'>, sink: Sink, builder: TreeBuilder) {
  if (sink.count) return
  const selectors = selectorsIn(options).join(', ') || '*.*'
  const message = `The selector ${selectors} finds nothing in the document.`
  if (builder.isThereParent) return sink.notice('warn', message)
  const elements = builder.repeated.slice(0, 5).map(([path, count]) => `“${path}” (${count})`)
  throw new NothingSelectedError(
    elements.length ? `${message} It has elements at ${elements.join(', ')}.` : message,
  )
}
