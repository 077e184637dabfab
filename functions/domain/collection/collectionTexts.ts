import { record, type Verb } from '#functions/domain/activity/activity.ts'
import { param, placeOf, type NounRequest } from '#functions/domain/noun/requests.ts'
import { endOf } from './collectionInsights.ts'
import { getCollection } from './collections.ts'
import { cleanHtml } from '#functions/domain/page/html.ts'
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
import {
  conflict,
  expectVersion,
  fresh,
  bumpVersion,
  withoutUndefined,
} from '#functions/domain/noun/versions.ts'
import { whereSeen } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import type { CollectionTextChanges, NewCollectionText } from '#functions/shapes/collection.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import type { Tx } from '#db/schema.ts'

const columns = [
  'collectionText.id',
  'collectionText.placeId',
  'collectionText.collectionId',
  'collectionText.title',
  'collectionText.html',
  'collectionText.position',
  'collectionText.version',
  'collectionText.createdAt',
  'collectionText.updatedAt',
] as const

/** The texts of a collection, in its order; undefined when there is no such collection that the actor may see. */
export async function find(ctx: Context, asked: NounRequest<ListOptions>) {
  const collection = await getCollection(ctx, asked)
  if (!collection) return undefined
  const { search, filters, orderings, maxVisibility, visibility, includes: _none, ...cut } = asked.options
  const query = ctx.db
    .selectFrom('collectionText')
    .innerJoin('collection', 'collection.id', 'collectionText.collectionId')
    .select([...columns, total])
    .where('collectionText.collectionId', '=', collection.id)
    .where('collectionText.deletedAt', 'is', null)
    .where(whereSeen(ctx, 'collection', maxVisibility))
    .where(whereSearched(search, ['collectionText.title']))
    .where(whereFiltered(filters, 'collectionText'))
    .$if(visibility !== undefined, (q) => q.where('collection.visibility', '=', visibility as 'public'))
  return listPage(
    ctx,
    query,
    buildOrder(orderings, 'collectionText', [by('position', 'asc', 'integer')]),
    cut,
  )
}

/** One text of a collection. */
export async function findById(ctx: Context, asked: NounRequest) {
  return get(ctx, asked)
}

/** Adds a text to a collection, at its position or as the last. Its html is sanitised here. */
export async function create(ctx: Context, asked: NounRequest<unknown, NewCollectionText>) {
  const collection = await getCollection(ctx, asked)
  if (!collection) return undefined
  const { title, html = '', position } = asked.data
  const { id: collectionId, placeId } = collection
  const given = asked.data.id
  const id = await write(ctx, async (tx) => {
    const row = {
      ...{ placeId, collectionId, title, html: cleanHtml(html) },
      position: position ?? (await endOf(tx, collectionId)),
      ...fresh(ctx),
    }
    const id = await insertNew(tx, ctx, { noun: 'collectionText', placeId, given }, (free) =>
      tx
        .insertInto('collectionText')
        .values({ ...row, id: free })
        .onConflict((c) => c.column('id').doNothing())
        .executeTakeFirst(),
    )
    await note(tx, ctx, 'created', { id, collectionId, placeId, title })
    return id
  })
  return get(ctx, { params: { ...asked.params, textId: id }, placeId })
}

/** Changes what a text says or where it stands. Its html is sanitised here. */
export async function updateById(ctx: Context, asked: NounRequest<unknown, CollectionTextChanges>) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const { version, html, ...rest } = asked.data
  expectVersion(ctx, version, row)
  const changes = withoutUndefined({ ...rest, html: html === undefined ? undefined : cleanHtml(html) })
  await write(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('collectionText')
      .set({ ...changes, ...bumpVersion(ctx, row) })
      .where('id', '=', row.id)
      .where('version', '=', row.version)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw conflict(row.version, null)
    await note(tx, ctx, 'updated', { ...row, ...changes })
  })
  return get(ctx, asked)
}

/** Takes a text out of its collection. */
export async function deleteById(ctx: Context, asked: NounRequest) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  await write(ctx, async (tx) => {
    await tx
      .updateTable('collectionText')
      .set({ deletedAt: ctx.now(), ...bumpVersion(ctx, row) })
      .where('id', '=', row.id)
      .execute()
    await note(tx, ctx, 'deleted', row)
  })
  return { id: row.id }
}

/** A text is seen where its collection is. */
async function get(ctx: Context, asked: Pick<NounRequest, 'params' | 'placeId'>) {
  const collectionId = param(asked, 'collectionId')
  ctx.depends.add(`collection:${collectionId}`)
  return ctx.db
    .selectFrom('collectionText')
    .innerJoin('collection', 'collection.id', 'collectionText.collectionId')
    .select(columns)
    .where('collectionText.id', '=', param(asked, 'textId'))
    .where('collectionText.collectionId', '=', collectionId)
    .where('collectionText.placeId', '=', placeOf(asked))
    .where('collectionText.deletedAt', 'is', null)
    .where(whereSeen(ctx, 'collection'))
    .executeTakeFirst()
}

/** The line of the trail about a text, and the event that its collection has changed. */
async function note(
  tx: Tx,
  ctx: Context,
  verb: Verb,
  { id, collectionId, placeId, title }: Record<'id' | 'collectionId' | 'placeId' | 'title', string>,
) {
  await record(tx, ctx, { verb, type: 'text', id, name: title, placeId })
  await emit(tx, { kind: 'collection', placeId, payload: { id: collectionId } })
}
