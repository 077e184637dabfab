import { parseFilter, printFilter, type FilterNode } from './filter-model.ts'
import { isObject, isSame, without, type JsonObject } from './json.ts'
import { fieldIn } from './values.ts'

/** An editable column: an aggregation with an alias. */
export interface Column extends JsonObject {
  alias: string
  value: unknown
}

/**
 * A parsed query. Unsupported items stay in their lists unchanged, and unknown members are kept, with the original order of keys, so
 * that unchanged parts are serialized identically.
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

/** Parses a query. */
export function parseClauses(query: JsonObject): Clauses {
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

/** Serializes a query. Empty parts are omitted, unless they were in the original. */
export function serializeClauses(clauses: Clauses): JsonObject {
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

/** The clauses after a change. A list that becomes empty is removed from the query. */
export function changeClauses(clauses: Clauses, changes: Partial<Clauses>): Clauses {
  const next = { ...clauses, ...changes }
  const emptyKeys = [
    changes.columns?.length === 0 ? 'aggregations' : '',
    changes.groupings?.length === 0 ? 'groupings' : '',
    changes.orderings?.length === 0 ? 'orderings' : '',
  ]
  return { ...next, notices: next.notices.filter((key) => !emptyKeys.includes(key)) }
}

/** Parses an item of `aggregations`; null if it cannot be edited. */
export function columnIn(part: unknown): Column | null {
  return isObject(part) && typeof part.alias === 'string' && Object.hasOwn(part, 'value')
    ? (part as Column)
    : null
}

/** The label of a column: its name, else its alias. */
export function columnName(column: Column): string {
  return typeof column.name === 'string' && column.name !== '' ? column.name : column.alias
}

/** The index of the column that a grouping or ordering refers to, by alias or equal value; -1 for none. */
export function columnMeant(value: unknown, columns: readonly unknown[]): number {
  const alias = fieldIn(value)
  const position = columns.findIndex((part) => alias !== null && columnIn(part)?.alias === alias)
  if (position !== -1) return position
  return columns.findIndex((part) => {
    const column = columnIn(part)
    return column !== null && isSame(column.value, value)
  })
}

/** The indexes of the grouped columns, in the order of the groupings; groupings without a column are left out. */
export function groupedColumns({ columns, groupings }: Pick<Clauses, 'columns' | 'groupings'>): number[] {
  return groupings.map((value) => columnMeant(value, columns)).filter((i) => i !== -1)
}
