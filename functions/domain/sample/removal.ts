import { sql } from 'kysely'
import { dataTable } from '#db/data-table.ts'
import type { Context } from '#functions/context.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Sample, SampleThing } from '#functions/shapes/sample.ts'
import { records } from './parts.ts'

/** What the removal of the sample data deletes and keeps. */
export interface Removal extends Pick<Sample, 'isPresent' | 'things' | 'goes' | 'stays'> {
  /** Sample records in a source that is kept for its other records. */
  sampleRecords: { sourceId: string; ids: string[] }[]
}

type SampleUse = Sample['stays'][number]

/**
 * Plans the removal of the sample data: insights and observers that use nothing else are deleted, and so are the
 * importers of a deleted source. A source with other records is kept with those; so is its data type, one that other
 * sources use, and what queries all of its sources. Pages and collections are kept without the deleted figures. What the
 * actor may not see is neither reported nor deleted.
 */
export async function planRemoval(
  ctx: Context,
  placeId: string,
  things: readonly SampleThing[],
): Promise<Removal> {
  const present = things.length ? await presentThings(ctx, placeId, things) : []
  const removal: Removal = {
    isPresent: present.length > 0,
    things: [],
    goes: [],
    stays: [],
    sampleRecords: [],
  }
  if (!present.length) return removal
  const { stays } = removal
  const ids = (noun: SampleThing['noun']) => present.filter((t) => t.noun === noun).map(({ id }) => id)
  const [sourceIds, typeIds] = [ids('source'), ids('dataType')]
  for (const sourceId of sourceIds) {
    const inSource = await recordsIn(ctx, sourceId)
    if (!inSource?.others) continue
    removal.sampleRecords.push({ sourceId, ids: inSource.ids })
    const source = present.find(({ id }) => id === sourceId)
    const others = inSource.others.toLocaleString('en')
    if (source)
      stays.push({
        ...{ noun: 'source', id: sourceId, name: source.name },
        because: `${others} ${inSource.others === 1 ? 'record' : 'records'} that you added ${inSource.others === 1 ? 'is' : 'are'} in it; only the sample’s own go.`,
      })
  }
  const keptSources = new Set(stays.map(({ id }) => id))
  const keptTypes = await typesInUse(ctx, placeId, { typeIds, sourceIds, keptSources }, stays)
  for (const { id, name, noun } of present)
    if (keptTypes.has(id)) stays.push({ noun, id, name, because: 'Sources that are your own use it.' })
  removal.things = present.filter(({ id }) => !keptSources.has(id) && !keptTypes.has(id))
  const removable = {
    sources: sourceIds.filter((id) => !keptSources.has(id)),
    types: typeIds.filter((id) => !keptTypes.has(id)),
  }
  removal.goes = await builtUpon(ctx, placeId, removable, new Set(ids('insight')))
  const insightIds = [...removal.things, ...removal.goes]
    .filter(({ noun }) => noun === 'insight')
    .map(({ id }) => id)
  stays.push(
    ...(await findPages(ctx, placeId, [...insightIds, ...removable.sources], new Set(ids('page')))),
    ...(await findCollections(ctx, placeId, insightIds)),
    ...(await findJoins(ctx, placeId, removable, new Set(insightIds))),
  )
  return removal
}

/** The things whose rows still exist, deleted or not: purged ones need not be remembered. */
export async function listExistingThings(
  ctx: Context,
  things: readonly SampleThing[],
): Promise<SampleThing[]> {
  const present: SampleThing[] = []
  for (const thing of things) {
    const row = await ctx.db
      .selectFrom(thing.noun as 'source')
      .select('id')
      .where('id', '=', thing.id)
      .executeTakeFirst()
    if (row) present.push(thing)
  }
  return present
}

/** The things that exist, in their order, with their names. */
async function presentThings(ctx: Context, placeId: string, things: readonly SampleThing[]) {
  const { rows } = await sql<{
    noun: SampleThing['noun']
    id: string
    name: string
    pageType: string | null
  }>`
    select s.noun, s.id, coalesce(t.name, source.name, i.name, page.title) as name, page.type as page_type
    from (select e->>'noun' as noun, e->>'id' as id, n
        from jsonb_array_elements(${JSON.stringify(things)}::jsonb) with ordinality as e (e, n)) s
      left join data_type t on s.noun = 'dataType' and t.id = s.id and t.deleted_at is null and t.owner_place_id = ${placeId}
      left join source on s.noun = 'source' and source.id = s.id and source.deleted_at is null and source.place_id = ${placeId}
      left join insight i on s.noun = 'insight' and i.id = s.id and i.deleted_at is null and i.place_id = ${placeId}
      left join page on s.noun = 'page' and page.id = s.id and page.deleted_at is null and page.place_id = ${placeId}
    where coalesce(t.id, source.id, i.id, page.id) is not null
    order by s.n`.execute(ctx.db)
  return rows.map(({ pageType, ...thing }) => ({ ...thing, ...(pageType !== null && { pageType }) }))
}

/** The stable ids of the sample records in a source, and the number of others; undefined where it has no table. */
async function recordsIn(
  ctx: Context,
  sourceId: string,
): Promise<{ ids: string[]; others: number } | undefined> {
  const owner = await ctx.db
    .selectFrom('source')
    .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['dataType.tableName', 'sourceStat.count'])
    .where('source.id', '=', sourceId)
    .executeTakeFirst()
  if (!owner?.tableName) return undefined
  const own = records.map(({ id }) => id)
  const { rows } = await sql<{ id: string }>`
    select t.id::text as id from ${dataTable(owner.tableName)} t
    where t.source_id = ${sourceId} and t.external_id = any(${own}::text[])`.execute(ctx.db)
  return { ids: rows.map(({ id }) => id), others: Math.max(0, Number(owner.count ?? 0) - rows.length) }
}

