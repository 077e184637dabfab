import { sql } from 'kysely'
import { dataTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import type { Extent } from '#functions/shapes/fields/extent.ts'
import { deinterleave, positionAt } from '#functions/engine/tile/morton.ts'
import type { WriteTarget } from './write.ts'

/**
 * The furthest that shapes extend from the cell of their key, in degrees. A search for what intersects a box
 * looks for keys in the box enlarged by this, and misses none.
 */
export type Reach = [longitude: number, latitude: number]

/** The reach of one record; [0, 0] for a point, which is inside a box exactly if its cell is. */
export function computeReach(key: number, [west, south, east, north]: Extent): Reach {
  if (west === east && south === north) return [0, 0]
  const { x, y } = deinterleave(key)
  const [left, top] = positionAt({ x, y })
  const [right, bottom] = positionAt({ x: x + 1, y: y + 1 })
  return [Math.max(east - left, right - west), Math.max(north - bottom, top - south)]
}

/** The larger of both, per axis. */
export function farther(a: Reach, b: Reach): Reach {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1])]
}

/** The reach of all of a source's records, queried from the table. */
export async function reachIn(tx: Tx, { table, sourceId }: WriteTarget): Promise<Reach> {
  const { rows } = await sql<{ x: number | null; y: number | null }>`
    select max(reach[1]) as x, max(reach[2]) as y from (
      select record_reach(key, geometry) as reach from ${dataTable(table)}
      where source_id = ${sourceId} and key is not null offset 0) each`.execute(tx.withoutPlugins())
  return [rows[0]?.x ?? 0, rows[0]?.y ?? 0]
}
