import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'

/*
 * Answers questions from the source file, by DuckDB. Nothing of the product is imported here: fields and
 * questions are implemented independently, from the description of the query language.
 */

/**
 * The type of a column in a source file. `calendar` is a date without a time zone, given as a day, a month or
 * a year; `point` is `longitude latitude`.
 */
type FileKind = 'text' | 'number' | 'instant' | 'calendar' | 'point'

interface FileField {
  name: string
  kind: FileKind
}

export type FileFields = Record<string, FileField>

/** An expression of a question as `/v1` accepts it. */
export type Expression =
  | string
  | number
  | boolean
  | null
  | { field: string }
  | { function: string; arguments?: Expression[] }

/** A question as `/v1` accepts it. */
export interface Question {
  aggregations: { alias: string; name?: string; value: Expression; filters?: unknown }[]
  groupings?: Expression[]
  orderings?: { value: Expression; direction: 'asc' | 'desc' }[]
  filters?: unknown
  limit?: number
  offset?: number
  timezone?: string
}

/**
 * The type of a column in an answer: a calendar day as `2012-01-31`, an instant as milliseconds since 1970, a
 * bucket of instants as the wall-clock time of its start, a point as `longitude latitude`.
 */
type CellKind = 'text' | 'number' | 'calendar' | 'instant' | 'wall' | 'point'
export type Cell = string | number | null

export interface Column {
  alias: string
  name: string
  kind: CellKind
  isGroup: boolean
  /** Of dates: the bucket they are truncated to. Of numbers: the part of a date that they are. */
  span?: string
  part?: string
  /** The field of the file that dates come from. */
  from?: string
  /** Of measures: the aggregate function. */
  by?: string
}

/**
 * A group of an answer. `scales` is the magnitude of the summands: a sum of large numbers is less exact than
 * its own size suggests.
 */
export interface Group {
  cells: Cell[]
  scales: number[]
}

export interface TrueAnswer {
  columns: Column[]
  /** All groups, regardless of the question's limit. */
  groups: Group[]
}

/** The period of a source's dates in its time zone, and their usual distance. */
export interface Coverage {
  from: string
  to: string
  /** The median of the milliseconds between neighbouring moments. */
  cadence: number
}

