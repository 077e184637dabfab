import { record } from '#functions/domain/activity/activity.ts'
import { param, placeOf, type NounRequest } from '#functions/domain/noun/requests.ts'
import { withIncludes } from '#functions/domain/noun/includes.ts'
import { insertNew } from '#functions/domain/noun/newId.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import {
  by,
  whereFiltered,
  listPage,
  whereSearched,
  buildOrder,
  total,
} from '#functions/domain/noun/paging.ts'
import { bringBack, gone } from '#functions/domain/noun/restore.ts'
import {
  conflict,
  expectVersion,
  fresh,
  bumpVersion,
  withoutUndefined,
} from '#functions/domain/noun/versions.ts'
import { many, one } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import type { CollectionChanges, NewCollection } from '#functions/shapes/collection.ts'
import type { OneOptions, RestorableOptions } from '#functions/shapes/options.ts'

const columns = [
  'collection.id',
  'collection.placeId',
  'collection.name',
  'collection.notes',
  'collection.visibility',
  'collection.version',
  'collection.createdAt',
  'collection.updatedAt',
] as const

/** The collections of a place that the actor may see, by name. */
export async function find(ctx: Context, asked: NounRequest<RestorableOptions>) {
  const { search, filters, orderings, maxVisibility, visibility, includes, deleted, ...cut } = asked.options
  const { placeId } = asked.params
  const which = deleted
    ? await gone(ctx, 'collection', placeId)
    : many(ctx, 'collection', param(asked, 'placeId'), maxVisibility)
  const query = ctx.db
    .selectFrom('collection')
    .select([...columns, total])
    .where(which)
    .where(whereSearched(search, ['collection.name', 'collection.notes']))
    .where(whereFiltered(filters, 'collection'))
    .$if(visibility !== undefined, (q) => q.where('collection.visibility', '=', visibility as 'public'))
  const found = await listPage(ctx, query, buildOrder(orderings, 'collection', [by('name')]), cut)
  const scope = { placeId: param(asked, 'placeId'), maxVisibility }
  return { ...found, results: await withIncludes(ctx, 'collection', found.results, includes, scope) }
}

/** One collection; undefined when there is none that the actor may see. */
export async function findById(ctx: Context, asked: NounRequest<OneOptions>) {
  const row = await getCollection(ctx, asked)
  if (!row) return undefined
  const scope = { placeId: param(asked, 'placeId') }
  const [collection] = await withIncludes(ctx, 'collection', [row], asked.options.includes, scope)
  return collection
}

/** Makes an empty collection. */
export async function create(ctx: Context, asked: NounRequest<unknown, NewCollection>) {
  const { data } = asked
  const placeId = placeOf(asked)
  const id = await write(ctx, async (tx) => {
    const { name, visibility = 'place' } = data
    const row = { ...withoutUndefined(data), placeId, name, visibility, ...fresh(ctx) }
    const id = await insertNew(tx, ctx, { noun: 'collection', placeId, given: data.id }, (free) =>
      tx
        .insertInto('collection')
        .values({ ...row, id: free })
        .onConflict((c) => c.column('id').doNothing())
        .executeTakeFirst(),
    )
    await record(tx, ctx, { verb: 'created', type: 'collection', id, name, placeId })
    await emit(tx, { kind: 'collection', placeId, payload: { id } })
    return id
  })
  return getCollection(ctx, { params: { collectionId: id }, placeId })
}

/** Changes a collection's name, notes or visibility. */
export async function updateById(ctx: Context, asked: NounRequest<unknown, CollectionChanges>) {
  const row = await getCollection(ctx, asked)
  if (!row) return undefined
  const { version, ...changes } = asked.data
  expectVersion(ctx, version, row)
  const { id, placeId } = row
  await write(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('collection')
      .set({ ...withoutUndefined(changes), ...bumpVersion(ctx, row) })
      .where('id', '=', id)
      .where('version', '=', row.version)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw conflict(row.version, null)
    await record(tx, ctx, {
      verb: 'updated',
      type: 'collection',
      id,
      name: changes.name ?? row.name,
      placeId,
    })
    await emit(tx, { kind: 'collection', placeId, payload: { id } })
  })
  return getCollection(ctx, asked)
}

/** Brings back what was deleted up to 30 days ago; undefined when there is nothing to bring back. */
export async function restore(ctx: Context, asked: NounRequest) {
  return (await bringBack(ctx, 'collection', asked)) ? getCollection(ctx, asked) : undefined
}

/** Puts a collection away with its texts; its insights stay. */
export async function deleteById(ctx: Context, asked: NounRequest) {
  const row = await getCollection(ctx, asked)
  if (!row) return undefined
  const { id, name, placeId } = row
  await write(ctx, async (tx) => {
    await tx
      .updateTable('collection')
      .set({ deletedAt: ctx.now(), ...bumpVersion(ctx, row) })
      .where('id', '=', id)
      .execute()
    await record(tx, ctx, { verb: 'deleted', type: 'collection', id, name, placeId })
    await emit(tx, { kind: 'collection', placeId, payload: { id } })
  })
  return { id }
}

/** One collection that the actor may see, without its insights and texts. */
export async function getCollection(ctx: Context, asked: Pick<NounRequest, 'params' | 'placeId'>) {
  return ctx.db
    .selectFrom('collection')
    .select(columns)
    .where(one(ctx, 'collection', param(asked, 'collectionId'), asked.placeId))
    .executeTakeFirst()
}
