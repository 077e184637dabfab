import { UnreadableError, type Batch } from '../row.ts'
import { formatByteCount } from './caps.ts'
import { badText } from './decode.ts'
import { JsonScanner, type CapturedValue } from './json-scan.ts'
import { JsonSearch } from './json-search.ts'
import { jsonRow, findTextPath } from './json-value.ts'
import { keptNumbers } from './ndjson.ts'
import { selectorsIn, type ParsedSource } from './reading.ts'
import { batches, Sink } from './sink.ts'
import { openText } from './text.ts'

/**
 * Reads the selected values of a JSON document, in the order in which they end; of a list of objects that is
 * selected without `*`, the objects. NothingSelectedError if the document has no list there, with the lists that
 * it has; an empty list is only reported.
 */
export function readJson(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  async function* steps() {
    const selectors = selectorsIn(reading.options)
    if (!selectors.length) throw new UnreadableError('Missing selector for JSON parser!')
    const search = new JsonSearch(selectors)
    const open = await openText(reading, sink)
    const scanner = new JsonScanner({
      ...{ selectors: search.steps, caps: reading.caps, takesMembers: true },
      ...search.places,
      onEmpty: (selector) => search.findEmpty(selector),
      onValue(captured) {
        if (search.find(captured)) scanner.stopTelling()
        addJson(captured, open.encoding, reading, sink)
      },
    })
    for await (const piece of open.pieces) {
      scanner.push(piece)
      if (search.isOver(piece.text.length)) scanner.stopTelling()
      yield
    }
    scanner.finish()
    const notice = search.end()
    if (notice) sink.notice('warn', notice)
  }
  return batches(sink, steps())
}

/** Adds a captured value to the sink, or its issue; `emit` gets the row of the value. */
export function addJson(
  { text, line, bad, isLong }: CapturedValue,
  encoding: string,
  { caps }: Pick<ParsedSource, 'caps'>,
  sink: Sink,
  emit: (value: unknown) => void = (value) => sink.row(value, { line }),
) {
  const at = { line }
  if (isLong)
    return sink.reject(
      { field: null, message: `The row is longer than ${formatByteCount(caps.row)}.`, value: text },
      at,
    )
  const row = jsonRow(text, caps)
  if (row.fault) return sink.reject(row.fault, at)
  if (bad) {
    const mark = text.charAt(text.search(/[\ufffd\x81\x8d\x8f\x90\x9d]/))
    const match = findTextPath(row.value, (inner) => inner.includes(mark))
    const message = badText(bad, encoding)
    return sink.reject({ field: match?.path ?? null, message, value: match?.text ?? text }, at)
  }
  if (row.kept) sink.notice('warn', keptNumbers)
  emit(row.value)
}
