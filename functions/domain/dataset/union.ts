import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import type { Union } from '#functions/engine/query/index.ts'
import type { Datum } from '#functions/shapes/datum.ts'
import { toDatum, rowColumns, type ColumnRead, type Row } from '../records/read.ts'
import { run, type Dataset } from './open.ts'

/** A record with the alias of its join; null for records of the query itself. */
export type AliasedDatum = { _alias: string | null } & Datum

/** A page of a union, in its order: records of the query and of its joins. */
export async function readUnion(ctx: Context, dataset: Dataset, union: Union): Promise<AliasedDatum[]> {
  const unionRows = await run(ctx, dataset, union.query(dataset.scope))
  const rows = await Promise.all(
    union.aliases.map((alias, part) => {
      const join = dataset.joined.find(({ join: offer }) => offer.alias === alias)
      const ids = unionRows.filter((each) => each.part === part).map(({ id }) => id)
      const { from } = alias !== null && join ? { from: sql`${join.table} as t` } : dataset.scope
      return readRows(ctx, dataset, from, join?.readings ?? dataset.readings, ids)
    }),
  )
  return unionRows.flatMap(({ part, id }) => {
    const datum = rows[part]?.get(id)
    // Records deleted since they were selected are left out.
    return datum ? [{ _alias: union.aliases[part] ?? null, ...datum }] : []
  })
}

/** Records by their ids. */
async function readRows(
  ctx: Context,
  dataset: Dataset,
  from: Dataset['scope']['from'],
  readings: ColumnRead[],
  ids: string[],
): Promise<Map<string, Datum>> {
  if (ids.length === 0) return new Map()
  const rows = await run(
    ctx,
    dataset,
    sql<Row>`select ${rowColumns(readings)} from ${from} where t.id = any(${ids}::bigint[])`,
  )
  return new Map(rows.map((row) => [row.id, toDatum(readings, row)]))
}
