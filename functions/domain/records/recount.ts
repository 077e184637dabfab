import { sql } from 'kysely'
import { dataTable, makeTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { storeStat, requireSame, requireSameType, findSourceDataType } from './change.ts'
import { buildColumns } from './columns.ts'
import { chooseFacets, readStoredFacets, rememberFacets } from './facets.ts'
import { clearPyramid } from './pyramid.ts'
import { countCells } from './pyramid-count.ts'
import { settle } from './settle.ts'
import { Tally } from './tally.ts'

/**
 * Recounts a source from its table, regardless of what is stored: number of records, extent, field stats and
 * map cells. Records and version do not change, and no write of the source runs meanwhile. Returns the number
 * of records; undefined without such a source.
 */
export async function recount(ctx: Context, sourceId: string): Promise<number | undefined> {
  const row = await findSourceDataType(ctx, sourceId)
  if (!row) return undefined
  const { placeId, schema, tableName, typeVersion } = row
  // Missing columns are created first; a data type without a table has no records.
  const table = tableName === null ? null : await makeTable(ctx.db, row)
  return ctx.transaction(async (tx) => {
    const source = await tx
      .selectFrom('source')
      .select(['dataVersion', 'dataTypeId'])
      .where('id', '=', sourceId)
      .where('deletedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!source) return undefined
    requireSameType(source.dataTypeId, row.id)
    const { version } = await tx
      .selectFrom('dataType')
      .select('version')
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
    requireSame(version, typeVersion)
    await clearPyramid(tx, sourceId)
    const count = table === null ? 0 : await countIn(tx, table, sourceId)
    // A tally with records but without field stats makes `settle` query each field from the table.
    const tally = new Tally(schema, { count, extent: null, reach: null, fields: {} })
    tally.isExtentStale = true
    let facets: string[] = []
    if (table !== null && count > 0) {
      const version = source.dataVersion
      const target = {
        table,
        columns: buildColumns(schema),
        sourceId,
        placeId,
        version,
        hasHistory: false,
      }
      await settle(tx, target, tally)
      await countCells(tx, target)
      facets = chooseFacets(schema, tally, await readStoredFacets(tx, sourceId))
      for (const facet of facets) await countCells(tx, target, facet)
    }
    await storeStat(tx, { sourceId, placeId }, tally.stat())
    await rememberFacets(tx, sourceId, facets)
    return count
  })
}

async function countIn(tx: Tx, table: string, sourceId: string): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from ${dataTable(table)} where source_id = ${sourceId}`.execute(tx.withoutPlugins())
  return Number(rows[0]?.n ?? 0)
}
