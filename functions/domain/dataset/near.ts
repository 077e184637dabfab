import { sql, type RawBuilder } from 'kysely'
import { keyLevel, computeKeyRanges, type Box } from '#functions/engine/tile/morton.ts'
import { farther, type Reach } from '../records/reach.ts'
import type { OpenSource } from './open.ts'

/**
 * In degrees: far more than the rounding of a position to a cell (1e-13), far less than a cell's width
 * (5e-6).
 */
const margin = 1e-9

/**
 * A condition on the keys of records (table alias `table`) that every record intersecting the box meets, and
 * some near it. It uses the index on source and key where row-level security prevents that on geometries; the
 * caller checks the candidates exactly. Undefined where it would not narrow anything: the box contains
 * everything, or a source's reach is unknown.
 */
export function whereNearBox(sources: OpenSource[], box: Box, table = 't'): RawBuilder<boolean> | undefined {
  const reach = reachOfAll(sources)
  if (!reach) return undefined
  const [wide, high] = [reach[0] + margin, reach[1] + margin]
  const ranges = computeKeyRanges(
    {
      xmin: Math.min(box.xmin, box.xmax) - wide,
      ymin: Math.min(box.ymin, box.ymax) - high,
      xmax: Math.max(box.xmin, box.xmax) + wide,
      ymax: Math.max(box.ymin, box.ymax) + high,
    },
    keyLevel,
  )
  const [first] = ranges
  if (ranges.length === 1 && first && first[1] - first[0] === 4 ** keyLevel) return undefined
  const key = sql.ref(`${table}.key`)
  const runs = ranges.map(([low, end]) => sql`(${key} >= ${low}::bigint and ${key} < ${end}::bigint)`)
  return sql<boolean>`(${sql.join(runs, sql` or `)})`
}

/** The reach of the records of all these sources; null where that of one is unknown. */
export function reachOfAll(sources: OpenSource[]): Reach | null {
  let most: Reach = [0, 0]
  for (const { stat } of sources) {
    if (stat.count === 0) continue
    if (!stat.reach) return null
    most = farther(most, stat.reach)
  }
  return most
}
