import { conditionsIn, toFilters, type Condition } from './condition.ts'
import { isGeometryType, type FieldSchema, type FieldType } from '#functions/shapes/field.ts'

const sortable: FieldType[] = ['text', 'number', 'boolean', 'date']
const pageSize = 50

export interface RecordsQuery {
  search: string
  /** The key of the field to sort by; empty for the default order. */
  sort: string
  direction: 'asc' | 'desc'
  /** The boundary set and area, by name or code, that records must lie in; both empty for anywhere. */
  place: { set: string; area: string }
  /** The conditions on fields; empty for all records. */
  conditions: Condition[]
  page: number
  pageSize: number
  /** The same as options of the API. */
  options: object
}

/** Returns the keys of the fields that records can be sorted by. */
export function sortableKeys(schema: FieldSchema): string[] {
  return Object.keys(schema).filter((key) => sortable.includes(schema[key]?.type ?? 'object'))
}

/** Whether records can be searched: if a text field has `search`. */
export function isSearched(schema: FieldSchema): boolean {
  return Object.values(schema).some(({ type, search }) => type === 'text' && search === true)
}

/**
 * Parses the record query in a URL; days are days in the time zone. Fields that the data type does not have
 * are ignored.
 */
export function recordsQuery(params: URLSearchParams, schema: FieldSchema, timeZone: string): RecordsQuery {
  const text = (name: string) => params.get(name)?.trim() ?? ''
  const keys = sortableKeys(schema)
  const normalizeSortKey = (key: string) => (keys.includes(key) ? key : '')
  const search = isSearched(schema) ? text('search').slice(0, 200) : ''
  const sort = normalizeSortKey(text('sort'))
  const direction = text('direction') === 'desc' ? 'desc' : 'asc'
  const conditions = conditionsIn(params, schema)
  const filters = toFilters(conditions, schema, timeZone)
  const hasPlaces = Object.values(schema).some(({ type }) => isGeometryType(type))
  const area = hasPlaces ? text('area').slice(0, 200) : ''
  const place = { set: hasPlaces ? text('set').slice(0, 64) : '', area }
  const page = Math.min(Math.max(Math.floor(Number(text('page')) || 1), 1), 10_000)
  return {
    ...{ search, sort, direction, place, conditions, page, pageSize },
    options: {
      ...(search ? { search } : {}),
      ...(filters ? { filters } : {}),
      ...(sort ? { orderings: [{ value: { field: `data.${sort}` }, direction }] } : {}),
      limit: pageSize,
      offset: (page - 1) * pageSize,
    },
  }
}

/** Returns the URL with the records sorted by a field, or with the direction reversed if they already are. */
export function sortHref(
  search: string,
  query: Pick<RecordsQuery, 'sort' | 'direction'>,
  key: string,
): string {
  const params = new URLSearchParams(search)
  params.delete('page')
  params.set('sort', key)
  params.set('direction', query.sort === key && query.direction === 'asc' ? 'desc' : 'asc')
  return `?${params.toString()}`
}

/** Returns the URL with one record open; null: with none. */
export function recordHref(search: string, id: string | null): string {
  const params = new URLSearchParams(search)
  if (id === null) params.delete('record')
  else params.set('record', id)
  return `?${params.toString()}`
}
