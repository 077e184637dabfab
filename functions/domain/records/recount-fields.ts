import type { Tx } from '#db/schema.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { storeStat, type RecordSubject } from './change.ts'
import { buildColumns } from './columns.ts'
import { chooseFacets, rememberFacets } from './facets.ts'
import { clearPyramid, facetName } from './pyramid.ts'
import { countCells } from './pyramid-count.ts'
import { renameReadAsEmpty } from './profile/read-as-empty.ts'
import { settle } from './settle.ts'
import { Tally, type Stat } from './tally.ts'

/**
 * Updates a source's counts to a new schema of its data type, which the table already has. `same`: for each
 * field whose values have not changed, its key in the old schema; the other fields are queried from the
 * table. `isMoved`: the location of records may have changed. The source row must be locked.
 */
export async function recountFields(
  tx: Tx,
  {
    sourceId,
    placeId,
    table,
    schema,
  }: Pick<RecordSubject, 'sourceId' | 'placeId' | 'table'> & { schema: FieldSchema },
  { same, isMoved }: { same: ReadonlyMap<string, string>; isMoved: boolean },
): Promise<void> {
  const row = await tx
    .selectFrom('sourceStat')
    .select(['count', 'extent', 'reach', 'fields', 'facets'])
    .where('sourceId', '=', sourceId)
    .executeTakeFirst()
  // Without a stat there are no records.
  if (!row) return
  const stat: Stat = row
  const fields = Object.entries(stat.fields)
  const stats = [...same].flatMap(([key, was]) =>
    fields.filter(([name]) => name === was).map(([, each]) => [key, each] as const),
  )
  const tally = new Tally(schema, { ...stat, fields: Object.fromEntries(stats) })
  const target = { table, columns: buildColumns(schema), sourceId, placeId, version: 0, hasHistory: false }
  const stays = new Set(
    Object.entries(schema).flatMap(([key, { type }]) => (same.get(key) === key ? facetName(key, type) : [])),
  )
  const keptFacets = isMoved ? [] : row.facets.filter((facet) => stays.has(facet))
  if (isMoved) {
    tally.isExtentStale = true
    tally.reach = null
    await clearPyramid(tx, sourceId)
  } else {
    for (const facet of row.facets) if (!keptFacets.includes(facet)) await clearPyramid(tx, sourceId, facet)
  }
  await settle(tx, target, tally)
  await storeStat(tx, { sourceId, placeId }, tally.stat())
  await renameReadAsEmpty(tx, sourceId, same)
  if (isMoved && tally.count > 0) await countCells(tx, target)
  const facets = chooseFacets(schema, tally, keptFacets)
  for (const facet of keptFacets) if (!facets.includes(facet)) await clearPyramid(tx, sourceId, facet)
  for (const facet of facets) if (!keptFacets.includes(facet)) await countCells(tx, target, facet)
  await rememberFacets(tx, sourceId, facets)
}
