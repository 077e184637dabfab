import { formatNumber } from './number-format.ts'
import type { Option } from '../form/field.tsx'

/** A filter of a list. */
export interface ListFilter {
  /** The label of its select; without one there is no select, and its value is shown elsewhere. */
  label?: string
  /** The options; without them any value is valid, and the screen provides the options after loading. */
  options?: readonly Option[]
}

interface ListOrder {
  label: string
  field: string
  direction: 'asc' | 'desc'
}

/** Common sort orders. */
export const byName: ListOrder = { label: 'By name', field: 'name', direction: 'asc' }
export const lastChanged: ListOrder = { label: 'Last changed first', field: 'updatedAt', direction: 'desc' }
export const newest: ListOrder = { label: 'Newest first', field: 'createdAt', direction: 'desc' }

/** The capabilities of a list screen: sort orders (the first is the default), filters by parameter, page size. */
export interface ListOffer {
  sorts: Readonly<Record<string, ListOrder>>
  filters?: Readonly<Record<string, ListFilter>>
  pageSize?: number
}

/** A filter without a select that accepts only these values. */
export const toListFilter = (values: readonly string[]): ListFilter => ({
  options: values.map((value) => ({ value, label: value })),
})

export interface ListQuery {
  search: string
  sort: string
  /** From 1. */
  page: number
  pageSize: number
  filters: Record<string, string>
  /** The same as options of a list endpoint. */
  options: {
    search?: string
    filters?: Record<string, string>
    orderings: { value: { field: string }; direction: 'asc' | 'desc' }[]
    limit: number
    offset: number
  }
}

/** Parses the state of a list from its URL. Unsupported values are ignored, so that old links work. */
export function listQuery(url: URL, { sorts, filters = {}, pageSize = 50 }: ListOffer): ListQuery {
  // Postgres text cannot contain NUL.
  const text = (name: string) => url.searchParams.get(name)?.replaceAll('\0', '').trim() ?? ''
  const search = text('search').slice(0, 200)
  const names = Object.keys(sorts)
  const sort = names.includes(text('sort')) ? text('sort') : (names[0] ?? '')
  const order = sorts[sort]
  const page = Math.min(Math.max(Math.floor(Number(text('page')) || 1), 1), 10_000)
  const choices = Object.fromEntries(
    Object.entries(filters).flatMap(([name, { options }]) => {
      const value = text(name)
      const isOffered = options ? options.some((option) => option.value === value) : value.length <= 64
      return value && isOffered ? [[name, value]] : []
    }),
  )
  return {
    search,
    sort,
    page,
    pageSize,
    filters: choices,
    options: {
      ...(search ? { search } : {}),
      ...(Object.keys(choices).length ? { filters: choices } : {}),
      orderings: order ? [{ value: { field: order.field }, direction: order.direction }] : [],
      limit: pageSize,
      offset: (page - 1) * pageSize,
    },
  }
}

/** Whether the list is filtered: if it is empty, there may still be rows. */
export const showsPart = ({
  search,
  filters,
  page,
}: Pick<ListQuery, 'search' | 'filters' | 'page'>): boolean =>
  search !== '' || Object.keys(filters).length > 0 || page > 1

/** The URL of another page of the list, with its other parameters. */
export function pageHref(search: string, page: number): string {
  const params = new URLSearchParams(search)
  if (page <= 1) params.delete('page')
  else params.set('page', String(page))
  const text = params.toString()
  return text ? `?${text}` : '?'
}

/** "51–100 of 212": the first and last row shown, and the total. */
export function rangeText(
  { page, pageSize }: Pick<ListQuery, 'page' | 'pageSize'>,
  count: number,
  total: number,
): string {
  const format = (n: number) => formatNumber(n)
  if (count === 0) return `0 of ${format(total)}`
  const first = (page - 1) * pageSize + 1
  if (first === 1 && count === total) return format(total)
  return `${format(first)}–${format(first + count - 1)} of ${format(total)}`
}

/** The noun after a number: "1 alert", "2 alerts". It is given in the plural. */
export function pickNounForm(n: number, plural: string): string {
  if (n !== 1) return plural
  return plural === 'people' ? 'person' : plural.replace(/ies$/, 'y').replace(/s$/, '')
}
