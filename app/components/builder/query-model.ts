import { parseFilter, printFilter, type FilterNode } from './filter-model.ts'
import { isObject, isSame, without, type JsonObject } from './json.ts'
import { fieldIn } from './values.ts'

/** A column of the answer that the builder draws: an aggregation with an alias. */
export interface Column extends JsonObject {
  alias: string
  value: unknown
}

/**
 * A query taken apart into what the builder draws. Items that have no drawing stand in their lists as they are, and what
 * the builder knows nothing of is `kept`. `said`: the keys of the query in its own order, so that it is written the same
 * way again.
 */
export interface Clauses {
  filters: FilterNode | null
  columns: unknown[]
  groupings: unknown[]
  orderings: unknown[]
  limit: unknown
  timezone: unknown
  customYearStart: unknown
  joins: unknown
  unshownParts: JsonObject
  notices: string[]
}

const lists = ['aggregations', 'groupings', 'orderings'] as const
const single = ['limit', 'timezone', 'customYearStart', 'joins'] as const

/** Takes a query apart. */
export function clausesOf(query: JsonObject): Clauses {
  const clauseLists = Object.fromEntries(
    lists.map((key) => [key, Array.isArray(query[key]) ? query[key] : []]),
  )
  const hasFilters = isObject(query.filters) || Array.isArray(query.filters)
  const columns = [
    ...lists.filter((key) => Array.isArray(query[key])),
    ...single,
    ...(hasFilters ? ['filters'] : []),
  ]
  return {
    filters: hasFilters ? parseFilter(query.filters) : null,
    columns: clauseLists.aggregations ?? [],
    groupings: clauseLists.groupings ?? [],
    orderings: clauseLists.orderings ?? [],
    limit: query.limit,
    timezone: query.timezone,
    customYearStart: query.customYearStart,
    joins: query.joins,
    unshownParts: without(query, ...columns),
    notices: Object.keys(query),
  }
}

/** Puts a query together again. What is empty is left out, unless it was said to be empty. */
export function queryOf(clauses: Clauses): JsonObject {
  const { filters, columns, groupings, orderings, unshownParts, notices: clauseOrder } = clauses
  const parts: JsonObject = { ...unshownParts }
  const putClause = (key: string, value: unknown, isEmpty: boolean) => {
    if (!isEmpty || (clauseOrder.includes(key) && !Object.hasOwn(unshownParts, key) && value !== undefined))
      parts[key] = value
  }
  putClause('aggregations', columns, columns.length === 0)
  putClause('groupings', groupings, groupings.length === 0)
  putClause('filters', filters ? printFilter(filters) : undefined, filters === null)
  putClause('orderings', orderings, orderings.length === 0)
  for (const key of single) putClause(key, clauses[key], clauses[key] === undefined)
  const order = [...clauseOrder, ...Object.keys(parts).filter((key) => !clauseOrder.includes(key))]
  return Object.fromEntries(order.filter((key) => Object.hasOwn(parts, key)).map((key) => [key, parts[key]]))
}

/** The clauses after a change. A list that is emptied is left out of the query. */
export function changeClauses(clauses: Clauses, changes: Partial<Clauses>): Clauses {
  const next = { ...clauses, ...changes }
  const emptyKeys = [
    changes.columns?.length === 0 ? 'aggregations' : '',
    changes.groupings?.length === 0 ? 'groupings' : '',
    changes.orderings?.length === 0 ? 'orderings' : '',
  ]
  return { ...next, notices: next.notices.filter((key) => !emptyKeys.includes(key)) }
}

/** The column that a part of `aggregations` is; null when it cannot be drawn. */
export function columnIn(part: unknown): Column | null {
  return isObject(part) && typeof part.alias === 'string' && Object.hasOwn(part, 'value')
    ? (part as Column)
    : null
}

/** What a column is called: its name, else its alias. */
export function columnName(column: Column): string {
  return typeof column.name === 'string' && column.name !== '' ? column.name : column.alias
}

/** The index of the column that a grouping or ordering means, by its alias or by the same value; -1 for none. */
export function columnMeant(value: unknown, columns: readonly unknown[]): number {
  const alias = fieldIn(value)
  const position = columns.findIndex((part) => alias !== null && columnIn(part)?.alias === alias)
  if (position !== -1) return position
  return columns.findIndex((part) => {
    const column = columnIn(part)
    return column !== null && isSame(column.value, value)
  })
}

/** The indexes of the columns that make groups, in the order of the groupings; without those that no column shows. */
export function groupedColumns({ columns, groupings }: Pick<Clauses, 'columns' | 'groupings'>): number[] {
  return groupings.map((value) => columnMeant(value, columns)).filter((i) => i !== -1)
}
