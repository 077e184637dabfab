import { UnreadableError, type Batch, type Cursor } from '../row.ts'
import { getCharacterWidth } from './decode.ts'
import { chooseDelimiter } from './delimiter.ts'
import { joinHead } from './find-head.ts'
import { keyByHeader, doubtHeader, buildColumnNames } from './header.ts'
import { RowFilter, type RowFilterState } from './left-out.ts'
import type { ParsedSource } from './reading.ts'
import { RecordScanner } from './records.ts'
import { batches, Sink, type Fault } from './sink.ts'
import { openText, type OpenText } from './text.ts'

/** The state for resuming in the middle of a table. */
interface TableState {
  encoding: string
  delimiter: string
  isTrailing: boolean
  header: string[]
  line: number
  suspect: number
  /** There are comments before the header: only then are they allowed after it, where a # may also begin a cell. */
  hasComments: boolean
  /** The state of the row filter, if rows are left out. */
  leftOut?: RowFilterState
}

/** Reads CSV: rows are objects of text by header. Resumes from the byte of a cursor. */
export const readCsv = (reading: ParsedSource): AsyncGenerator<Batch> => new TableReader(reading).batches()

/** Reads CSV that is separated by tabs. */
export const readTsv = (reading: ParsedSource): AsyncGenerator<Batch> =>
  new TableReader(reading, '\t').batches()

class TableReader {
  private sink: Sink
  private scanner: RecordScanner | undefined
  private state: TableState | undefined
  private trailing = false
  private hasComments = false
  /** The rows of the head that were read so far. */
  private head: string[][] = []
  /** The line of a header that begins with #; null: there is none. */
  private hashLine: number | null = null
  /** The row filter; null if no rows are left out. */
  private filter: RowFilter | null = null
  /**
   * The end of the row that is emitted now, if the filter had delayed it; null: it is the last scanned
   * record.
   */
  private at: Omit<Cursor, 'rows'> | null = null

  constructor(
    private reading: ParsedSource,
    private only?: string,
  ) {
    this.sink = new Sink(reading, () => this.cursor())
  }

  batches() {
    return batches(this.sink, this.steps())
  }

  private cursor(): Omit<Cursor, 'rows'> {
    const at = this.at ?? this.place()
    return this.filter && at.state ? { ...at, state: { ...at.state, leftOut: this.filter.toState() } } : at
  }

  /** The position after the last scanned record. */
  private place(): Omit<Cursor, 'rows'> {
    const byte = this.state && this.scanner ? this.scanner.byte : null
    const suspect = this.scanner?.suspect ?? 0
    return byte === null
      ? { byte }
      : {
          byte,
          state: { ...this.state, suspect, line: this.scanner?.lineNext ?? 1 } satisfies Partial<TableState>,
        }
  }

  private async *steps() {
    const { reading, sink } = this
    const state = restoreState(reading.from)
    const open = await openText(reading, sink, state?.encoding)
    const start = state ? { delimiter: state.delimiter, skip: 0 } : this.decide(open)
    this.state = state
    if (state) this.beginRows(state)
    const scanner = new RecordScanner({
      delimiter: start.delimiter,
      encoding: open.encoding,
      caps: reading.caps,
      line: state?.line ?? 1,
      byte: reading.from?.byte ?? open.bom,
      suspect: state?.suspect ?? 0,
    })
    if (state) scanner.mayComment = state.hasComments
    this.scanner = scanner
    let isFirst = start.skip > 0
    const processRecords = () => {
      for (;;) {
        if (!this.state) scanner.mayComment = scanner.lineNext !== this.hashLine
        if (!scanner.next()) return
        if (isFirst) isFirst = false
        else this.processRecord(scanner, open.encoding)
      }
    }
    try {
      for await (const piece of open.pieces) {
        scanner.push(piece)
        processRecords()
        yield
      }
      scanner.finish()
      processRecords()
    } catch (error) {
      this.filter?.release()
      throw error
    }
    this.filter?.end(sink)
    this.at = null
    if (!this.state) throw new UnreadableError('The table has no header: only blank lines and comments.')
    if (!sink.count) sink.notice('warn', 'The table has a header and no rows.')
  }

  private decide({ head, isWhole }: OpenText) {
    // The line `sep=` of Excel, which names the delimiter of a file.
    const separator = /^sep=(.)\r?\n/i.exec(head)?.[1]
    const [first = 1] = this.reading.options.headerRows ?? []
    const skipped = Math.max(separator ? 1 : 0, first - 1)
    const text = removeFirstLines(head, skipped)
    const only = this.only ?? separator
    const skip = separator ? 1 : 0
    const choice = chooseDelimiter(text, isWhole, this.reading.caps, { only, line: 1 + skipped })
    const delimiter = only ?? choice.delimiter
    this.trailing = choice.isTrailing
    this.hashLine = choice.hash.line
    if (separator)
      this.sink.notice('info', `Columns are separated by "${delimiter}": the first line says so.`)
    else this.sink.notice(this.only && choice.columns === 1 ? 'warn' : 'info', choice.evidence)
    if (choice.isTrailing)
      this.sink.notice(
        'warn',
        'Each row ends with a delimiter that the header does not have: it is left out.',
      )
    const { notice: value } = choice.hash
    if (value) this.sink.notice(value.level, value.message)
    return { delimiter, skip }
  }

