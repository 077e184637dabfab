import type { ColumnReadings } from '#functions/engine/import/map/index.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { ParserName } from '#functions/shapes/parser/index.ts'

/** What the records of this corpus are. */
export const schema: FieldSchema = {
  id: { name: 'Id', type: 'text', validation: { required: true } },
  name: { name: 'Name', type: 'text' },
  amount: { name: 'Amount', type: 'number' },
  day: { name: 'Day', type: 'date' },
  open: { name: 'Open', type: 'boolean' },
  place: { name: 'Place', type: 'point' },
}

/** A record as it must be stored; what has no value is left out. Dates in ISO, UTC. */
export interface Stored {
  id: string
  name?: string
  amount?: number
  day?: string
  open?: boolean
  place?: [number, number]
}

/** A fault that was put into a file, and where the ledger must say so. */
interface Fault {
  row: number
  field: string | null
  line?: number
  says?: RegExp
}

/** A file with all that is true of it. */
export interface Case {
  /** What is nasty about it. */
  is: string
  parser: ParserName
  options?: Record<string, unknown>
  source: string | Uint8Array
  mapping?: Record<string, unknown>
  columns?: ColumnReadings
  /** Fields of the data type, where they are others than those of `schema`. */
  schema?: FieldSchema
  good: Stored[] | Record<string, string>[]
  faults: Fault[]
  /** The whole file is refused: with this sentence, and nothing of it is stored. */
  refused?: RegExp
}
