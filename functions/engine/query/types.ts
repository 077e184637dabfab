import type { RawBuilder } from 'kysely'
import type {
  CalendarPrecision,
  Field,
  FieldKnowledge,
  FieldSchema,
  FieldType,
  Measurement,
  Precision,
} from '#functions/shapes/field.ts'

/** The type of a value of the language: that of a field, or a geometry of a kind not known beforehand. */
export type ValueType = FieldType | 'geometry'

/** A piece of SQL with its bound parameters. */
export type Sql = RawBuilder<unknown>

/**
 * A field the caller may use. `path` is 'id', 'createdAt', 'geometry' or 'data.x'. `sql` is an expression the
 * caller made from checked names, of the SQL type that belongs to `type`: text, any number type, boolean,
 * timestamptz (date for calendar dates, which `precision` tells), an array of these, jsonb for maps, geometry(…, 4326).
 */
export interface QueryField extends FieldKnowledge {
  path: string
  name: string
  type: ValueType
  sql: Sql
  items?: Field
  measurement?: Measurement
  precision?: Precision
  validation?: Record<string, unknown>
  notes?: string
  searchable?: boolean
  schema?: FieldSchema
  /** How often its values repeat, as far as the caller knows: by that the pairs of a join are counted before it runs. */
  spread?: Spread
}

/** `values`: how many rows have each value, of all rows. `most`: there are at most so many different values. */
export interface Spread {
  values?: Readonly<Record<string, number>>
  most?: number
}

/**
 * What can be known of rows: those of a query, or those of a join. No `geometry` means that `within` and `intersects`
 * match no row. `near` gives a condition that every row touching the box meets and an index answers.
 */
export interface Side {
  fields: QueryField[]
  geometry?: Sql
  overlapsBounds?(box: Box): RawBuilder<boolean> | undefined
}

/**
 * Rows that a query may join under an alias. Its SQL speaks of them by a name that no other side of the query has, such
 * as `j1`: the alias comes from outside and never reaches SQL. `rowId` tells the rows apart, as bigint.
 */
export interface OfferedJoin extends Side {
  alias: string
  rowId: Sql
  scope: Scope
  /** About how many rows there are. */
  rows: number
}

/**
 * What the caller lends to a query. `timeZone` holds when the query names none. Without `joins` there are none to be
 * had; their `rowId` tells the main rows apart, as bigint.
 */
export interface QueryEnv extends Side {
  timeZone: string
  maxLimit: number
  defaultLimit: number
  /** The set that `within` names; without it there is none. Of the main rows only. */
  set?: LentSet
  /** An answer that a limit may have cut says how many rows it would have without (`totalIn`). */
  countsGroups?: boolean
  /** About how many rows there are; without it the cost of a query is not known. */
  rows?: number
  /**
   * What a query may cost, and whose budget that is, as the subject of a sentence ("Who is not signed in"). What asks no more than
   * `perRow` of each row is let through however many there are. Without a budget anything is.
   */
  budget?: { steps: number; perRow?: number; who: string }
  joins?: { rowId: Sql; offered: readonly OfferedJoin[] }
}

/** Where the rows come from: what follows FROM, and conditions that always hold. */
export interface Scope {
  from: Sql
  where: RawBuilder<boolean>[]
}

/** What is known of a value without running it. */
export interface Inferred extends FieldKnowledge {
  type: ValueType
  name?: string
  notes?: string
  items?: Field
  measurement?: Measurement
  precision?: Precision
  validation?: Record<string, unknown>
}

export type Literal = string | number | boolean | null

/** `types` has several entries for text that may also be read as a number or a date, none for null. */
export interface Constant {
  readonly kind: 'constant'
  readonly key: string
  readonly types: readonly Inferred[]
  readonly literal: Literal
}

/**
 * A field; `deeper` are the keys below it, which are not checked and are read as text. `join` is the alias of the join
 * whose field it is; absent for the main rows.
 */
export interface FieldValue {
  readonly kind: 'field'
  readonly key: string
  readonly types: readonly Inferred[]
  readonly field: QueryField
  readonly deeper: readonly string[]
  readonly join?: string
}

export interface Call {
  readonly kind: 'call'
  readonly key: string
  readonly types: readonly Inferred[]
  readonly function: LanguageFunction
  readonly arguments: readonly Value[]
}

/** A parsed value. Two values with the same `key` mean the same. */
export type Value = Constant | FieldValue | Call

/** A parsed condition. A comparison without values is a check for null. */
export type Filter =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'condition'; readonly value: Value }
  | {
      readonly kind: 'comparison'
      readonly left: FieldValue
      readonly operator: Operator
      readonly right: readonly Value[]
    }

