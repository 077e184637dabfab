import { conditionsIn, filtersOf, type Condition } from './condition.ts'
import { isGeometryType, type FieldSchema, type FieldType } from '#functions/shapes/field.ts'

const sortable: FieldType[] = ['text', 'number', 'boolean', 'date']
const pageSize = 50

export interface RecordsQuery {
  search: string
  /** The key of the field that records are ordered by; empty: as they come. */
  sort: string
  direction: 'asc' | 'desc'
  /** The boundary set and the area of it, by name or code, that records must lie in; both empty: anywhere. */
  place: { set: string; area: string }
  /** What fields must be; none: all records. */
  conditions: Condition[]
  page: number
  pageSize: number
  /** The same as options of the endpoint. */
  options: object
}

/** The fields by which records can be ordered. */
export function sortableKeys(schema: FieldSchema): string[] {
  return Object.keys(schema).filter((key) => sortable.includes(schema[key]?.type ?? 'object'))
}

/** Whether records can be searched: they are where a text of theirs says that it takes part. */
export function isSearched(schema: FieldSchema): boolean {
  return Object.values(schema).some(({ type, search }) => type === 'text' && search === true)
}

/**
 * Reads which records are shown from the address; its days are those of the time zone. What the data type does not have
 * counts as not said.
 */
export function recordsQuery(params: URLSearchParams, schema: FieldSchema, timeZone: string): RecordsQuery {
  const text = (name: string) => params.get(name)?.trim() ?? ''
  const keys = sortableKeys(schema)
  const known = (key: string) => (keys.includes(key) ? key : '')
  const search = isSearched(schema) ? text('search').slice(0, 200) : ''
  const sort = known(text('sort'))
  const direction = text('direction') === 'desc' ? 'desc' : 'asc'
  const conditions = conditionsIn(params, schema)
  const filters = filtersOf(conditions, schema, timeZone)
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

/** The address of the same records ordered by a field: the other way round where they are already. */
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

/** The address of the same records with one of them open; null: with none. */
export function recordHref(search: string, id: string | null): string {
  const params = new URLSearchParams(search)
  if (id === null) params.delete('record')
  else params.set('record', id)
  return `?${params.toString()}`
}