/** The data types that the organization's own sources use; adds these sources to what is kept. */
async function typesInUse(
  ctx: Context,
  placeId: string,
  of: { typeIds: string[]; sourceIds: string[]; keptSources: ReadonlySet<string> },
  stays: SampleUse[],
): Promise<Set<string>> {
  const { typeIds, sourceIds, keptSources } = of
  if (!typeIds.length) return new Set()
  const rows = await ctx.db
    .selectFrom('source')
    .select(['id', 'name', 'dataTypeId'])
    .where('placeId', '=', placeId)
    .where('deletedAt', 'is', null)
    .where('dataTypeId', 'in', typeIds)
    .orderBy('name')
    .execute()
  const inUse = rows.filter(({ id }) => keptSources.has(id) || !sourceIds.includes(id))
  for (const { id, name } of inUse)
    if (!keptSources.has(id))
      stays.push({ noun: 'source', id, name, because: 'It is your own, with a data type of the sample.' })
  return new Set(inUse.map(({ dataTypeId }) => dataTypeId))
}

interface RemovedIds {
  sources: string[]
  types: string[]
}

/** Insights, observers and importers that use nothing but deleted data, without the sample's own insights. */
async function builtUpon(
  ctx: Context,
  placeId: string,
  { sources, types }: RemovedIds,
  own: ReadonlySet<string>,
) {
  const removedDataCondition = sql<boolean>`(source_id = any(${sources}::text[])
    or source_id is null and data_type_id = any(${types}::text[]))`
  const [insights, observers, importers] = await Promise.all([
    ctx.db
      .selectFrom('insight')
      .select(['id', 'name'])
      .where('placeId', '=', placeId)
      .where(whereRowsVisible(ctx, 'insight'))
      .where(removedDataCondition)
      .orderBy('name')
      .execute(),
    ctx.db
      .selectFrom('observer')
      .select(['id', 'name'])
      .where('placeId', '=', placeId)
      .where('deletedAt', 'is', null)
      .where(removedDataCondition)
      .orderBy('name')
      .execute(),
    ctx.db
      .selectFrom('importer')
      .select(['id', 'name'])
      .where('deletedAt', 'is', null)
      .where(sql<boolean>`source_id = any(${sources}::text[])`)
      .orderBy('name')
      .execute(),
  ])
  return [
    ...insights.filter(({ id }) => !own.has(id)).map((row) => ({ noun: 'insight' as const, ...row })),
    ...observers.map((row) => ({ noun: 'observer' as const, ...row })),
    ...importers.map((row) => ({ noun: 'importer' as const, ...row })),
  ]
}

/** The organization's own pages that show something of what is deleted. */
async function findPages(
  ctx: Context,
  placeId: string,
  ids: string[],
  own: ReadonlySet<string>,
): Promise<SampleUse[]> {
  if (!ids.length) return []
  // A text names the insights of its figures as well.
  const patterns = ids.map((id) => `%${id}%`)
  const rows = await ctx.db
    .selectFrom('page')
    .select(['page.id', 'page.title'])
    .where('page.placeId', '=', placeId)
    .where(whereRowsVisible(ctx, 'page'))
    .where(
      sql<boolean>`exists (select from content c where c.page_id = page.id and c.deleted_at is null
        and c.settings::text like any(${patterns}::text[]))`,
    )
    .orderBy('page.title')
    .execute()
  return rows
    .filter(({ id }) => !own.has(id))
    .map(({ id, title }) => ({
      noun: 'page',
      id,
      name: title,
      because: 'It stays without its figures of sample data.',
    }))
}

/** Collections with an insight that is deleted. */
async function findCollections(ctx: Context, placeId: string, insightIds: string[]): Promise<SampleUse[]> {
  if (!insightIds.length) return []
  const rows = await ctx.db
    .selectFrom('collection')
    .select(['collection.id', 'collection.name'])
    .where('collection.placeId', '=', placeId)
    .where(whereRowsVisible(ctx, 'collection'))
    .where(
      sql<boolean>`exists (select from collection_insight e where e.collection_id = collection.id
        and e.insight_id = any(${insightIds}::text[]))`,
    )
    .orderBy('collection.name')
    .execute()
  return rows.map((row) => ({
    noun: 'collection',
    ...row,
    because: 'It stays without its insights of sample data.',
  }))
}

/** Insights of other data that join deleted data. */
async function findJoins(
  ctx: Context,
  placeId: string,
  { sources, types }: RemovedIds,
  removedInsights: ReadonlySet<string>,
): Promise<SampleUse[]> {
  const rows = await ctx.db
    .selectFrom('insight')
    .select(['id', 'name'])
    .where('placeId', '=', placeId)
    .where(whereRowsVisible(ctx, 'insight'))
    .where(
      sql<boolean>`exists (select from jsonb_array_elements(case when jsonb_typeof(query->'joins') = 'array'
          then query->'joins' else '[]' end) j
        where j->>'sourceId' = any(${sources}::text[]) or j->>'dataTypeId' = any(${types}::text[]))`,
    )
    .orderBy('name')
    .execute()
  return rows
    .filter(({ id }) => !removedInsights.has(id))
    .map((row) => ({
      ...{ noun: 'insight' as const, ...row },
      because: 'It joins sample data to your own, and has no answer until you change it.',
    }))
}
