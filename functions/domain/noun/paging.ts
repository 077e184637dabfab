import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely'
import {
  buildPositionConditions,
  buildOrderBy,
  positionIn,
  buildPositionColumn,
  createPageToken,
  type Key,
  type Position,
} from './keyset.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { filterColumns } from '#functions/engine/query/index.ts'
import type { ListFilter } from '#functions/shapes/list-filter.ts'
import type { ChangeFilter, ListOptions, Order, Page } from '#functions/shapes/options.ts'
import { containsPattern } from '#functions/shapes/like-pattern.ts'

const defaultLimit = 100
/** The maximal page size; a larger one is capped, and the response says so. */
const maxLimit = 1000

/** The part of a list to return. `next`: the token for the following page, from the page before. */
interface PageRequest {
  limit?: number | undefined
  offset?: number | undefined
  next?: string | undefined
}

/** The options of a list; all lists differ only in the columns that they filter and order by. */
type ListRequest = Pick<ListOptions, 'search' | 'filters' | 'before' | 'after' | 'orderings' | 'visibility'> &
  PageRequest

/** The order of a list: its name in tokens, and its keys. */
export interface Sort {
  list: string
  keys: Key[]
}

/** The number of rows a page may have: `requestedLimit`, at most `most`. `capped` is `{ limit }` for `meta` where that is fewer than requested, else empty. */
export function capLimit(requestedLimit = defaultLimit, most = maxLimit) {
  const limit = Math.min(requestedLimit, most)
  return { limit, capped: requestedLimit > limit ? { limit } : {} }
}

const total = sql<string>`count(*) over ()`.as('total')

/**
 * Pagination: one page of a select, in an order of `buildOrder`, by `offset` or by the cursor `next`. The total comes with each row, so a
 * page without rows, and one that continues from a cursor, takes a second statement to count. `meta.next`, the cursor of the next page, is
 * absent on the last one; `meta.limit` is there only where the page has fewer rows than requested, because of `most`.
 */
export async function listPage<Tables, Table extends keyof Tables, Row>(
  ctx: Pick<Context, 'settings'>,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { list, keys }: Sort,
  { limit: requestedLimit = defaultLimit, offset = 0, next }: PageRequest,
  most = maxLimit,
): Promise<Page<Row>> {
  const { limit, capped: limitMeta } = capLimit(requestedLimit, most)
  const secrets = ctx.settings
  const after = next === undefined ? null : await positionIn(secrets, list, keys, next)
  const pageQuery = after
    ? query.where(sql<SqlBool>`(${sql.join(buildPositionConditions(keys, after), sql` or `)})`)
    : query
  const rows = (await pageQuery
    .select(total)
    .select(buildPositionColumn(keys).as('standsAt'))
    .orderBy(buildOrderBy(keys))
    .limit(limit + 1)
    .offset(offset)
    .execute()) as (Row & { total: string; standsAt: Position })[]
  const isUnknown = after !== null || (!rows[0] && offset > 0)
  const first = isUnknown ? (await query.select(total).limit(1).execute())[0] : rows[0]
  const pageRows = rows.slice(0, limit)
  const last = rows.length > limit ? pageRows.at(-1) : undefined
  const more = last && { next: await createPageToken(secrets, list, keys, last.standsAt) }
  const results = pageRows.map(({ total: _total, standsAt: _standsAt, ...row }) => row as Row)
  return {
    results,
    meta: {
      results: results.length,
      total: Number((first as { total: string } | undefined)?.total ?? 0),
      ...more,
      ...limitMeta,
    },
  }
}

/** How the rows of a noun are listed. */
export interface Listing {
  /** The table of the columns in filters and orders. */
  table: string
  /** The default order. */
  order: Order[]
  /** Columns that a search looks through; without them it finds every row. */
  searchColumns?: string[]
  /** Instead of `searchColumns`: the rows that match a pattern of `like`. */
  whereLike?: (pattern: string) => RawBuilder<SqlBool>
  /** The real names of columns that are not in `table` or have another name there. */
  columns?: Record<string, string>
  /** The column for the option `visibility`, which is ignored without it. */
  visibility?: string
}

