import { sql, type Expression, type RawBuilder } from 'kysely'
import type { Context } from '#functions/context.ts'
import type { Column, Condition } from '#functions/shapes/listFilter.ts'
import type { Visibility } from '#db/schema.ts'

/** Where rows are brought from, beyond what the actor may see anyway. */
export interface Scope {
  /** Only rows of this place; null: of all. */
  placeId?: string | null
  maxVisibility?: Visibility | undefined
}

/** What a relation is asked: the related rows of all the given ones at once. */
interface RelationRequest extends Scope {
  /** What the rows have in the column `by`, each once; at least one. */
  keys: string[]
  condition: Condition
  /** How many of each row. */
  limit: number
}

/** A related row and the key of the row it belongs to. */
interface Related<Row> {
  of: string
  row: Row
}

/** How rows of one noun find those of another. */
export interface Relation<Row extends object = object, IsMany extends boolean = boolean> {
  /** What the related rows are: their own relations are this noun's. */
  noun: string
  /** The column of a row by which it finds them. */
  by: string
  /** A list of them, or one (null when there is none). */
  isMany: IsMany
  /** By which columns they can be filtered. */
  columns: Record<string, Column>
  /** One statement, however many rows ask. Only what the actor may see; notes what the answer depends on. */
  load(ctx: Context, request: RelationRequest): Promise<Related<Row>[]>
}

/** A relation as a value: its types follow from what it loads. */
export function relation<Row extends object, const IsMany extends boolean>(
  of: Relation<Row, IsMany>,
): Relation<Row, IsMany> {
  return of
}

/** The first rows of each group of a select that says whose each is (`of`) and which of them (`rank`), in that order. */
export async function firstOf<Row extends { of: string; rank: number }>(
  ctx: Context,
  select: Expression<Row>,
  limit: number,
): Promise<Related<Omit<Row, 'of' | 'rank'>>[]> {
  const { rows } = await sql<Row>`
    select * from ${select} as grouped where rank <= ${limit} order by rank`.execute(ctx.db)
  return rows.map(({ of, rank: _rank, ...row }) => ({ of, row }))
}

/** Which row of its group it is, from 1. */
export function rankInGroup(group: string, order: RawBuilder<unknown>) {
  return sql<number>`(row_number() over (partition by ${sql.ref(group)} order by ${order}))::int`.as('rank')
}
