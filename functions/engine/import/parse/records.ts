import { formatByteCount, type ReadLimits } from './caps.ts'
import { badFrom, badText, getCharacterWidth, type BadCharacter, type Piece, type Width } from './decode.ts'
import { UnreadableError } from '../row.ts'
import { utf8Length } from './utf8.ts'

export interface RecordOptions {
  /** One character; null: a record is a line, without quoting. */
  delimiter: string | null
  encoding: string
  caps: Pick<ReadLimits, 'cell' | 'record'>
  /** The line and the byte offset of the beginning of the text. */
  line: number
  byte: number
  /** The number of following characters that an open quote had included; see `suspect`. */
  suspect?: number
}

/** The issue of a record; `cell` counts from 0, null: the record as a whole. */
interface RecordFault {
  cell: number | null
  message: string
  value?: string
}

/**
 * Maximum number of undecodable sequences of one record, more than a block has: each is kept, so that bytes
 * are counted correctly.
 */
const maxBad = 200_000
const LF = 10
const CR = 13
const quote = '"'
const stray = { message: 'A quote stands here that may close one opened in a line before.' }

/**
 * Splits text into records: lines of cells, where a quoted cell may contain delimiters, doubled quotes and
 * line breaks (RFC 4180); lines end with CRLF, LF or CR. A quote inside a cell that does not begin with one
 * is literal. After an invalid record scanning continues at the next line, so that an unclosed quote costs
 * only one line. `next` returns true if `cells`, `line` and `fault` have the next record, until the next
 * call.
 */
export class RecordScanner {
  cells: string[] = []
  line = 1
  fault: RecordFault | null = null
  isComment = false
  /** Whether a line that begins with # may be a comment. */
  mayComment = true
  /** The beginning of the record, and the position after it. */
  private start = 0
  private pos = 0
  private lineAfter: number
  private text = ''
  private isEnd = false
  private skipping = false
  private bad: BadCharacter[] = []
  private hasZero = false
  private nextCR = -1
  private nextQuote = -1
  /**
   * Whether no line ends in the text from `pos` on: a long line is then searched once, not again for each
   * piece.
   */
  private isUnbroken = false
  private width: Width
  private isAscii = true
  /** The byte offset of `text[mark]`. */
  private byteAt: number
  /** The end of an invalid record: a quote before it may close the one that was opened there. */
  private suspectTo: number
  private mark = 0

  get delimiter(): string {
    return this.options.delimiter ?? ''
  }

  constructor(private options: RecordOptions) {
    this.lineAfter = options.line
    this.suspectTo = options.suspect ?? 0
    this.byteAt = options.byte
    this.width = getCharacterWidth(options.encoding)
  }

  /** The byte offset after the last record; null if the encoding has no known width. */
  get byte(): number | null {
    if (this.width === null) return null
    this.settleByte(this.pos)
    return this.byteAt
  }

  /** The number of characters after the last record that belonged to an invalid one before it. */
  get suspect(): number {
    return Math.max(0, this.suspectTo - this.pos)
  }

  /** The line after the last record. */
  get lineNext(): number {
    return this.lineAfter
  }

  push(piece: Piece) {
    this.settleByte(this.pos)
    const rowStart = this.pos
    this.suspectTo -= rowStart
    const rest = rowStart ? this.text.slice(rowStart) : this.text
    if (rowStart)
      this.bad = this.bad.filter(({ at }) => at >= rowStart).map((bad) => ({ ...bad, at: bad.at - rowStart }))
    for (const bad of piece.bad) this.bad.push({ ...bad, at: bad.at + rest.length })
    if (this.bad.length > maxBad)
      throw new UnreadableError(
        `More than ${maxBad} places from line ${this.lineAfter} on are no ${this.options.encoding.toUpperCase()}: this is not text.`,
      )
    this.isAscii = (rest.length === 0 || this.isAscii) && piece.ascii
    this.hasZero ||= piece.text.includes('\0')
    this.text = rest + piece.text
    this.pos = this.mark = 0
    this.isUnbroken &&= !/[\r\n]/.test(piece.text)
    if (!this.isUnbroken) this.lookAhead()
  }

