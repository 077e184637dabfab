import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Condition } from '../shapes/listFilter.ts'
import type { Order, Page } from '../shapes/options.ts'

const defaultLimit = 100

/** A select that can be cut: what every query builder is. */
interface Cut<Row> {
  limit(count: number): Cut<Row>
  offset(count: number): Cut<Row>
  execute(): Promise<Row[]>
}

/** Beside the columns of every list: how many rows match, in each row. */
export const total = sql<string>`count(*) over ()`.as('total')

/** One page of a select that carries `total`. A page beyond the end asks once more, to know the total. */
export async function page<Row extends { total: string }>(
  query: Cut<Row>,
  { limit = defaultLimit, offset = 0 }: { limit?: number; offset?: number },
): Promise<Page<Omit<Row, 'total'>>> {
  const rows = await query.limit(limit).offset(offset).execute()
  const first =
    rows[0] ?? (offset > 0 || limit === 0 ? (await query.limit(1).offset(0).execute())[0] : undefined)
  const results = rows.map(({ total: _total, ...row }) => row)
  return { results, meta: { results: results.length, total: Number(first?.total ?? 0) } }
}

/** Rows whose columns contain the text, in any of them, whatever the case. `%` and `_` are letters. */
export function searched(text: string | null | undefined, columns: string[]): RawBuilder<SqlBool> {
  if (!text) return sql<SqlBool>`true`
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`),
    sql` or `,
  )})`
}

/** Rows that meet a filter. `table` is where its columns are, unless `where` says otherwise. */
export function filtered(
  condition: Condition | undefined,
  table: string,
  where: Record<string, string> = {},
): RawBuilder<SqlBool> {
  if (!condition) return sql<SqlBool>`true`
  if ('column' in condition) {
    const column = sql.ref(where[condition.column] ?? `${table}.${condition.column}`)
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
    parts.map((part) => filtered(part, table, where)),
    word,
  )})`
}

/** The order of a list: what was asked, else its own; the id last, so that pages do not overlap. */
export function ordered(
  orderings: Order[] | undefined,
  table: string,
  standard: RawBuilder<unknown>,
  where: Record<string, string> = {},
): RawBuilder<unknown> {
  const id = sql.ref(where.id ?? `${table}.id`)
  if (!orderings?.length) return sql`${standard}, ${id}`
  const parts = orderings.map(
    ({ column, direction }) =>
      sql`${sql.ref(where[column] ?? `${table}.${column}`)} ${direction === 'desc' ? sql`desc` : sql`asc`}`,
  )
  return sql`${sql.join(parts)}, ${id}`
}
