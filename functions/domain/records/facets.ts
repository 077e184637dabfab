import type { Tx } from '#db/schema.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { clearPyramid, facetName, fieldOfFacet, type PyramidChange } from './pyramid.ts'
import { countCells } from './pyramid-count.ts'
import { hasList, type Tally } from './tally.ts'
import type { WriteTarget } from './write.ts'

/** Most distinct values of a field whose map cells are counted by value: as many as a legend can hold. */
export const maxFacetValues = 20
/** Most facets of a source, which bounds the number of stored map cells whatever the schema. */
export const maxFacets = 3
/** Most fields that a first write counts by value, before it is known which have few values. */
const maxCandidates = 12
/**
 * Most records for which a write counts a facet from the table (about a second); with more, only `recount`
 * does.
 */
const maxCountedAtOnce = 100_000

/**
 * Names of the facets that a schema allows: its first text and boolean fields, in the order of the schema.
 */
export function candidates(schema: FieldSchema): string[] {
  return Object.entries(schema)
    .filter(([, { type }]) => hasList(type))
    .slice(0, maxCandidates)
    .map(([key, { type }]) => facetName(key, type))
}

/** Names of the facets of a source whose map cells are complete. */
export async function readStoredFacets(tx: Tx, sourceId: string): Promise<string[]> {
  const row = await tx
    .selectFrom('sourceStat')
    .select('facets')
    .where('sourceId', '=', sourceId)
    .executeTakeFirst()
  return row?.facets ?? []
}

/**
 * The facets to store from now on, at most `maxFacets`: fields with 1 to `maxFacetValues` distinct values,
 * those stored already first. A field without any value is left out because there is nothing to filter by.
 */
export function chooseFacets(schema: FieldSchema, tally: Tally, oldFacets: readonly string[]): string[] {
  const few = candidates(schema).filter((facet) => {
    const values = tally.fields.get(fieldOfFacet(facet))?.values
    return values && values.size > 0 && values.size <= maxFacetValues
  })
  const before = few.filter((facet) => oldFacets.includes(facet))
  return [...before, ...few.filter((facet) => !oldFacets.includes(facet))].slice(0, maxFacets)
}

/**
 * Decides, after a write and once the tally is settled, which facets are stored, and returns those to which
 * the write's differences have to be added. `isWhole`: the source was empty before, so the differences are
 * all there is. Other facets are counted from the table here, or left to `recount` where the source has many
 * records; facets that now have too many values are deleted.
 */
export async function updateFacets(
  tx: Tx,
  target: WriteTarget,
  schema: FieldSchema,
  {
    tally,
    change,
    oldFacets,
    isWhole,
  }: { tally: Tally; change: PyramidChange; oldFacets: string[]; isWhole: boolean },
): Promise<string[]> {
  const facets: string[] = []
  const counts: string[] = []
  for (const facet of chooseFacets(schema, tally, oldFacets)) {
    if (change.follows(facet) && (isWhole || oldFacets.includes(facet))) facets.push(facet)
    // Where the write had too many cells to hold, everything is counted from the table, however long it
    // takes.
    else if (change.isLost || tally.count <= maxCountedAtOnce) counts.push(facet)
  }
  const now = [...facets, ...counts]
  for (const facet of oldFacets) if (!facets.includes(facet)) await clearPyramid(tx, target.sourceId, facet)
  for (const facet of counts) await countCells(tx, target, facet)
  if (now.join() !== oldFacets.join()) await rememberFacets(tx, target.sourceId, now)
  return facets
}

/** Stores which facets of a source are complete. The source must have a stat. */
export async function rememberFacets(tx: Tx, sourceId: string, facets: string[]): Promise<void> {
  await tx.updateTable('sourceStat').set({ facets }).where('sourceId', '=', sourceId).execute()
}