  finish() {
    this.isEnd = true
    if (this.isUnbroken) this.lookAhead()
  }

  private lookAhead() {
    this.nextCR = this.text.indexOf('\r', this.pos)
    this.nextQuote = this.options.delimiter === null ? -1 : this.text.indexOf(quote, this.pos)
  }

  next(): boolean {
    const { text, pos } = this
    if (pos >= text.length) return false
    const isLong = text.length - pos > this.options.caps.record
    if (this.isUnbroken && !this.isEnd && !this.skipping && !isLong) return false
    this.start = pos
    this.line = this.lineAfter
    this.fault = null
    if (this.skipping && !this.skip()) return false
    if (this.nextQuote !== -1 && this.nextQuote < this.start) this.nextQuote = text.indexOf(quote, this.start)
    const end = this.lineEnd(this.start)
    if (end === -1) return this.tooLong()
    this.isComment = this.mayComment && this.options.delimiter !== null && text.charCodeAt(this.start) === 35
    if (this.isComment || this.nextQuote === -1 || this.nextQuote >= end) return this.plain(end)
    return this.quoted()
  }

  /** Rewinds to the end of the first line of the last record; false if it had only one line. */
  retreat(): boolean {
    if (this.lineAfter - this.line < 2) return false
    this.suspectTo = Math.max(this.suspectTo, this.pos)
    this.lineAfter = this.line
    this.toNextLine(this.lineEnd(this.start))
    return true
  }

  private plain(end: number): true {
    const { delimiter, caps } = this.options
    const line = this.text.slice(this.start, end)
    this.cells = delimiter === null || this.isComment ? [line] : line.split(delimiter)
    this.toNextLine(end)
    if (line.length > caps.record) this.fault = this.overlong()
    else this.check(line.length > caps.cell)
    return true
  }

  private quoted(): boolean {
    const { text, options } = this
    const delimiter = (options.delimiter ?? '').charCodeAt(0)
    const cells: string[] = []
    this.cells = cells
    let p = this.start
    let lines = 0
    for (;;) {
      let code = text.charCodeAt(p)
      if (code === 34) {
        const open = p
        const close = this.closing(p + 1)
        if (close === -1) return this.unclosed(cells.length, open)
        const inner = text.slice(p + 1, close)
        lines += breaksIn(inner)
        cells.push(inner.includes(quote) ? inner.replaceAll('""', quote) : inner)
        p = close + 1
        while ((code = text.charCodeAt(p)) === 32 || (code === 9 && delimiter !== 9)) p++
        if (p >= text.length && !this.isEnd) return this.unclosed(cells.length - 1, open)
        if (p < text.length && code !== delimiter && code !== LF && code !== CR) {
          const message = `A quote closes at "${text.slice(close, close + 20).split(/[\r\n]/)[0]}" and more follows it.`
          return this.endInvalid({ cell: cells.length - 1, message, value: inner }, p)
        }
      } else {
        const from = p
        while (p < text.length && (code = text.charCodeAt(p)) !== delimiter && code !== LF && code !== CR) p++
        const cell = text.slice(from, p)
        if (from < this.suspectTo && cell.includes(quote))
          return this.endInvalid({ ...stray, cell: cells.length, value: cell }, p)
        cells.push(cell)
      }
      if (p < text.length && code === delimiter) {
        p++
        continue
      }
      if (p >= text.length && !this.isEnd) return false
      // A CR at the end of the text may be half of a line break.
      if (code === CR && p === text.length - 1 && !this.isEnd) return false
      this.lineAfter += lines
      const length = p - this.start
      this.toNextLine(p)
      if (length > options.caps.record) this.fault = this.overlong()
      else this.check(length > options.caps.cell)
      return true
    }
  }

  /** Finds the closing quote of a quote before `from`; -1 if it is not in the text so far. */
  private closing(from: number): number {
    for (;;) {
      const at = this.text.indexOf(quote, from)
      if (at === -1) return -1
      if (at + 1 >= this.text.length) return this.isEnd ? at : -1
      if (this.text.charCodeAt(at + 1) !== 34) return at
      from = at + 2
    }
  }

