import { sql } from 'kysely'
import { dataTable, makeTable } from '#db/dataTable.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { keepStat, typeOf } from './change.ts'
import { columnsOf } from './columns.ts'
import { cellsPerTileBits, keyLevel, pyramidZoom } from './morton.ts'
import { settle } from './settle.ts'
import { Tally } from './tally.ts'
import type { Target } from './write.ts'

/**
 * Counts a source's records anew, whatever was kept of them: number, extent, field stats and map cells. The records
 * and their version stay as they are, and no write of the source runs meanwhile. Gives how many records there are;
 * undefined without such a source.
 */
export async function recount(ctx: Context, sourceId: string): Promise<number | undefined> {
  const found = await typeOf(ctx, sourceId)
  if (!found) return undefined
  const { placeId, schema, tableName } = found
  // Fields that are new get their columns first; a data type without a table has no record.
  const table = tableName === null ? null : await makeTable(ctx.db, found)
  return ctx.transaction(async (tx) => {
    const source = await tx
      .selectFrom('source')
      .select('dataVersion')
      .where('id', '=', sourceId)
      .where('deletedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!source) return undefined
    await tx.deleteFrom('clusterPyramid').where('sourceId', '=', sourceId).execute()
    const count = table === null ? 0 : await countIn(tx, table, sourceId)
    // A tally that knows of records and of no field asks the table about each.
    const tally = new Tally(schema, { count, extent: null, fields: {} })
    tally.isExtentStale = true
    if (table !== null && count > 0) {
      const version = source.dataVersion
      const target = {
        table,
        columns: columnsOf(schema),
        sourceId,
        placeId,
        version,
        hasHistory: false,
      }
      await settle(tx, target, tally)
      await countCells(tx, target)
    }
    await keepStat(tx, { sourceId, placeId }, tally.stat())
    return count
  })
}

async function countIn(tx: Tx, table: string, sourceId: string): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from ${dataTable(table)} where source_id = ${sourceId}`.execute(tx.withoutPlugins())
  return Number(rows[0]?.n ?? 0)
}

/**
 * The map cells of all zooms in one statement: the deepest from the records, each coarser one from the deepest. The sums
 * are of the columns and rows of key level, which are every second bit of a key each.
 */
async function countCells(tx: Tx, { table, sourceId, placeId }: Target) {
  const bits = 2 * (keyLevel - cellsPerTileBits - pyramidZoom)
  const mask = (hex: string) => sql`${BigInt(hex).toString()}::bigint`
  const spread = sql`
    select key, key & ${mask('0x5555555555555555')} as x, (key >> 1) & ${mask('0x5555555555555555')} as y
    from ${dataTable(table)} where source_id = ${sourceId} and key is not null`
  // Without "offset 0" the steps would be folded into one expression of many thousand terms.
  const gathered = halvings.reduce(
    (before, [shift, hex]) => sql`
      select key, (x | (x >> ${shift}::int)) & ${mask(hex)} as x, (y | (y >> ${shift}::int)) & ${mask(hex)} as y
      from (${before}) step offset 0`,
    spread,
  )
  await sql`
    insert into cluster_pyramid (source_id, place_id, z, cell, n, sum_x, sum_y)
    with deepest as materialized (
      select key >> ${bits}::int as cell, count(*) as n, sum(x) as x, sum(y) as y from (${gathered}) keys group by 1
    ), cells as (
      select z, cell >> (2 * (${pyramidZoom}::int - z)) as cell, n, x, y
      from deepest, generate_series(0, ${pyramidZoom}::int) z
    )
    select ${sourceId}, ${placeId}, z, cell, sum(n), sum(x), sum(y) from cells group by z, cell`.execute(
    tx.withoutPlugins(),
  )
}

/** How the spread bits of a number move together, pairs, fours, eights and so on. */
const halvings: [shift: number, mask: string][] = [
  [1, '0x3333333333333333'],
  [2, '0x0f0f0f0f0f0f0f0f'],
  [4, '0x00ff00ff00ff00ff'],
  [8, '0x0000ffff0000ffff'],
  [16, '0x00000000ffffffff'],
]
