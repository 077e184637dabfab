import { sql, type RawBuilder } from 'kysely'
import { keyLevel, rangesOf, type Box } from '#functions/engine/tile/morton.ts'
import { farther, type Reach } from '../records/reach.ts'
import type { OpenSource } from './open.ts'

/** Far more than a position loses on its way to a cell (1e-13 degrees), far less than a cell is wide (5e-6). */
const margin = 1e-9

/**
 * A condition on the keys of records, under the name of their `table`, that all records touching the box meet, and some near it: the index of a
 * source's keys answers it, where row-level security keeps the one of geometries from being used. The caller asks of
 * what it finds whether it really touches. Undefined where keys do not narrow the records down: the box holds
 * everything, or how far shapes of a source reach is not known.
 */
export function near(sources: OpenSource[], box: Box, table = 't'): RawBuilder<boolean> | undefined {
  const reach = reachOfAll(sources)
  if (!reach) return undefined
  const [wide, high] = [reach[0] + margin, reach[1] + margin]
  const ranges = rangesOf(
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

/** How far the records of all of them reach; null where that is not known of one. */
export function reachOfAll(sources: OpenSource[]): Reach | null {
  let most: Reach = [0, 0]
  for (const { stat } of sources) {
    if (stat.count === 0) continue
    if (!stat.reach) return null
    most = farther(most, stat.reach)
  }
  return most
}