export interface ParsedAggregation {
  readonly alias: string
  readonly value: Value
  readonly name?: string
  readonly notes?: string
  readonly filter?: Filter
}

/** `aggregation` is the index of the aggregation that the grouping names or equals. */
export interface ParsedGrouping {
  readonly value: Value
  readonly aggregation?: number
}

export interface ParsedOrdering {
  readonly value: Value
  readonly direction: 'asc' | 'desc'
  readonly aggregation?: number
}

/** What time means to a query. `customYearStart` is a month, 1 to 12. */
export interface TimeOptions {
  readonly timeZone: string
  readonly customYearStart: number
}

export interface Box {
  readonly xmin: number
  readonly ymin: number
  readonly xmax: number
  readonly ymax: number
}

/** Areas that a row may lie in: what is around them, and all of them as one geometry. */
export interface Region {
  readonly box: Box
  readonly shape: Sql
}

/** The areas of a set by their codes, as far as the caller found those that the query asks for. */
export interface LentSet {
  readonly id: string
  /** Of each code that was found. */
  readonly codes: ReadonlySet<string>
  readonly region: Region
}

/** What says which rows are meant. `before` and `after` are ISO text in UTC. */
export interface Conditions {
  readonly search?: string
  readonly before?: string
  readonly after?: string
  readonly within?: Box | Region
  readonly intersects?: { readonly x: number; readonly y: number }
  readonly filters: readonly Filter[]
}

/** The options every kind of query has. */
export interface BasicOptions extends Conditions {
  readonly excluded: Set<string>
  readonly limit: number
  /** Whether more rows were asked for than `limit`, the most that an answer has. */
  readonly isCapped: boolean
  readonly offset: number
  readonly orderings: readonly ParsedOrdering[]
}

/** A join that was picked. `on` says which pairs of rows belong together, the conditions which of its rows there are. */
export interface ParsedJoin extends Conditions {
  readonly offered: OfferedJoin
  readonly required: boolean
  readonly on?: Filter
}

/** A query that has passed all checks. */
export interface ParsedQuery extends BasicOptions, TimeOptions {
  readonly joins: readonly ParsedJoin[]
  readonly aggregations: readonly ParsedAggregation[]
  readonly groupings: readonly ParsedGrouping[]
}

/** An argument as a function compiles it; `literal` only for constants. */
export interface CompiledArgument {
  readonly sql: Sql
  readonly type?: ValueType
  /** Where it is a calendar date: its SQL is then of the type date, else timestamptz. */
  readonly precision?: CalendarPrecision
  readonly literal?: Literal
}

/** The arguments of a call, as many as the signature of its function has. None has more than four. */
export type CompiledArguments = readonly [
  CompiledArgument,
  CompiledArgument,
  CompiledArgument,
  CompiledArgument,
]

export interface Argument {
  readonly name: string
  readonly types: readonly (ValueType | 'any')[]
  readonly required: true
  readonly options?: readonly { readonly value: string; readonly label: string }[]
}

/**
 * A function of the language. As JSON (its functions left out) it is an entry of the function catalogue.
 * `refuses` gives the text of what is wrong with constant arguments. `compile` uses each argument at most once,
 * so that SQL cannot grow faster than the query.
 */
export interface LanguageFunction {
  readonly key: string
  readonly name: string
  readonly notes: string
  readonly category: 'Array' | 'Aggregation' | 'Math' | 'Comparison' | 'Date/Time' | 'Geospatial'
  readonly signature: readonly Argument[]
  readonly returns: {
    readonly static?: Inferred
    readonly dynamic?: (values: readonly Value[]) => Inferred | undefined
  }
  /** Its value is another one later, with the same data. */
  readonly readsClock?: true
  readonly aggregate: boolean
  readonly expands?: true
  /** Beside a text all of its arguments are texts. */
  readonly matchesText?: true
  readonly refuses?: (values: readonly Value[]) => string | undefined
  readonly compile: (values: CompiledArguments, time: TimeOptions) => Sql
}

/**
 * An operator of a filter. `takes` is the shape of its right side: one value, a list of values, a list against a
 * list field, a pair, a text pattern, or one of null, true and false.
 */
export interface Operator {
  readonly key: string
  readonly takes: 'value' | 'list' | 'items' | 'pair' | 'pattern' | 'patterns' | 'truth'
  readonly types: readonly ValueType[]
  readonly compile: (left: Sql, right: readonly Sql[]) => RawBuilder<boolean>
}
