import { sql } from 'kysely'
import { getColumnName, dataTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import { cellsPerTileBits, keyLevel, pyramidZoom } from '#functions/engine/tile/morton.ts'
import { fieldOfFacet } from './pyramid.ts'
import type { WriteTarget } from './write.ts'

/**
 * Counts the map cells of all zooms from the table, in one statement: the deepest zoom from the records,
 * coarser ones from the deepest; of all records, or of each value of a facet. The source must have no such
 * cells yet. The sums are of column and row numbers at key level, each of which is every second bit of a
 * Morton key.
 */
export async function countCells(
  tx: Tx,
  { table, sourceId, placeId }: Pick<WriteTarget, 'table' | 'sourceId' | 'placeId'>,
  facet?: string,
): Promise<void> {
  const bits = 2 * (keyLevel - cellsPerTileBits - pyramidZoom)
  const mask = (hex: string) => sql`${BigInt(hex).toString()}::bigint`
  const value =
    facet === undefined
      ? sql`null::text`
      : sql`coalesce('=' || ${sql.id(getColumnName(fieldOfFacet(facet)))}::text, '')`
  const spread = sql`
    select key, ${value} as value, key & ${mask('0x5555555555555555')} as x, (key >> 1) & ${mask('0x5555555555555555')} as y
    from ${dataTable(table)} where source_id = ${sourceId} and key is not null`
  // "offset 0" keeps Postgres from merging the steps into one expression of many thousand terms.
  const levels = halvings.reduce(
    (before, [shift, hex]) => sql`
      select key, value, (x | (x >> ${shift}::int)) & ${mask(hex)} as x, (y | (y >> ${shift}::int)) & ${mask(hex)} as y
      from (${before}) step offset 0`,
    spread,
  )
  const into =
    facet === undefined
      ? sql`cluster_pyramid (source_id, place_id, z, cell, n, sum_x, sum_y)`
      : sql`facet_pyramid (source_id, place_id, facet, value, z, cell, n, sum_x, sum_y)`
  const facetColumns = facet === undefined ? sql`` : sql`${facet}, value,`
  // Inserted in the order of their keys, so that the cells of a tile are stored side by side.
  await sql`
    insert into ${into}
    with deepest as materialized (
      select value, key >> ${bits}::int as cell, count(*) as n, sum(x) as x, sum(y) as y from (${levels}) keys group by 1, 2
    ), cells as (
      select value, z, cell >> (2 * (${pyramidZoom}::int - z)) as cell, n, x, y
      from deepest, generate_series(0, ${pyramidZoom}::int) z
    )
    select ${sourceId}, ${placeId}, ${facetColumns} z, cell, sum(n), sum(x), sum(y) from cells
    group by value, z, cell order by z, cell`.execute(tx.withoutPlugins())
}

/** Shifts and masks that compact every second bit of a number, doubling the group size at each step. */
const halvings: [shift: number, mask: string][] = [
  [1, '0x3333333333333333'],
  [2, '0x0f0f0f0f0f0f0f0f'],
  [4, '0x00ff00ff00ff00ff'],
  [8, '0x0000ffff0000ffff'],
  [16, '0x00000000ffffffff'],
]
