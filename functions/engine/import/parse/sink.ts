import type { Batch, Cursor, Notice, Place } from '../row.ts'
import { copyBeginning } from './caps.ts'
import type { ParsedSource } from './reading.ts'

/** An issue in one field of a row; `field` null: in the row as a whole. */
export interface Fault {
  field: string | null
  message: string
  value?: string
  /** The points of a geometry that has too many. */
  points?: number
}

const valueLength = 200
/** Maximum number of notices of one source: texts with line or field names could be unlimited. */
const maxNotices = 5000
/**
 * The approximate size of a batch in characters: several batches must fit into the memory of a Worker, however long its
 * rows are.
 */
const batchCharacters = 500_000

/**
 * Collects the rows of a parser into batches. Counts rows, skips those before the cursor, and requests a new cursor at
 * the end of each batch: so the parser must advance its position past a row before it passes that row on.
 */
export class Sink {
  /** Rows so far, good and bad. */
  count = 0
  /** Rings may be open or too short, and geometries collections. */
  readonly isLoose: boolean
  /** The axes of positions are swapped before anything else is done with them. */
  readonly isSwapped: boolean
  private skip = 0
  private batches: Batch[] = []
  private open: Omit<Batch, 'cursor'> = { rows: [], rejects: [], notices: [] }
  private rowCount = 0
  private characters = 0
  private notices = new Set<string>()
  private batchRows: number

  constructor(
    {
      from,
      batchRows,
      isLoose = false,
      isSwapped = false,
    }: Pick<ParsedSource, 'from' | 'batchRows' | 'isLoose' | 'isSwapped'>,
    private cursor: () => Omit<Cursor, 'rows'> = () => ({ byte: null }),
  ) {
    this.batchRows = batchRows
    this.isLoose = isLoose
    this.isSwapped = isSwapped
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

  /** Rejects a row, with one or several issues. */
  reject(faults: Fault | Fault[], at: Omit<Place, 'row'> = {}) {
    if (!this.counts()) return
    for (const { field, message, value, points } of [faults].flat())
      this.open.rejects.push({
        at: { row: this.count, ...at },
        field,
        message,
        ...(value !== undefined && { value: copyBeginning(value, valueLength) }),
        ...(points !== undefined && { points }),
      })
    this.fill()
  }

  /** Adds a notice, each text once. Notices about skipped rows are left out. */
  notice(level: Notice['level'], message: string) {
    if (this.notices.has(message) || this.notices.size >= maxNotices || this.count < this.skip) return
    this.notices.add(message)
    this.open.notices.push({ level, message })
  }

  /** Whether the next so many rows lie before the cursor: what they hold need not be read. */
  skips(rows: number): boolean {
    return this.count + rows <= this.skip
  }

  /** The batches that are full. */
  *ready(): Generator<Batch> {
    const ready = this.batches
    this.batches = []
    yield* ready
  }

  /** The remaining rows as the last batch, if there are any. */
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

/** The characters of all texts in a value; any other value counts as eight. The depth is limited by the parser. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  let sum = 0
  for (const inner of Object.values(value)) sum += charactersIn(inner)
  return sum
}

/**
 * Runs the steps of a parser and yields full batches after each. Before an error is thrown, all rows read until then are
 * yielded.
 */
export async function* batches(sink: Sink, steps: AsyncIterable<unknown>): AsyncGenerator<Batch> {
  try {
    for await (const _ of steps) yield* sink.ready()
  } catch (error) {
    yield* sink.rest()
    throw error
  }
  yield* sink.rest()
}
