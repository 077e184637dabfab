import type { LeftOutKind } from '#functions/shapes/parser/parser.ts'
import { readsAsNote, totalIn } from './left-out-words.ts'
import { numberReadings, Sums, type SumsState } from './sums.ts'
import type { Sink } from './sink.ts'

/** A row that is not a record. `label`: its first text, '' for a number. */
export interface LeftOutRow {
  line: number
  kind: LeftOutKind
  label: string
  cells: string[]
}

/** Options: what is left out of a table, and what is kept. */
interface LeaveOut {
  leaveOut?: LeftOutKind[] | undefined
  takeIn?: string[] | undefined
}

export type TableCell = string | number | boolean | null | undefined

/** The state of a filter; plain JSON, so that reading can be resumed. */
export interface RowFilterState {
  rows: number
  filled: number
  longest: number
  keyNumbers: number
  /** For each column the number of the first rows with a value, and of those with a number, a day or a boolean. */
  typed: [filled: number, typed: number][]
  isBehindNote: boolean
  lastLine: number
  sums: SumsState
  out: number
  named: string[]
}

/** Maximum number of rows that are held back as possible notes: a longer run is data. */
const maxHeld = 100
const maxNamed = 10
/** Maximum number of rows that are shown. */
const maxFound = 200
/** The number of rows after which a column counts as one of numbers, days or booleans without words. */
const rowsOfTypes = 200
const minTyped = 3
/** A single text below a table that is longer than this (in characters) is a sentence, not the name of a record. */
const sentenceLength = 25

interface RowSummary {
  line: number
  texts: string[]
  filledCount: number
  label: string
  /** The column of the first filled cell. */
  first: number
  numbers: Map<number, [number, number]>
}

/**
 * The classification of a row. Not `isSure`: only if no record follows it. `isWeak`: only if a neighbouring row has
 * words in columns without any. Null: a record.
 */
type Finding = { kind: LeftOutKind; isSure: boolean; isWeak?: boolean } | null

interface WaitingFinding {
  look: RowSummary
  finding: Finding
  admit(): void
}

/**
 * Filters rows that are not records out of a table while it is read: notes and sources below it (one cell or few,
 * beginning with a word such as "Source" or a mark such as *, or words scattered over columns of numbers and days), and
 * totals (labelled so, or equal to the sums of the rows above). An ambiguous row is left out only at the end of the
 * table, so it is held back until a record follows or the table ends.
 */
export class RowFilter {
  /** The first rows recognised as notes or totals, whether they were left out or, as configured, kept. */
  readonly rows: LeftOutRow[] = []
  private waiting: WaitingFinding[] = []
  private sums: Sums
  private state: Omit<RowFilterState, 'sums'>

  constructor(
    private options: LeaveOut,
    private width: number,
    state?: RowFilterState,
  ) {
    const { sums, ...rest } = state ?? {}
    this.sums = new Sums(sums)
    this.state = {
      ...{
        rows: 0,
        filled: 0,
        longest: 0,
        keyNumbers: 0,
        typed: [],
        isBehindNote: false,
        lastLine: 0,
        out: 0,
        named: [],
      },
      ...structuredClone(rest),
    }
  }

  /** Takes the next row. Calls `admit` if it is a record: immediately, or later when that becomes clear. */
  filterRow(line: number, cells: readonly TableCell[], admit: () => void) {
    const look = summarizeRow(line, cells)
    const finding = look.filledCount ? this.find(look, cells.length) : null
    if (finding && !finding.isWeak) this.state.isBehindNote = finding.kind === 'notes'
    // While a row is held back, so are the empty ones after it, which preserves the order.
    const waits = finding
      ? !finding.isSure || this.waiting.length > 0
      : !look.filledCount && this.waiting.length > 0
    if (waits) {
      this.waiting.push({ look, finding, admit })
      if (this.waiting.length > maxHeld) this.release()
      return
    }
    if (finding) {
      if (!this.leaves(finding.kind, look)) admit()
      return
    }
    this.release()
    if (look.filledCount) this.learn(look)
    admit()
  }

