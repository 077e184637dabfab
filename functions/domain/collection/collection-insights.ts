import { sql } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { getCollection } from './collections.ts'
import { withIncludes } from '#functions/domain/noun/includes.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { withoutUndefined } from '#functions/domain/noun/versions.ts'
import { whereListVisible, whereOneVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import type { CollectionInsightChanges } from '#functions/shapes/collection.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import type { Tx } from '#db/schema.ts'

const listing = {
  table: 'insight',
  order: [sortBy('position', 'asc', 'integer')],
  searchColumns: ['insight.name', 'insight.notes'],
  columns: { position: 'collectionInsight.position' },
  visibility: 'insight.visibility',
}

/** The insights of a collection that the actor may see, with their settings, in its order. */
export async function find(ctx: Context, nounRequest: NounRequest<ListOptions>) {
  const collection = await getCollection(ctx, nounRequest)
  if (!collection) return undefined
  const { maxVisibility, includes, ...request } = nounRequest.options
  const placeId = requirePlaceId(nounRequest)
  const query = ctx.db
    .selectFrom('collectionInsight')
    .innerJoin('insight', 'insight.id', 'collectionInsight.insightId')
    .select(['insight.id', 'insight.name', 'insight.visibility', 'insight.dataTypeId'])
    .select(['insight.visualization', 'collectionInsight.position', 'collectionInsight.notes'])
    .where('collectionInsight.collectionId', '=', collection.id)
    .where(whereListVisible(ctx, 'insight', placeId, maxVisibility))
  const page = await listRows(ctx, query, listing, request)
  const results = await withIncludes(ctx, 'insight', page.results, includes, { placeId, maxVisibility })
  return { ...page, results }
}

/** Adds an insight of the place to a collection or changes its settings there; `removed` removes it. */
export async function updateById(ctx: Context, request: NounRequest<unknown, CollectionInsightChanges>) {
  const collection = await getCollection(ctx, request)
  if (!collection) return undefined
  const { id: collectionId, placeId } = collection
  const insight = await ctx.db
    .selectFrom('insight')
    .select('id')
    .where(whereOneVisible(ctx, 'insight', param(request, 'insightId'), placeId))
    .executeTakeFirst()
  if (!insight) return undefined
  const { removed = false, ...changes } = request.data
  const entry = { collectionId, insightId: insight.id }
  await write(ctx, async (tx) => {
    if (removed) {
      await tx
        .deleteFrom('collectionInsight')
        .where('collectionId', '=', collectionId)
        .where('insightId', '=', insight.id)
        .execute()
    } else {
      const values = withoutUndefined(changes)
      await tx
        .insertInto('collectionInsight')
        .values({ ...entry, placeId, position: await readEndPosition(tx, collectionId), ...values })
        .onConflict((c) =>
          Object.keys(values).length
            ? c.columns(['collectionId', 'insightId']).doUpdateSet(values)
            : c.columns(['collectionId', 'insightId']).doNothing(),
        )
        .execute()
    }
    const { name } = collection
    await recordActivity(tx, ctx, { verb: 'updated', type: 'collection', id: collectionId, name, placeId })
    await emit(tx, { kind: 'collection', placeId, payload: { id: collectionId } })
  })
  return { ...entry, removed, ...changes }
}

/** The position behind everything in a collection, insights and texts; 0 in an empty one. */
export async function readEndPosition(tx: Tx, collectionId: string): Promise<number> {
  const { rows } = await sql<{ end: number }>`
    select coalesce(max(position) + 1, 0)::int as end from (
      select position from collection_insight where collection_id = ${collectionId}
      union all
      select position from collection_text where collection_id = ${collectionId} and deleted_at is null
    ) as items`.execute(tx)
  return rows[0]?.end ?? 0
}