/** One page of a select: searched, filtered and ordered by the options. */
export function listRows<Tables, Table extends keyof Tables, Row>(
  ctx: Pick<Context, 'settings'>,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { table, order, searchColumns = [], whereLike, columns, visibility: column }: Listing,
  { search, filters, before, after, orderings, visibility, limit, offset, next }: ListRequest,
  most?: number,
): Promise<Page<Row>> {
  const row = query
    .where(whereSearched(search, searchColumns, whereLike))
    .where(whereFiltered(filters, table, columns))
    .where(whereChanged(before, table, columns))
    .where(whereChanged(after, table, columns))
    .$if(column !== undefined && visibility !== undefined, (q) =>
      q.where(sql<SqlBool>`${sql.ref(column ?? '')} = ${visibility}`),
    )
  return listPage(ctx, row, buildOrder(orderings, table, order, columns), { limit, offset, next }, most)
}

/** An entry of a default order. */
export const sortBy = (
  column: string,
  direction: Order['direction'] = 'asc',
  type: NonNullable<Order['type']> = 'text',
): Order => ({
  column,
  direction,
  type,
})

/**
 * The order of a list: the requested one, otherwise its own; the id last, so that pages do not overlap.
 * `where`: the real names of columns that are not in `table`.
 */
function buildOrder(
  orderings: Order[] | undefined,
  table: string,
  standard: Order[],
  where: Record<string, string> = {},
): Sort {
  const orders = orderings?.length ? orderings : standard
  const all = orders.some(({ column }) => column === 'id') ? orders : [...orders, sortBy('id')]
  const keys = all.map(({ column, direction, type = 'text' }): Key => {
    const ref = sql.ref(where[column] ?? `${table}.${column}`)
    // Nobody sorts by ids: their order is that of an index.
    const isName = type === 'text' && !/(?:^i|I)d$/.test(column)
    return { name: column, value: isName ? naturally(ref) : ref, type, direction }
  })
  return { list: table, keys }
}

/** Natural order of texts: case-insensitive, digits by their numeric value. `compareNames` is the same in JavaScript. */
const naturally = (text: RawBuilder<unknown>) => sql`${text} collate natural_order`

/**
 * A condition: any of the columns contains the text, ignoring case. `%` and `_` are literal. True without a text, and
 * without columns. `whereLike` replaces the comparison of columns.
 */
export function whereSearched(
  text: string | null | undefined,
  columns: string[],
  whereLike = anyLike(columns),
): RawBuilder<SqlBool> {
  return text ? whereLike(containsPattern(text)) : sql<SqlBool>`true`
}

const anyLike = (columns: string[]) => (pattern: string) =>
  columns.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(${sql.join(
        columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`),
        sql` or `,
      )})`

/** The real name of a column: in `table`, unless `where` says otherwise. */
const getColumnRef = (column: string, table: string, where: Record<string, string>) =>
  sql.ref(where[column] ?? `${table}.${column}`)

/** Rows that were changed before or after a time. */
function whereChanged(
  filter: ChangeFilter | undefined,
  table: string,
  where: Record<string, string> = {},
): RawBuilder<SqlBool> {
  if (!filter) return sql<SqlBool>`true`
  const { columns, than, value } = filter
  const sign = than === '<' ? sql`<` : sql`>`
  const parts = columns.map(
    (column) => sql`${getColumnRef(column, table, where)} ${sign} ${value}::timestamptz`,
  )
  return sql<SqlBool>`(${sql.join(parts, sql` or `)})`
}

/**
 * A condition for rows that match filters of the query language. Columns are in `table`, unless `where` says otherwise;
 * `path`: the position of the filters in the request. Failure `invalid` with all issues.
 */
export function whereFiltered(
  filter: ListFilter | undefined,
  table: string,
  where: Record<string, string> = {},
  path: (string | number)[] = ['filters'],
): RawBuilder<SqlBool> {
  if (!filter) return sql<SqlBool>`true`
  const { input, columns } = filter
  const read = filterColumns(input, columns, (column) => getColumnRef(column, table, where))
  if (read.issues.length)
    throw new Failure('invalid', {
      issues: read.issues.map((issue) => ({ path: [...path, ...issue.path], message: issue.message })),
    })
  return read.where
}
