import { sql, type Expression, type RawBuilder } from 'kysely'
import type { Context } from '#functions/context.ts'
import type { Column, ListFilter } from '#functions/shapes/list-filter.ts'
import type { Visibility } from '#db/schema.ts'

/** Limits on the related rows, beyond what the actor may see. */
export interface Scope {
  /** Only rows of this place; null: of all. */
  placeId?: string | null
  maxVisibility?: Visibility | undefined
}

/** A request for the related rows of all given rows at once. */
interface RelationRequest extends Scope {
  /** The distinct values of the rows' column `by`; at least one. */
  keys: string[]
  /** The rows themselves, with the columns that were read of them. */
  rows: readonly Readonly<Record<string, unknown>>[]
  condition: ListFilter
  /** Most related rows per row. */
  limit: number
}

/** A related row and the key of the row it belongs to. */
interface RelatedRow<Row> {
  of: string
  row: Row
}

/** How rows of one noun are related to those of another. */
export interface Relation<Row extends object = object, IsMany extends boolean = boolean> {
  /** The noun of the related rows, which determines their own relations. */
  noun: string
  /** The column of a row that identifies its related rows. */
  by: string
  /** Whether it is a list of rows, or one (null when there is none). */
  isMany: IsMany
  /** The columns that filters may use. */
  columns: Record<string, Column>
  /**
   * One statement, however many rows there are. Only rows that the actor may see; adds them to what the
   * answer depends on.
   */
  load(ctx: Context, request: RelationRequest): Promise<RelatedRow<Row>[]>
}

/** Defines a relation; its types follow from what it loads. */
export function relation<Row extends object, const IsMany extends boolean>(
  of: Relation<Row, IsMany>,
): Relation<Row, IsMany> {
  return of
}

/**
 * The first rows of each group of a select, which has the group (`of`) and the position in it (`rank`), in
 * that order.
 */
export async function listFirstRows<Row extends { of: string; rank: number }>(
  ctx: Context,
  select: Expression<Row>,
  limit: number,
): Promise<RelatedRow<Omit<Row, 'of' | 'rank'>>[]> {
  const { rows } = await sql<Row>`
    select * from ${select} as grouped where rank <= ${limit} order by rank`.execute(ctx.db)
  return rows.map(({ of, rank: _rank, ...row }) => ({ of, row }))
}

/** The position of a row in its group, from 1. */
export function rankInGroup(group: string, order: RawBuilder<unknown>) {
  return sql<number>`(row_number() over (partition by ${sql.ref(group)} order by ${order}))::int`.as('rank')
}
