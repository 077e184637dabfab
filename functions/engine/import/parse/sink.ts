import type { Batch, Cursor, Notice, Place } from '../row.ts'
import { beginningOf } from './caps.ts'
import type { ParsedSource } from './reading.ts'

/** What is wrong with one field of a row; `field` null: with the row as a whole. */
export interface Fault {
  field: string | null
  message: string
  value?: string
}

const valueLength = 200
/** So many different things are said of a source: what names lines or fields could be said for ever. */
const mostNotices = 5000
/** Characters of texts in a batch, about: a few of these must fit into a worker, whatever one row has. */
const batchCharacters = 500_000

/**
 * Where a parser puts what it read, and where that becomes batches. Counts rows, leaves out those that an earlier
 * reading gave already, and asks for the cursor at the end of each batch: so the parser must stand behind a row before
 * it puts that row here.
 */
export class Sink {
  /** Rows so far, good and bad. */
  count = 0
  private skip = 0
  private batches: Batch[] = []
  private open: Omit<Batch, 'cursor'> = { rows: [], rejects: [], notices: [] }
  private rowCount = 0
  private characters = 0
  private notices = new Set<string>()
  private batchRows: number

  constructor(
    { from, batchRows }: Pick<ParsedSource, 'from' | 'batchRows'>,
    private cursor: () => Omit<Cursor, 'rows'> = () => ({ byte: null }),
  ) {
    this.batchRows = batchRows
    if (!from) return
    if (from.byte === null) this.skip = from.rows
    else this.count = from.rows
  }

  row(value: unknown, at: Omit<Place, 'row'> = {}) {
    if (!this.counts()) return
    this.open.rows.push({ at: { row: this.count, ...at }, value })
    this.characters += charactersIn(value)
    this.fill()
  }

  /** As `row`, for many short rows of text. */
  textRow(value: Record<string, string>, line: number) {
    if (!this.counts()) return
    this.open.rows.push({ at: { row: this.count, line }, value })
    for (const name in value) this.characters += (value[name] as string).length
    this.fill()
  }

  /** A row that is not let in, for one reason or several. */
  reject(faults: Fault | Fault[], at: Omit<Place, 'row'> = {}) {
    if (!this.counts()) return
    for (const { field, message, value } of [faults].flat())
      this.open.rejects.push({
        at: { row: this.count, ...at },
        field,
        message,
        ...(value !== undefined && { value: beginningOf(value, valueLength) }),
      })
    this.fill()
  }

  /** Says something once. What was said of rows that an earlier reading gave is not said again. */
  notice(level: Notice['level'], message: string) {
    if (this.notices.has(message) || this.notices.size >= mostNotices || this.count < this.skip) return
    this.notices.add(message)
    this.open.notices.push({ level, message })
  }

  /** The batches that are full. */
  *ready(): Generator<Batch> {
    const ready = this.batches
    this.batches = []
    yield* ready
  }

  /** All that is left, as the last batch; nothing when there is nothing. */
  *rest(): Generator<Batch> {
    yield* this.ready()
    if (this.rowCount || this.open.notices.length) this.close()
    yield* this.ready()
  }

  private counts(): boolean {
    this.count++
    return this.count > this.skip
  }

  private fill() {
    this.rowCount++
    if (this.rowCount >= this.batchRows || this.characters >= batchCharacters) this.close()
  }

  private close() {
    this.batches.push({ ...this.open, cursor: { rows: this.count, ...this.cursor() } })
    this.open = { rows: [], rejects: [], notices: [] }
    this.rowCount = 0
    this.characters = 0
  }
}

/** Characters of all texts in a value, of which each other value counts as eight. Goes no deeper than a parser lets in. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  let sum = 0
  for (const inner of Object.values(value)) sum += charactersIn(inner)
  return sum
}

/** Runs the steps of a parser and gives what is full after each; at an error first all that was read before it. */
export async function* batches(sink: Sink, steps: AsyncIterable<unknown>): AsyncGenerator<Batch> {
  try {
    for await (const _ of steps) yield* sink.ready()
  } catch (error) {
    yield* sink.rest()
    throw error
  }
  yield* sink.rest()
}
