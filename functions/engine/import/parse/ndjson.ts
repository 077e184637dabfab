import { UnreadableError, type Batch, type Cursor } from '../row.ts'
import { jsonRow } from './json-value.ts'
import type { ParsedSource } from './reading.ts'
import { RecordScanner } from './records.ts'
import { batches, Sink } from './sink.ts'
import { openText } from './text.ts'

/** The notice about integers that are kept as texts. */
export const keptNumbers = 'Whole numbers beyond 2^53 are kept as texts: as numbers they would change.'

/** Reads JSON values, one a line. Blank lines are skipped. Resumes from the byte of a cursor. */
export function readNdjson(reading: ParsedSource): AsyncGenerator<Batch> {
  let scanner: RecordScanner | undefined
  let encoding = ''
  const cursor = (): Omit<Cursor, 'rows'> => {
    const byte = scanner?.byte ?? null
    return byte === null ? { byte } : { byte, state: { encoding, line: scanner?.lineNext } }
  }
  const sink = new Sink(reading, cursor)
  const { caps, from } = reading

  async function* steps() {
    const resumed = from && from.byte !== null ? from : undefined
    const { encoding: before, line = 1 } = resumed?.state ?? {}
    if ((resumed && typeof before !== 'string') || typeof line !== 'number')
      throw new UnreadableError('The place to go on from is not one that this parser gave.')
    const open = await openText(reading, sink, typeof before === 'string' ? before : undefined)
    encoding = open.encoding
    const lines = { cell: caps.row, record: caps.row }
    const options = { delimiter: null, encoding, caps: lines, line, byte: resumed?.byte ?? open.bom }
    scanner = new RecordScanner(options)
    for await (const piece of open.pieces) {
      scanner.push(piece)
      addRows(scanner)
      yield
    }
    scanner.finish()
    addRows(scanner)
  }

  function addRows(lines: RecordScanner) {
    while (lines.next()) {
      const { line, fault } = lines
      const text = lines.cells[0] ?? ''
      if (fault) sink.reject({ field: null, message: fault.message, value: text }, { line })
      else if (text.trim()) {
        const row = jsonRow(text, caps)
        if (row.fault) sink.reject(row.fault, { line })
        else {
          if (row.kept) sink.notice('warn', keptNumbers)
          sink.row(row.value, { line })
        }
      }
    }
  }
  return batches(sink, steps())
}
