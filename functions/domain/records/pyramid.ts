import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import { cellsPerTileBits, deinterleave, keyLevel, prefix, pyramidZoom } from './morton.ts'
import { rowsAStatement } from './write.ts'

/** How many records more (or fewer) a cell holds, and what that adds to the sums of their columns and rows. */
interface Change {
  n: number
  x: number
  y: number
}

/**
 * Collects what a write changes in the counts per map cell, zoom 0 to 9. The sums are of whole cells of key level:
 * exact in a double, so adding and taking away never drifts.
 */
export class PyramidChange {
  private readonly deepest = new Map<number, Change>()

  /** `sign` 1: a record with this key came; -1: it went. Null: it has no geometry. */
  count(key: number | null, sign: 1 | -1): void {
    if (key === null) return
    const { x, y } = deinterleave(key)
    gather(this.deepest, prefix(key, keyLevel - cellsPerTileBits - pyramidZoom), {
      n: sign,
      x: sign * x,
      y: sign * y,
    })
  }

  /** Every change, level by level: each coarser one is the sum of the one below. */
  rows(): { z: number; cell: number; change: Change }[] {
    const all: { z: number; cell: number; change: Change }[] = []
    let level = this.deepest
    for (let z = pyramidZoom; z >= 0; z--) {
      const coarser = new Map<number, Change>()
      for (const [cell, change] of level) {
        if (change.n !== 0 || change.x !== 0 || change.y !== 0) all.push({ z, cell, change })
        gather(coarser, Math.floor(cell / 4), change)
      }
      level = coarser
    }
    return all
  }
}

function gather(cells: Map<number, Change>, cell: number, { n, x, y }: Change) {
  const known = cells.get(cell)
  if (!known) return void cells.set(cell, { n, x, y })
  known.n += n
  known.x += x
  known.y += y
}

/** Adds the change to the kept counts of a source. Cells left without a record go. */
export async function applyPyramid(
  tx: Tx,
  { sourceId, placeId }: { sourceId: string; placeId: string },
  change: PyramidChange,
): Promise<void> {
  const rows = change.rows()
  for (let from = 0; from < rows.length; from += rowsAStatement) {
    const slice = rows.slice(from, from + rowsAStatement)
    await sql`
      insert into cluster_pyramid as p (source_id, place_id, z, cell, n, sum_x, sum_y)
      select ${sourceId}, ${placeId}, c.* from unnest(
        ${slice.map(({ z }) => z)}::smallint[], ${slice.map(({ cell }) => cell)}::bigint[],
        ${slice.map((row) => row.change.n)}::int[], ${slice.map((row) => row.change.x)}::double precision[],
        ${slice.map((row) => row.change.y)}::double precision[]) as c (z, cell, n, sum_x, sum_y)
      on conflict (source_id, z, cell) do update
        set n = p.n + excluded.n, sum_x = p.sum_x + excluded.sum_x, sum_y = p.sum_y + excluded.sum_y`.execute(
      tx.withoutPlugins(),
    )
  }
  if (!rows.some((row) => row.change.n < 0)) return
  await sql`delete from cluster_pyramid where source_id = ${sourceId} and n = 0`.execute(tx.withoutPlugins())
}