  private unclosed(cell: number, open: number): boolean {
    const { record } = this.options.caps
    const isLong = this.text.length - this.start > record
    if (!isLong && !this.isEnd) return false
    const within = isLong ? ` within ${formatByteCount(record)}` : ''
    const value = this.text.slice(open, open + 200)
    return this.endInvalid({ cell, message: `A quote opens here and is not closed${within}.`, value }, open)
  }

  /** Ends a record as invalid; it went as far as `to`. */
  private endInvalid(fault: RecordFault, to: number): boolean {
    this.fault = fault
    this.suspectTo = Math.max(this.suspectTo, to)
    const end = this.lineEnd(this.start)
    this.toNextLine(end === -1 ? this.text.length : end)
    return true
  }

  private overlong(): RecordFault {
    return { cell: null, message: `The record is longer than ${formatByteCount(this.options.caps.record)}.` }
  }

  /** Without a line break so far: waits for one, or ends a line that is too long as invalid. */
  private tooLong(): boolean {
    if (this.text.length - this.start <= this.options.caps.record) return false
    this.cells = [this.text.slice(this.start, this.start + 200)]
    this.fault = this.overlong()
    this.isComment = false
    this.skipping = true
    this.pos = this.text.length
    return true
  }

  /** Skips the rest of a line that is too long. */
  private skip(): boolean {
    const end = this.lineEnd(this.start)
    if (end === -1) {
      this.pos = this.text.length
      return false
    }
    this.skipping = false
    this.toNextLine(end)
    this.start = this.pos
    this.line = this.lineAfter
    return this.pos < this.text.length
  }

  private lineEnd(from: number): number {
    const { text } = this
    const lf = text.indexOf('\n', from)
    if (this.nextCR !== -1 && this.nextCR < from) this.nextCR = text.indexOf('\r', from)
    const cr = this.nextCR
    this.isUnbroken = lf === -1 && cr === -1
    if (cr !== -1 && (lf === -1 || cr < lf)) return cr === text.length - 1 && !this.isEnd ? -1 : cr
    return lf === -1 && this.isEnd ? text.length : lf
  }

  private toNextLine(end: number) {
    const isPair = this.text.charCodeAt(end) === CR && this.text.charCodeAt(end + 1) === LF
    this.pos = Math.min(this.text.length, end + (isPair ? 2 : 1))
    this.lineAfter++
  }

  /** Sets the issue of a record: undecodable bytes, NUL, or a cell that is too long. */
  private check(mayBeLong: boolean) {
    const { caps, encoding } = this.options
    const bad = this.bad.length ? badFrom(this.bad, this.start) : undefined
    if (bad && bad.at < this.pos && !this.isComment) {
      const mark = this.text.charAt(bad.at)
      const cell = this.cells.findIndex((text) => text.includes(mark))
      this.fault = { cell: cell < 0 ? null : cell, message: badText(bad, encoding), value: this.cells[cell] }
    }
    if (this.hasZero) {
      const cell = this.cells.findIndex((text) => text.includes('\0'))
      if (cell >= 0) this.fault = { cell, message: 'The cell holds a NUL character (byte 0).' }
    }
    if (!mayBeLong) return
    const cell = this.cells.findIndex((text) => text.length > caps.cell)
    if (cell >= 0)
      this.fault = {
        cell,
        message: `The cell is longer than ${formatByteCount(caps.cell)}.`,
        value: this.cells[cell],
      }
  }

  private settleByte(to: number) {
    const { width, mark } = this
    if (to <= mark || width === null) return
    this.mark = to
    if (width !== 'utf-8' || this.isAscii) this.byteAt += (to - mark) * (width === 2 ? 2 : 1)
    else {
      this.byteAt += utf8Length(this.text, mark, to)
      // U+FFFD takes three bytes in UTF-8, but here it stands for another number.
      for (const { at, bytes } of this.bad) if (at >= mark && at < to) this.byteAt += bytes - 3
    }
  }
}

/** Counts line breaks: CRLF, LF and CR. */
function breaksIn(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0
  let breaks = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === LF || (code === CR && text.charCodeAt(i + 1) !== LF)) breaks++
  }
  return breaks
}
