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

/** The type of a value of the language: that of a field, or a geometry of unknown kind. */
export type ValueType = FieldType | 'geometry'

/** A piece of SQL with its bound parameters. */
export type Sql = RawBuilder<unknown>

/**
 * A field that the caller may use. `path` is 'id', 'createdAt', 'geometry' or 'data.x'. `sql` is an expression that the
 * caller made from validated names, of the SQL type for `type`: text, any number type, boolean, timestamptz (date for
 * calendar dates, see `precision`), an array of these, jsonb for maps, geometry(…, 4326).
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
  /** How often its values repeat, if known: from this the number of joined pairs is estimated. */
  spread?: Spread
}

/** `values`: the number of rows with each value, for all rows. `most`: an upper bound for the number of distinct values. */
export interface Spread {
  values?: Readonly<Record<string, number>>
  most?: number
}

/**
 * The available properties of rows: those of a query, or of a join. Without `geometry`, `within` and `intersects` match
 * no row. `near` returns an indexed condition that every row touching the box meets.
 */
export interface Side {
  fields: QueryField[]
  geometry?: Sql
  overlapsBounds?(box: Box): RawBuilder<boolean> | undefined
}

/**
 * Rows that a query may join under an alias. Its SQL qualifies them by a name that is unique in the query, such as `j1`:
 * the alias is user input and never reaches SQL. `rowId` identifies the rows, as bigint.
 */
export interface OfferedJoin extends Side {
  alias: string
  rowId: Sql
  scope: Scope
  /** The approximate number of rows. */
  rows: number
}

/**
 * The environment of a query. `timeZone` is the default. Without `joins` none are available; their `rowId` identifies
 * the main rows, as bigint.
 */
export interface QueryEnv extends Side {
  timeZone: string
  maxLimit: number
  defaultLimit: number
  /** The boundary set for `within`; without it there is none. For main rows only. */
  set?: LentSet
  /** A truncated answer includes the total number of its rows (`totalIn`). */
  countsGroups?: boolean
  /** The approximate number of rows; without it the cost of a query is unknown. */
  rows?: number
  /**
   * The budget of a query, and whose it is, as the subject of a sentence ("Who is not signed in"). Queries that cost at
   * most `perRow` for each row are allowed for any number of rows. Unlimited without a budget.
   */
  budget?: { steps: number; perRow?: number; who: string }
  joins?: { rowId: Sql; offered: readonly OfferedJoin[] }
}

/** The source of the rows: the FROM clause, and conditions that always apply. */
export interface Scope {
  from: Sql
  where: RawBuilder<boolean>[]
}

/** The static properties of a value. */
export interface ValueInfo extends FieldKnowledge {
  type: ValueType
  name?: string
  notes?: string
  items?: Field
  measurement?: Measurement
  precision?: Precision
  validation?: Record<string, unknown>
}

export type Literal = string | number | boolean | null

/** `types` has several entries for text that may also be parsed as a number or a date, none for null. */
export interface Constant {
  readonly kind: 'constant'
  readonly key: string
  readonly types: readonly ValueInfo[]
  readonly literal: Literal
}

/**
 * A field; `deeper`: nested keys, which are not checked and are read as text. `join`: the alias of its join; absent for
 * the main rows.
 */
export interface FieldValue {
  readonly kind: 'field'
  readonly key: string
  readonly types: readonly ValueInfo[]
  readonly field: QueryField
  readonly deeper: readonly string[]
  readonly join?: string
}

export interface Call {
  readonly kind: 'call'
  readonly key: string
  readonly types: readonly ValueInfo[]
  readonly function: LanguageFunction
  readonly arguments: readonly Value[]
}

/** A parsed value. Equal `key`s mean equal values. */
export type Value = Constant | FieldValue | Call

/** A parsed condition. A comparison without values is a null test. */
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

/** Areas that may contain a row: their bounding box, and all of them as one geometry. */
export interface Region {
  readonly box: Box
  readonly shape: Sql
}

/** The requested areas of a set by their codes, as far as they exist. */
export interface LentSet {
  readonly id: string
  /** Of each code that was found. */
  readonly codes: ReadonlySet<string>
  readonly region: Region
}

/** The conditions that select rows. `before` and `after` are ISO text in UTC. */
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
  /** Whether more rows were requested than `limit`, the maximum of an answer. */
  readonly isCapped: boolean
  readonly offset: number
  readonly orderings: readonly ParsedOrdering[]
}

/** A selected join. `on` pairs rows, the conditions filter its own rows. */
export interface ParsedJoin extends Conditions {
  readonly side: OfferedJoin
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
  /** For calendar dates: its SQL is then of type date, otherwise timestamptz. */
  readonly precision?: CalendarPrecision
  readonly literal?: Literal
}

/** The arguments of a call, as many as its signature has, at most four. */
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
 * A function of the language. Serialised as JSON (without its methods) it is an entry of the function catalogue.
 * `refuses` returns the message for invalid constant arguments. `compile` uses each argument at most once, so that SQL
 * cannot grow faster than the query.
 */
export interface LanguageFunction {
  readonly key: string
  readonly name: string
  readonly notes: string
  readonly category: 'Array' | 'Aggregation' | 'Math' | 'Comparison' | 'Date/Time' | 'Geospatial'
  readonly signature: readonly Argument[]
  readonly returns: {
    readonly static?: ValueInfo
    readonly dynamic?: (values: readonly Value[]) => ValueInfo | undefined
  }
  /** Its value changes over time, for the same data. */
  readonly readsClock?: true
  readonly aggregate: boolean
  readonly expands?: true
  /** With a text, all of its arguments are texts. */
  readonly matchesText?: true
  readonly refuses?: (values: readonly Value[]) => string | undefined
  readonly compile: (values: CompiledArguments, time: TimeOptions) => Sql
}

/**
 * An operator of a filter. `takes` is the form of its right side: one value, a list of values, a list for a list field,
 * a pair, a text pattern, or one of null, true and false.
 */
export interface Operator {
  readonly key: string
  readonly takes: 'value' | 'list' | 'items' | 'pair' | 'pattern' | 'patterns' | 'truth'
  readonly types: readonly ValueType[]
  readonly compile: (left: Sql, right: readonly Sql[]) => RawBuilder<boolean>
}
