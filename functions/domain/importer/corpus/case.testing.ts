import type { ColumnReadings } from '#functions/engine/import/map/index.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { ParserName } from '#functions/shapes/parser/index.ts'

/** The data type of this corpus. */
export const schema: FieldSchema = {
  id: { name: 'Id', type: 'text', validation: { required: true } },
  name: { name: 'Name', type: 'text' },
  amount: { name: 'Amount', type: 'number' },
  day: { name: 'Day', type: 'date' },
  open: { name: 'Open', type: 'boolean' },
  place: { name: 'Place', type: 'point' },
}

/** A record as it must be stored; empty values are left out. Dates in ISO, UTC. */
export interface StoredRecord {
  id: string
  name?: string
  amount?: number
  day?: string
  open?: boolean
  place?: [number, number]
}

/** A planted fault of a file, and where it must be reported. */
interface Fault {
  row: number
  field: string | null
  line?: number
  says?: RegExp
}

/** A file with all that is true of it. */
export interface Case {
  /** What makes the file difficult. */
  is: string
  parser: ParserName
  options?: Record<string, unknown>
  source: string | Uint8Array
  mapping?: Record<string, unknown>
  columns?: ColumnReadings
  /** Fields of the data type, if not those of `schema`. */
  schema?: FieldSchema
  good: StoredRecord[] | Record<string, string>[]
  faults: Fault[]
  /** The whole file is rejected with this message, and nothing of it is stored. */
  refused?: RegExp
}