  /** Whether a row is recognised as a note or a total without knowing the rows after it. */
  finds(line: number, cells: readonly TableCell[]): boolean {
    const look = summarizeRow(line, cells)
    const finding = look.filledCount ? this.find(look, cells.length) : null
    return finding !== null && !finding.isWeak
  }

  /** Admits the rows held back, because a record follows them or reading stops before that is known. */
  release() {
    const waiting = this.waiting
    this.waiting = []
    for (const { look, finding, admit } of waiting) {
      if (finding?.isSure && this.leaves(finding.kind, look)) continue
      if (finding && !finding.isSure) this.learn(look)
      admit()
    }
  }

  /** Ends the table: rows held back are left out as classified. Adds notices about them. */
  end(sink?: Sink, where = '') {
    const waiting = this.waiting
    this.waiting = []
    const areScattered = waiting.some(
      ({ look, finding }) => finding && !finding.isWeak && this.isScattered(look),
    )
    for (const { look, finding, admit } of waiting) {
      const isNone = !finding || (finding.isWeak && !areScattered)
      if (isNone || !this.leaves(finding.kind, look)) admit()
    }
    const { out, named: labels } = this.state
    if (!sink || out === 0) return
    const more = out > labels.length ? ` and ${out - labels.length} more` : ''
    const begin = out === 1 ? `1 row${where} is` : `${out} rows${where} are`
    sink.notice('info', `${begin} left out, as was chosen: ${labels.join(', ')}${more}.`)
  }

  /** The state from which another filter can continue after the last admitted row. */
  toState(): RowFilterState {
    return { ...structuredClone(this.state), sums: this.sums.toState() }
  }

  /** Records a recognised row. True if it is left out. */
  private leaves(kind: LeftOutKind, look: RowSummary): boolean {
    const { line, label, texts } = look
    if (this.rows.length < maxFound) this.rows.push({ line, kind, label, cells: texts })
    if (kind === 'totals') this.sums.endGroup()
    const { leaveOut = [], takeIn = [] } = this.options
    if (!leaveOut.includes(kind) || takeIn.includes(label)) return false
    this.state.out += 1
    if (this.state.named.length < maxNamed) {
      const lineText = label || texts.filter(Boolean).join(' ')
      const text = lineText.length > 60 ? `${lineText.slice(0, 60)}…` : lineText
      this.state.named.push(`row ${line} “${text}” (${kind === 'notes' ? 'a note' : 'a total'})`)
    }
    return true
  }

  private find(look: RowSummary, cellCount: number): Finding {
    if (this.state.rows === 0) return null
    const note = this.findNote(look, cellCount)
    return note ?? this.findTotal(look) ?? this.findWords(look)
  }

  /** Words in columns without any so far, or a single word that may belong to such a row. */
  private findWords(look: RowSummary): Finding {
    const typical = this.state.filled / this.state.rows
    if (this.state.rows < minTyped || typical < 2.5 || look.filledCount * 2 > typical) return null
    if (this.isScattered(look)) return { kind: 'notes', isSure: false }
    const isSingleWord = look.filledCount === 1 && look.texts.some(isWord)
    return isSingleWord ? { kind: 'notes', isSure: false, isWeak: true } : null
  }

  /** Whether a row has only words, some of them in columns without any. */
  private isScattered({ texts }: RowSummary): boolean {
    const filledColumns = texts.flatMap((text, i) => (text === '' ? [] : [i]))
    return (
      filledColumns.every((i) => isWord(texts[i] ?? '')) &&
      filledColumns.some((i) => {
        const [rows, typedRows] = this.state.typed[i] ?? [0, 0]
        return rows >= minTyped && typedRows === rows
      })
    )
  }