  private processRecord(scanner: RecordScanner, encoding: string) {
    const { sink, state } = this
    const { cells, line, fault } = scanner
    if (!fault && scanner.isComment) {
      if (!this.hasComments)
        sink.notice('info', `Line ${line} begins with # and is left out, as are all such lines.`)
      this.hasComments = true
      return
    }
    if (!fault && cells.length === 1 && (cells[0] ?? '').trim() === '') return
    if (!state) {
      const [first, last] = this.reading.options.headerRows ?? [line, line]
      if (line < first) {
        const message = `Rows before row ${first} are left out: the header begins there, as was said.`
        return sink.notice('info', message)
      }
      if (fault) throw new UnreadableError(`The header in line ${line} cannot be read: ${fault.message}`)
      this.head.push(cells)
      if (line < last && scanner.lineNext <= last) return
      const names = this.head.length > 1 ? joinHead(this.head) : cells
      const header = buildColumnNames(names, sink, this.reading.caps.columns)
      doubtHeader(header, sink)
      const delimiter = scanner.delimiter
      const { hasComments } = this
      scanner.mayComment = hasComments
      this.state = { encoding, delimiter, isTrailing: this.trailing, header, line, suspect: 0, hasComments }
      return this.beginRows(this.state)
    }
    this.addRow(scanner, state)
  }

  private beginRows({ header, leftOut }: TableState) {
    const { options } = this.reading
    if (options.leaveOut) this.filter = new RowFilter(options, header.length, leftOut)
  }

  private addRow(scanner: RecordScanner, state: TableState) {
    const { sink, filter } = this
    const { cells, line, fault } = scanner
    const { header } = state
    const { length } = header
    if (fault) {
      filter?.release()
      this.at = null
      const field = fault.cell === null ? null : (header[fault.cell] ?? `column_${fault.cell + 1}`)
      const { message, value } = fault
      return sink.reject({ field, message, ...(value !== undefined && { value }) }, { line })
    }
    const isWhole =
      cells.length === length || (state.isTrailing && cells.length === length + 1 && cells[length] === '')
    // A note may have several lines in one cell, and fewer cells than a record, so it must not be split.
    if (!isWhole && !filter?.finds(line, cells)) scanner.retreat()
    const admit = () => {
      if (isWhole) sink.textRow(keyByHeader(header, cells), line)
      else sink.reject(widthFault(cells, state), { line })
    }
    if (!filter) return admit()
    const at = this.place()
    filter.filterRow(line, cells, () => {
      this.at = at
      admit()
    })
  }
}

function widthFault(cells: string[], { header, delimiter }: TableState): Fault {
  const { length } = header
  const [count, width] = [cells.length, length].map((n) => `${n} cell${n === 1 ? '' : 's'}`)
  const isShort = cells.length < length
  return {
    field: isShort ? (header[cells.length] ?? null) : `column_${length + 1}`,
    message: `The row has ${count} where the header has ${width}.`,
    value: isShort ? cells.join(delimiter) : (cells[length] ?? ''),
  }
}

/** A text without its first lines, which end with CRLF, LF or CR. */
function removeFirstLines(text: string, lines: number): string {
  const breaks = /\r\n|\r|\n/g
  for (let count = 0; count < lines; count++) if (!breaks.exec(text)) return ''
  return text.slice(breaks.lastIndex)
}

/** The state of a cursor; undefined at the beginning. Unreadable when it is invalid. */
function restoreState(from?: Cursor): TableState | undefined {
  if (!from || from.byte === null) return undefined
  // Older cursors lack it; for them all lines with # were comments.
  const { state = {} } = from
  const { encoding, delimiter, isTrailing, header, line, suspect, hasComments = true, leftOut } = state
  const isWhole =
    typeof encoding === 'string' &&
    getCharacterWidth(encoding) !== null &&
    typeof delimiter === 'string' &&
    typeof isTrailing === 'boolean' &&
    typeof line === 'number' &&
    typeof suspect === 'number' &&
    typeof hasComments === 'boolean' &&
    Array.isArray(header) &&
    header.every((name) => typeof name === 'string')
  if (!isWhole) throw new UnreadableError('The place to go on from is not one that this parser gave.')
  const place = { encoding, delimiter, isTrailing, header, line, suspect, hasComments }
  return leftOut === undefined ? place : { ...place, leftOut: leftOut as RowFilterState }
}