export interface Oracle {
  /** Loads a CSV file as the table of a source. */
  load(table: string, file: string, fields: FileFields): Promise<void>
  /** Defines a table by SQL that reads files. */
  define(table: string, sql: string): Promise<void>
  answer(table: string, fields: FileFields, question: Question, zone: string): Promise<TrueAnswer>
  coverage(table: string, fields: FileFields, field: string, zone: string): Promise<Coverage | null>
  count(table: string): Promise<number>
  rows(sql: string): Promise<Record<string, unknown>[]>
  drop(table: string): Promise<void>
  close(): void
}

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Opens DuckDB in memory, with one thread: the questions are many and small. */
export async function openOracle(): Promise<Oracle> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run(`set TimeZone = 'UTC'`)
  return {
    load: (table, file, fields) => load(connection, table, file, fields),
    async define(table, sql) {
      await connection.run(`create table ${quoteName(table)} as ${sql}`)
    },
    answer: (table, fields, question, zone) => answerQuestion(connection, table, fields, question, zone),
    coverage: (table, fields, field, zone) => readCoverage(connection, table, fields, field, zone),
    async count(table) {
      const [row] = await readRows(connection, `select count(*)::double as n from ${quoteName(table)}`)
      return Number(row?.n)
    },
    rows: (sql) => readRows(connection, sql),
    async drop(table) {
      await connection.run(`drop table if exists ${quoteName(table)}`)
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

async function readRows(connection: DuckDBConnection, sql: string): Promise<Record<string, unknown>[]> {
  const reader = await connection.runAndReadAll(sql)
  return reader.getRowObjectsJS()
}

async function load(connection: DuckDBConnection, table: string, file: string, fields: FileFields) {
  const keys = Object.keys(fields)
  const columns = keys.map((key) => `${literal(key)}: 'varchar'`).join(', ')
  const csvReader = `read_csv(${literal(file)}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"',
    nullstr = '', columns = {${columns}})`
  const values = keys.map(
    (key) => `${readAs[fields[key]?.kind ?? 'text'](quoteName(key))} as ${quoteName(key)}`,
  )
  await connection.run(`create table ${quoteName(table)} as select ${values.join(', ')} from ${csvReader}`)
}

/** The SQL that parses the text of a cell. */
const readAs: Record<FileKind, (column: string) => string> = {
  text: (column) => column,
  point: (column) => column,
  number: (column) => `cast(${column} as double)`,
  instant: (column) => `cast(${column} as timestamptz)`,
  // `2012` and `2012-05` are represented by their first day.
  calendar: (column) => `cast(${column} || substr('-01-01', length(${column}) - 3) as date)`,
}

const minute = 60_000

async function readCoverage(
  connection: DuckDBConnection,
  table: string,
  fields: FileFields,
  field: string,
  zone: string,
): Promise<Coverage | null> {
  const column = quoteName(field)
  const wall =
    fields[field]?.kind === 'calendar'
      ? `cast(${column} as timestamp)`
      : `timezone(${literal(zone)}, ${column})`
  const [row] = await readRows(
    connection,
    `with moments as (select distinct ${wall} as moment from ${quoteName(table)} where ${column} is not null),
      gaps as (select epoch_ms(moment) - lag(epoch_ms(moment)) over (order by moment) as gap from moments)
    select strftime(min(moment), '%Y-%m-%dT%H:%M:%S') as first, strftime(max(moment), '%Y-%m-%dT%H:%M:%S') as last,
      (select median(gap)::double from gaps) as cadence from moments`,
  )
  if (typeof row?.first !== 'string' || typeof row.last !== 'string') return null
  return { from: row.first, to: row.last, cadence: Number(row.cadence ?? minute) }
}

interface CompiledExpression {
  sql: string
  kind: CellKind
  span?: string
  part?: string
  from?: string
  by?: string
  /** SQL of the magnitude of the summands. */
  scale?: string
}

const aggregates: Record<string, (argument: string) => string> = {
  sum: (argument) => `fsum(${argument})`,
  average: (argument) => `favg(${argument})`,
  min: (argument) => `min(${argument})`,
  max: (argument) => `max(${argument})`,
  median: (argument) => `median(${argument})`,
  distinctCount: (argument) => `count(distinct ${argument})::double`,
}

const parts: Record<string, string> = {
  year: 'year',
  quarter: 'quarter',
  month: 'month',
  dayOfWeek: 'isodow',
  hourOfDay: 'hour',
  decade: 'decade',
}

/** Compiles the expressions of a question to SQL; throws for anything unknown, so that nothing is ignored. */
class Compiler {
  constructor(
    private readonly fields: FileFields,
    private readonly zone: string,
  ) {}

  value(expression: Expression): CompiledExpression {
    if (expression === null) return { sql: 'null', kind: 'text' }
    if (typeof expression === 'number') return { sql: `${expression}::double`, kind: 'number' }
    if (typeof expression === 'string') return { sql: literal(expression), kind: 'text' }
    if (typeof expression === 'boolean') throw new Error('The oracle knows no booleans.')
    if ('field' in expression) return this.field(expression.field)
    return this.call(expression.function, expression.arguments ?? [])
  }

  field(path: string): CompiledExpression {
    const key = path.replace(/^data\./, '')
    const field = this.fields[key]
    if (!field) throw new Error(`The oracle knows no field ${path}.`)
    return {
      sql: quoteName(key),
      kind: field.kind,
      ...(field.kind === 'instant' || field.kind === 'calendar' ? { from: key } : {}),
    }
  }

  private call(name: string, expressions: Expression[]): CompiledExpression {
    const [first, second] = expressions
    if (name === 'count' && first === undefined) return { sql: 'count(*)::double', kind: 'number', by: name }
    if (name === 'count')
      return { sql: `count(${this.value(first ?? null).sql})::double`, kind: 'number', by: name }
    const aggregate = aggregates[name]
    if (aggregate) {
      const { sql, kind } = this.value(first ?? null)
      const isKept = name === 'min' || name === 'max'
      const scale =
        name === 'sum' ? `fsum(abs(${sql}))` : name === 'average' ? `favg(abs(${sql}))` : undefined
      return { sql: aggregate(sql), kind: isKept ? kind : 'number', by: name, ...(scale ? { scale } : {}) }
    }
    if (name === 'bucket' || name === 'extract') return this.compileDate(name, String(first), second ?? null)
    throw new Error(`The oracle knows no function ${name}.`)
  }

  private compileDate(name: 'bucket' | 'extract', span: string, expression: Expression): CompiledExpression {
    const { sql, kind, from } = this.value(expression)
    const wall = kind === 'calendar' ? `cast(${sql} as timestamp)` : `timezone(${literal(this.zone)}, ${sql})`
    if (name === 'extract') {
      const part = parts[span]
      if (!part) throw new Error(`The oracle knows no part ${span}.`)
      return { sql: `date_part('${part}', ${wall})::double`, kind: 'number', part: span, from }
    }
    if (kind === 'calendar')
      return { sql: `cast(date_trunc('${span}', ${sql}) as date)`, kind: 'calendar', span, from }
    // An hour that occurs twice is two hours: the minutes of the wall clock are subtracted from the instant.
    if (span === 'hour')
      return {
        sql: `epoch_ms(${sql}) - (epoch_ms(${wall}) % 3600000)`,
        kind: 'instant',
        span,
        from,
      }
    return { sql: `date_trunc('${span}', ${wall})`, kind: 'wall', span, from }
  }

  /** Compiles filters to SQL that is true, false or null for a row. */
  conditions(input: unknown): string {
    if (input === undefined || input === null) return 'true'
    if (Array.isArray(input)) return input.map((one) => this.conditions(one)).join(' and ') || 'true'
    const all = Object.entries(input).map(([path, condition]) => {
      if (path === '$or' && Array.isArray(condition))
        return `(${condition.map((one) => `(${this.conditions(one)})`).join(' or ')})`
      return this.condition(this.field(path), condition)
    })
    return all.length > 0 ? `(${all.join(' and ')})` : 'true'
  }

  private condition({ sql, kind }: CompiledExpression, input: unknown): string {
    const constant = (value: unknown) => this.constant(value, kind)
    if (input === null) return `${sql} is null`
    if (typeof input !== 'object') return `${sql} = ${constant(input)}`
    const compared: Record<string, string> = {
      $eq: '=',
      $ne: '<>',
      $gt: '>',
      $gte: '>=',
      $lt: '<',
      $lte: '<=',
    }
    const all = Object.entries(input).map(([operator, value]: [string, unknown]) => {
      if (operator === '$ne' && value === null) return `${sql} is not null`
      if (operator === '$in' && Array.isArray(value))
        return value.length === 0 ? 'false' : `${sql} in (${value.map(constant).join(', ')})`
      if (operator === '$between' && Array.isArray(value))
        return `${sql} between ${constant(value[0])} and ${constant(value[1])}`
      const sign = compared[operator]
      if (!sign) throw new Error(`The oracle knows no operator ${operator}.`)
      return `${sql} ${sign} ${constant(value)}`
    })
    return `(${all.join(' and ')})`
  }

  private constant(value: unknown, kind: CellKind): string {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Error('The oracle knows no such constant.')
    if (kind === 'number') return `${Number(value)}::double`
    if (kind === 'calendar') return `date ${literal(String(value).slice(0, 10))}`
    if (kind === 'instant') return `cast(${literal(String(value))} as timestamptz)`
    return literal(String(value))
  }
}

/** The SQL that formats a cell for output. */
const format: Record<CellKind, (sql: string) => string> = {
  text: (sql) => sql,
  point: (sql) => sql,
  number: (sql) => `${sql}::double`,
  calendar: (sql) => `strftime(${sql}, '%Y-%m-%d')`,
  instant: (sql) => `${sql}::double`,
  wall: (sql) => `strftime(${sql}, '%Y-%m-%dT%H:%M:%S')`,
}

async function answerQuestion(
  connection: DuckDBConnection,
  table: string,
  fields: FileFields,
  question: Question,
  zone: string,
): Promise<TrueAnswer> {
  const compiler = new Compiler(fields, question.timezone ?? zone)
  const grouped = new Set((question.groupings ?? []).map((one) => getAlias(one)))
  const all = question.aggregations.map(({ alias, name = alias, value, filters }) => {
    const { sql, scale, ...column } = compiler.value(value)
    const only = filters === undefined ? '' : ` filter (where ${compiler.conditions(filters)})`
    // An instant is converted to milliseconds only after grouping or aggregating.
    const inner = filters === undefined || !column.by ? sql : sql.replace(/(::double)?$/, `${only}$1`)
    const isInstant = column.kind === 'instant' && column.span === undefined
    return {
      column: { alias, name, isGroup: grouped.has(alias), ...column } satisfies Column,
      inner,
      outer: (at: string) => (isInstant ? `epoch_ms(${at})::double` : format[column.kind](at)),
      scale: scale === undefined ? 'null' : `${scale}${only}`,
    }
  })
  const inner = all.flatMap(({ inner, scale }, i) => [`${inner} as c${i}`, `${scale} as s${i}`])
  const by = all.flatMap(({ column }, i) => (column.isGroup ? [String(2 * i + 1)] : []))
  const rows = await readRows(
    connection,
    `with answer as (select ${inner.join(', ')} from ${quoteName(table)}
      where ${compiler.conditions(question.filters)}${by.length > 0 ? ` group by ${by.join(', ')}` : ''})
    select ${all.map(({ outer }, i) => `${outer(`c${i}`)} as c${i}, s${i}::double as s${i}`).join(', ')} from answer`,
  )
  return {
    columns: all.map(({ column }) => column),
    groups: rows.map((row) => ({
      cells: all.map((_, i) => (row[`c${i}`] ?? null) as Cell),
      scales: all.map((_, i) => Number(row[`s${i}`] ?? 0)),
    })),
  }
}

/** Returns the alias that a grouping or an ordering refers to. */
export function getAlias(expression: Expression): string {
  if (typeof expression === 'object' && expression !== null && 'field' in expression) return expression.field
  throw new Error('The oracle groups and orders by alias only.')
}