  private findNote({ line, filledCount, label, first, numbers }: RowSummary, cellCount: number): Finding {
    const { rows, longest, keyNumbers, isBehindNote } = this.state
    // A held back word may be a record.
    const before = this.waiting.at(-1)
    const lastLine = before?.finding?.isWeak ? before.look.line : this.state.lastLine
    const typical = this.state.filled / rows
    const isRagged = cellCount < this.width
    const isSparse = filledCount === 1 || (numbers.size === 0 && (filledCount * 2 <= typical || isRagged))
    if (label === '' || !isSparse || typical < 1.5) return null
    if (readsAsNote(label)) return { kind: 'notes', isSure: isBehindNote || label.length >= sentenceLength }
    if (filledCount > 1 && !isRagged) return null
    if (isBehindNote && first === 0) return { kind: 'notes', isSure: false }
    const isSentence = label.length >= sentenceLength && (label.length > longest || line > lastLine + 1)
    const isTextAmongNumbers = rows > 2 && keyNumbers === rows
    const isOther = first === 0 && typical >= 2.5 && rows > 2 && (isSentence || isTextAmongNumbers)
    return isOther ? { kind: 'notes', isSure: false } : null
  }

  private findTotal({ label, texts, first, filledCount, numbers }: RowSummary): Finding {
    if (numbers.size === 0) return null
    const words = [label, ...texts.slice(0, 3)].map(totalIn)
    const match = this.sums.match(numbers)
    if (words.some(Boolean) && match.hasSums) return { kind: 'totals', isSure: true }
    if (words.includes('whole')) return { kind: 'totals', isSure: false }
    const isUnnamed = label === '' && first > 0 && filledCount === numbers.size
    const isEnough = match.isWhole && (match.cells > 1 || this.state.rows > 4)
    return isEnough && (isUnnamed || match.isAll) ? { kind: 'totals', isSure: false } : null
  }

  private learn({ line, filledCount, label, texts, numbers }: RowSummary) {
    const { state } = this
    state.rows += 1
    state.filled += filledCount
    state.isBehindNote = false
    state.lastLine = line
    if (numbers.has(0)) state.keyNumbers += 1
    if (state.rows <= rowsOfTypes) this.learnTypes(texts)
    if (texts[0]) state.longest = Math.max(state.longest, label.length)
    this.sums.add(numbers)
  }

  private learnTypes(texts: string[]) {
    const { typed: typeCounts } = this.state
    for (let i = 0; i < texts.length && i < maxColumns; i++) {
      const text = texts[i] ?? ''
      const [rows, typedCount] = typeCounts[i] ?? [0, 0]
      typeCounts[i] = [rows + Number(text !== ''), typedCount + Number(isTyped(text))]
    }
  }
}

/** Whether a text is a number or a day, or yes or no. */
const isTyped = (text: string) => /\d/.test(text) || /^(?:true|false|yes|no)$/i.test(text)

/** Whether a text is words: it has letters, is of no other type, and is no word for a missing value. */
const isWord = (text: string) =>
  /\p{L}{2}/u.test(text) && !isTyped(text) && !/^(?:n\/?a|nan|null|none|nil)$/i.test(text)

const maxColumns = 200

function summarizeRow(line: number, cells: readonly TableCell[]): RowSummary {
  const texts: string[] = []
  const numbers: RowSummary['numbers'] = new Map()
  let filledCells = 0
  let first = -1
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    const text = cell === null || cell === undefined ? '' : String(cell).trim()
    texts.push(text)
    if (text === '') continue
    filledCells += 1
    if (first === -1) first = i
    const number = i < maxColumns ? numberReadings(cell) : null
    if (number) numbers.set(i, number)
  }
  const label = first === -1 || numbers.has(first) ? '' : (texts[first] as string).slice(0, 200)
  return { line, texts, filledCount: filledCells, first, label, numbers }
}
