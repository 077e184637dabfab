import type { Option } from '../form/field.tsx'

/** A filter of a list. */
export interface ListFilter {
  /** What its select is called; without one the list has no select for it, and its value stands elsewhere on the screen. */
  label?: string
  /** What may be chosen; without them any value counts, and the screen says what there is when it has read it. */
  options?: readonly Option[]
}

interface ListOrder {
  label: string
  field: string
  direction: 'asc' | 'desc'
}

/** Orders that most lists have. */
export const byName: ListOrder = { label: 'By name', field: 'name', direction: 'asc' }
export const lastChanged: ListOrder = { label: 'Last changed first', field: 'updatedAt', direction: 'desc' }
export const newest: ListOrder = { label: 'Newest first', field: 'createdAt', direction: 'desc' }

/** What a list screen offers: its orders (the first is its own), its filters by the names of their parameters, its length. */
export interface ListOffer {
  sorts: Readonly<Record<string, ListOrder>>
  filters?: Readonly<Record<string, ListFilter>>
  pageSize?: number
}

/** A filter without a select that takes these values alone. */
export const oneOf = (values: readonly string[]): ListFilter => ({
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

/** Reads what a list shows from its address. What the screen does not offer counts as not said: an old link still works. */
export function listQuery(url: URL, { sorts, filters = {}, pageSize = 50 }: ListOffer): ListQuery {
  // No text of the database has a NUL.
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

/** Whether a list is asked for a part of its rows: where that is empty, there may be others. */
export const showsPart = ({
  search,
  filters,
  page,
}: Pick<ListQuery, 'search' | 'filters' | 'page'>): boolean =>
  search !== '' || Object.keys(filters).length > 0 || page > 1

/** The address of another page of the list that is shown; everything else of it stays. */
export function pageHref(search: string, page: number): string {
  const params = new URLSearchParams(search)
  if (page <= 1) params.delete('page')
  else params.set('page', String(page))
  const text = params.toString()
  return text ? `?${text}` : '?'
}

/** "51–100 of 212": the first and last row shown, and how many there are. */
export function rangeText(
  { page, pageSize }: Pick<ListQuery, 'page' | 'pageSize'>,
  count: number,
  total: number,
): string {
  const format = (n: number) => n.toLocaleString('en')
  if (count === 0) return `0 of ${format(total)}`
  const first = (page - 1) * pageSize + 1
  if (first === 1 && count === total) return format(total)
  return `${format(first)}–${format(first + count - 1)} of ${format(total)}`
}

/** The noun as it stands after a number: "1 alert", "2 alerts". It is given in its plural. */
export function nounOf(n: number, plural: string): string {
  if (n !== 1) return plural
  return plural === 'people' ? 'person' : plural.replace(/ies$/, 'y').replace(/s$/, '')
}
