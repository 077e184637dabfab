import { sql, type RawBuilder } from 'kysely'
import { compileFilter } from './compile/filters.ts'
import { Issues, QueryError, type Path } from './error.ts'
import { indexFields } from './parse/fields.ts'
import { parseFilters } from './parse/filters.ts'
import { checkSize } from './parse/size.ts'
import { functionsByKey } from './library/index.ts'
import type { QueryField, Sql } from './types.ts'

/** A column of a table as filters see it. */
type ColumnType = 'text' | 'boolean' | 'date' | 'texts'

interface Issue {
  path: (string | number)[]
  value?: unknown
  message: string
}

/** Lists have no time zone: days are in UTC. */
const time = { timeZone: 'UTC', customYearStart: 1 }
const sqlTypes: Record<ColumnType, Sql> = {
  text: sql`text`,
  boolean: sql`boolean`,
  date: sql`timestamptz`,
  texts: sql`text[]`,
}

/**
 * Compiles filters of the query language over plain columns, for lists of the API. Returns the condition and all issues,
 * whose paths begin at the filters. `getColumnSql` returns the SQL of a column; without it the filters are only validated, and
 * the condition is always true.
 */
export function filterColumns(
  input: unknown,
  columns: Readonly<Record<string, ColumnType>>,
  getColumnSql?: (column: string) => Sql,
): { where: RawBuilder<boolean>; issues: Issue[] } {
  const always = sql<boolean>`true`
  try {
    checkSize(input)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    return { where: always, issues: error.issues }
  }
  const fields = Object.entries(columns).map(([path, type]): QueryField => ({
    ...{ path, name: path },
    ...(type === 'texts' ? { type: 'array', items: { name: path, type: 'text' } } : { type }),
    // With a cast, so that a column of a Postgres enum or other type is an ordinary text here.
    sql: getColumnSql ? sql`(${getColumnSql(path)})::${sqlTypes[type]}` : always,
  }))
  const issues = new Issues()
  const filter = parseFilters(input, [], { fields: indexFields(fields), issues })
  refuseCalculations(input, [], issues)
  if (issues.list.length > 0 || !filter || !getColumnSql) return { where: always, issues: issues.list }
  return { where: compileFilter(filter, { time, columns: new Map() }), issues: [] }
}

/** Columns are texts, booleans and dates, so functions of numbers and geometries are not supported. */
const categories = new Set(['Comparison', 'Date/Time'])

/** Also reports functions in unparsable parts: the size of the input has been checked. */
function refuseCalculations(input: unknown, path: Path, issues: Issues): void {
  if (typeof input !== 'object' || input === null) return
  if ('function' in input && typeof input.function === 'string') {
    const fn = functionsByKey.get(input.function)
    // Aggregations and expansions are rejected elsewhere, since a single row is expected.
    if (fn && !fn.aggregate && !fn.expands && !categories.has(fn.category))
      issues.add([...path, 'function'], `Function cannot be used in a list: ${fn.key}`, fn.key)
  }
  const isList = Array.isArray(input)
  for (const [key, part] of Object.entries(input))
    refuseCalculations(part, [...path, isList ? Number(key) : key], issues)
}
