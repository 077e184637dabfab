import { sql } from 'kysely'
import type { Finding } from '#functions/engine/region/read.ts'
import type { Tx } from '#db/schema.ts'
import { findSqlState } from '#db/unavailable.ts'
import { allowStatements } from '#functions/domain/noun/statement-timeout.ts'
import type { Edition } from './set-areas.ts'

/** The most pairs of areas with overlapping boxes that are compared: areas side by side have about three for each. */
const maxPairs = 200_000
const pairsPerStatement = 1000
/** After this time nothing more is compared: whoever uploads a set is waiting. */
const maxMs = 20_000
/** PostgreSQL: the statement was cancelled, which is what `statement_timeout` does. */
const queryCanceled = '57014'
/** Areas overlap from this share of the smaller one: less is imprecision of their borders. */
const minShare = 0.001

type EditionKey = Pick<Edition, 'boundarySetId' | 'edition'>

/** A pair of areas by their numbers in the file, and what they have in common as a share of the later one. */
interface Overlap {
  number: number
  earlier: number
  share: number
}

/**
 * Finds the areas of an edition that overlap an earlier one, in the order of the file: one finding for each, about the
 * earlier area that it has most in common with. A point in both counts for the earlier one, which is the first that is
 * found for a region column. Never fails because of the time it takes: after `budgetMs` the last finding says that
 * there may be more.
 */
export async function findOverlaps(tx: Tx, edition: EditionKey, budgetMs = maxMs): Promise<Finding[]> {
  await allowStatements(tx, '1min')
  const pairs = await pairsOfBoxes(tx, edition)
  const largest = new Map<number, Overlap>()
  const end = performance.now() + budgetMs
  let at = 0
  for (; at < Math.min(pairs.length, maxPairs); at += pairsPerStatement) {
    const measured = await measureUntil(tx, edition, pairs.slice(at, at + pairsPerStatement), end)
    if (measured === null) break
    for (const overlap of measured)
      if (overlap.share > (largest.get(overlap.number)?.share ?? 0)) largest.set(overlap.number, overlap)
  }
  const findings: Finding[] = [...largest.values()]
    .sort((a, b) => a.number - b.number)
    .map(({ number, earlier, share }) => ({
      ...{ kind: 'noted', number },
      message: `${describeShare(share)} lies in number ${earlier} as well: a point in both counts for number ${earlier}.`,
    }))
  await allowStatements(tx, '1min')
  if (at >= pairs.length) return findings
  const message = 'More areas may overlap than are listed: comparing all of them would take too long.'
  return [...findings, { kind: 'noted', number: null, message }]
}

/** What `measureOverlaps` gives; null when it would take longer than until `end` (of `performance.now()`). */
async function measureUntil(
  tx: Tx,
  edition: EditionKey,
  pairs: [number, number][],
  end: number,
): Promise<Overlap[] | null> {
  const left = Math.floor(end - performance.now())
  if (left < 1) return null
  // A cancelled statement would take the transaction, and so the whole upload, with it.
  await sql`savepoint comparison`.execute(tx)
  try {
    await allowStatements(tx, `${left}ms`)
    const overlaps = await measureOverlaps(tx, edition, pairs)
    await sql`release savepoint comparison`.execute(tx)
    return overlaps
  } catch (error) {
    if (findSqlState(error) !== queryCanceled) throw error
    await sql`rollback to savepoint comparison`.execute(tx)
    return null
  }
}

/** The pairs of areas whose boxes overlap, the earlier area second; one more than `maxPairs` where there are more. */
async function pairsOfBoxes(tx: Tx, { boundarySetId, edition }: EditionKey) {
  interface Box {
    number: number
    west: number
    south: number
    east: number
    north: number
  }
  const { rows } = await sql<Box>`
    select number, ST_XMin(area) as west, ST_YMin(area) as south, ST_XMax(area) as east, ST_YMax(area) as north
    from boundary_set_area where boundary_set_id = ${boundarySetId} and edition = ${edition}::int
    order by west, number`.execute(tx)
  const pairs: [number, number][] = []
  // From west to east: a box is compared with those that begin before it ends.
  for (const [i, box] of rows.entries())
    for (let j = i + 1; j < rows.length; j += 1) {
      const other = rows[j] as Box
      if (other.west >= box.east) break
      if (other.south >= box.north || other.north <= box.south) continue
      if (pairs.length > maxPairs) return pairs
      pairs.push([Math.max(box.number, other.number), Math.min(box.number, other.number)])
    }
  return pairs
}

async function measureOverlaps(
  tx: Tx,
  { boundarySetId, edition }: EditionKey,
  pairs: [number, number][],
): Promise<Overlap[]> {
  const editionAreas = sql`boundary_set_area where boundary_set_id = ${boundarySetId} and edition = ${edition}::int`
  const { rows } = await sql<Overlap>`
    with areas as (select number, area from ${editionAreas}),
    overlapping as materialized (
      select pair.number, pair.earlier, ST_Area(ST_Intersection(a.area, b.area)) as common, ST_Area(a.area) as size,
        ST_Area(b.area) as earlier_size
      from unnest(${pairs.map(([number]) => number)}::int[], ${pairs.map(([, earlier]) => earlier)}::int[])
        as pair (number, earlier)
      join areas a on a.number = pair.number join areas b on b.number = pair.earlier
      where ST_Relate(a.area, b.area, '2********'))
    select number, earlier, common / size as share
    from overlapping where common >= ${minShare}::float8 * least(size, earlier_size) order by number, earlier`.execute(
    tx,
  )
  return rows
}

/** The share of an area in words: a part of it is never rounded to all or none of it. */
function describeShare(share: number): string {
  if (share > 0.9999) return 'All of it'
  const percent = Math.min(99.9, Math.max(0.1, share * 100))
  return `${percent < 1 || percent > 99 ? percent.toFixed(1) : percent.toFixed(0)} % of it`
}
