import type { Tx } from '#db/schema.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { clearPyramid, facetName, fieldOfFacet, type PyramidChange } from './pyramid.ts'
import { countCells } from './pyramidCount.ts'
import { hasList, type Tally } from './tally.ts'
import type { WriteTarget } from './write.ts'

/** Different values a field may have to be counted by value on the map: what a legend can hold. */
export const maxFacetValues = 20
/** Facets a source has at most: its counts are then some times those without, whatever its schema. */
export const maxFacets = 3
/** Fields that are followed until it is known which have few values. */
const maxCandidates = 12
/** A write counts a facet anew of so many records at most (a second or so); of more only a recount does. */
const maxCountedAtOnce = 100_000

/** The facets a source could have: its fields of text and boolean, in the order of the schema. */
export function candidates(schema: FieldSchema): string[] {
  return Object.entries(schema)
    .filter(([, { type }]) => hasList(type))
    .slice(0, maxCandidates)
    .map(([key, { type }]) => facetName(key, type))
}

/** The facets of a source that are counted whole. */
export async function keptFacets(tx: Tx, sourceId: string): Promise<string[]> {
  const row = await tx
    .selectFrom('sourceStat')
    .select('facets')
    .where('sourceId', '=', sourceId)
    .executeTakeFirst()
  return row?.facets ?? []
}

/**
 * Those that are to be kept: the first with few values, those kept already before others. Fewer values than a legend
 * holds, but at least one: a field that no record has is nothing to filter by.
 */
export function chosenFacets(schema: FieldSchema, tally: Tally, kept: readonly string[]): string[] {
  const few = candidates(schema).filter((facet) => {
    const values = tally.fields.get(fieldOfFacet(facet))?.values
    return values && values.size > 0 && values.size <= maxFacetValues
  })
  const before = few.filter((facet) => kept.includes(facet))
  return [...before, ...few.filter((facet) => !kept.includes(facet))].slice(0, maxFacets)
}

/**
 * After a write whose counts are settled: which facets are kept from now on, and of those the ones to which the change
 * has to be added. `isWhole`: there was nothing before, so the change is all there is. Others are counted anew
 * here, or wait for a recount when the records are many; those that have too many values by now go.
 */
export async function turnFacets(
  tx: Tx,
  target: WriteTarget,
  schema: FieldSchema,
  { tally, change, kept, isWhole }: { tally: Tally; change: PyramidChange; kept: string[]; isWhole: boolean },
): Promise<string[]> {
  const followed: string[] = []
  const counted: string[] = []
  for (const facet of chosenFacets(schema, tally, kept)) {
    if (change.follows(facet) && (isWhole || kept.includes(facet))) followed.push(facet)
    // What was too much to follow is counted anew as a whole, whatever that takes.
    else if (change.isLost || tally.count <= maxCountedAtOnce) counted.push(facet)
  }
  const now = [...followed, ...counted]
  for (const facet of kept) if (!followed.includes(facet)) await clearPyramid(tx, target.sourceId, facet)
  for (const facet of counted) await countCells(tx, target, facet)
  if (now.join() !== kept.join()) await rememberFacets(tx, target.sourceId, now)
  return followed
}

/** Notes which facets of a source are counted whole. Its stat must be there. */
export async function rememberFacets(tx: Tx, sourceId: string, facets: string[]): Promise<void> {
  await tx.updateTable('sourceStat').set({ facets }).where('sourceId', '=', sourceId).execute()
}
