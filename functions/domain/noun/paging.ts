import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { behind, orderOf, positionIn, positionOf, tokenOf, type Key, type Position } from './keyset.ts'
import type { Context } from '#functions/context.ts'
import type { Condition } from '#functions/shapes/listFilter.ts'
import type { ListOptions, Order, Page } from '#functions/shapes/options.ts'

const defaultLimit = 100
/** The most rows of a page; of more that are asked for it has so many, and says so. */
const maxLimit = 1000

/** The part of a list to return. `next`: the token for the following page, from the page before. */
interface Cut {
  limit?: number | undefined
  offset?: number | undefined
  next?: string | undefined
}

/** What a list may be asked for; of all lists the same, but which columns it filters and orders by. */
type ListRequest = Pick<ListOptions, 'search' | 'filters' | 'before' | 'after' | 'orderings' | 'visibility'> &
  Cut

/** The order of a list: its name in tokens, and its keys. */
export interface Sort {
  list: string
  keys: Key[]
}

const total = sql<string>`count(*) over ()`.as('total')

/**
 * One page of a select, in an order of `buildOrder`. Each row comes with how many match, so a page beyond the end asks once
 * more, to know the total, and so does one that goes on by `next`. `meta.next` is absent on the last page, `meta.limit` unless it is less
 * than was asked for: a page has `most` rows at most.
 */
export async function listPage<Tables, Table extends keyof Tables, Row>(
  ctx: Pick<Context, 'settings'>,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { list, keys }: Sort,
  { limit: requested = defaultLimit, offset = 0, next }: Cut,
  most = maxLimit,
): Promise<Page<Row>> {
  const limit = Math.min(requested, most)
  const secrets = ctx.settings
  const after = next === undefined ? null : await positionIn(secrets, list, keys, next)
  const pageQuery = after ? query.where(sql<SqlBool>`(${sql.join(behind(keys, after), sql` or `)})`) : query
  const rows = (await pageQuery
    .select(total)
    .select(positionOf(keys).as('standsAt'))
    .orderBy(orderOf(keys))
    .limit(limit + 1)
    .offset(offset)
    .execute()) as (Row & { total: string; standsAt: Position })[]
  const isUnknown = after !== null || (!rows[0] && offset > 0)
  const first = isUnknown ? (await query.select(total).limit(1).execute())[0] : rows[0]
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const more = last && { next: await tokenOf(secrets, list, keys, last.standsAt) }
  const results = shown.map(({ total: _total, standsAt: _standsAt, ...row }) => row as Row)
  return {
    results,
    meta: {
      results: results.length,
      total: Number((first as { total: string } | undefined)?.total ?? 0),
      ...more,
      ...(requested > limit && { limit }),
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
  searched?: string[]
  /** The real names of columns that are not in `table` or have another name there. */
  columns?: Record<string, string>
  /** The column for the option `visibility`, which is ignored without it. */
  visibility?: string
}

/** One page of a select: searched, filtered and ordered by the options. */
export function listRows<Tables, Table extends keyof Tables, Row>(
  ctx: Pick<Context, 'settings'>,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { table, order, searched = [], columns, visibility: column }: Listing,
  { search, filters, before, after, orderings, visibility, limit, offset, next }: ListRequest,
  most?: number,
): Promise<Page<Row>> {
  const row = query
    .where(whereSearched(searched.length ? search : null, searched))
    .where(whereFiltered(filters, table, columns))
    .where(whereFiltered(before, table, columns))
    .where(whereFiltered(after, table, columns))
    .$if(column !== undefined && visibility !== undefined, (q) =>
      q.where(sql<SqlBool>`${sql.ref(column ?? '')} = ${visibility}`),
    )
  return listPage(ctx, row, buildOrder(orderings, table, order, columns), { limit, offset, next }, most)
}

/** An entry of a default order. */
export const by = (
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
  const all = orders.some(({ column }) => column === 'id') ? orders : [...orders, by('id')]
  const keys = all.map(({ column, direction, type = 'text' }): Key => {
    const value = sql.ref(where[column] ?? `${table}.${column}`)
    return { name: column, value, type, direction }
  })
  return { list: table, keys }
}

/** A condition: any of the columns contains the text, ignoring case. `%` and `_` are literal. */
export function whereSearched(text: string | null | undefined, columns: string[]): RawBuilder<SqlBool> {
  if (!text) return sql<SqlBool>`true`
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`),
    sql` or `,
  )})`
}

const than = { $gt: sql`>`, $gte: sql`>=`, $lt: sql`<`, $lte: sql`<=` }

/** Rows that meet a filter. `table` is where its columns are, unless `where` says otherwise. */
export function whereFiltered(
  condition: Condition | undefined,
  table: string,
  where: Record<string, string> = {},
): RawBuilder<SqlBool> {
  if (!condition) return sql<SqlBool>`true`
  if ('column' in condition) {
    const column = sql.ref(where[condition.column] ?? `${table}.${condition.column}`)
    if ('than' in condition)
      return sql<SqlBool>`${column} ${than[condition.than]} ${condition.value}::timestamptz`
    const values = condition.values.filter((value) => value !== null)
    const parts = [
      ...(values.length ? [sql`${column} in (${sql.join(values)})`] : []),
      ...(values.length < condition.values.length ? [sql`${column} is null`] : []),
    ]
    const any = parts.length ? sql`(${sql.join(parts, sql` or `)})` : sql`false`
    return condition.isNot ? sql<SqlBool>`(not coalesce(${any}, false))` : sql<SqlBool>`${any}`
  }
  const [parts, word, empty] =
    'all' in condition ? [condition.all, sql` and `, sql`true`] : [condition.any, sql` or `, sql`false`]
  if (!parts.length) return sql<SqlBool>`${empty}`
  return sql<SqlBool>`(${sql.join(
    parts.map((part) => whereFiltered(part, table, where)),
    word,
  )})`
}
