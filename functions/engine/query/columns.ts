import { sql, type RawBuilder } from 'kysely'
import { compileFilter } from './compile/filters.ts'
import { Issues, QueryError, type Path } from './error.ts'
import { indexFields } from './parse/fields.ts'
import { parseFilters } from './parse/filters.ts'
import { checkSize } from './parse/size.ts'
import { functionsByKey } from './library/index.ts'
import type { QueryField, Sql } from './types.ts'

/** What a column of a table holds, as far as filters may know. */
type ColumnType = 'text' | 'boolean' | 'date' | 'texts'

interface Issue {
  path: (string | number)[]
  value?: unknown
  message: string
}

/** Rows of lists have no zone of their own: what is asked of days is asked of those of UTC. */
const time = { timeZone: 'UTC', customYearStart: 1 }
const sqlTypes: Record<ColumnType, Sql> = {
  text: sql`text`,
  boolean: sql`boolean`,
  date: sql`timestamptz`,
  texts: sql`text[]`,
}

/**
 * Filters of the query language over plain columns: the condition that they make, and all that is wrong with them, with paths from the filters on.
 * `sqlOf` names a column in SQL; without it nothing is compiled and the condition is always true, for those who only ask what is wrong.
 */
export function filterColumns(
  input: unknown,
  columns: Readonly<Record<string, ColumnType>>,
  sqlOf?: (column: string) => Sql,
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
    // With its type: a column of a type of Postgres' own is a text like any other here.
    sql: sqlOf ? sql`(${sqlOf(path)})::${sqlTypes[type]}` : always,
  }))
  const issues = new Issues()
  const filter = parseFilters(input, [], { fields: indexFields(fields), issues })
  refuseCalculations(input, [], issues)
  if (issues.list.length > 0 || !filter || !sqlOf) return { where: always, issues: issues.list }
  return { where: compileFilter(filter, { time, columns: new Map() }), issues: [] }
}

/** Columns are texts, truths and dates: what calculates with numbers and shapes has nothing to say of them. */
const categories = new Set(['Comparison', 'Date/Time'])

/** Also where it stands in what could not be read: the size of the input has been checked. */
function refuseCalculations(input: unknown, path: Path, issues: Issues): void {
  if (typeof input !== 'object' || input === null) return
  if ('function' in input && typeof input.function === 'string') {
    const fn = functionsByKey.get(input.function)
    // What aggregates or expands is refused wherever a single row is meant.
    if (fn && !fn.aggregate && !fn.expands && !categories.has(fn.category))
      issues.add([...path, 'function'], `Function cannot be used in a list: ${fn.key}`, fn.key)
  }
  const isList = Array.isArray(input)
  for (const [key, part] of Object.entries(input))
    refuseCalculations(part, [...path, isList ? Number(key) : key], issues)
}
