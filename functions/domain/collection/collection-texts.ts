import { dependsOn } from '#functions/platform/cache/depends.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { readEndPosition } from './collection-insights.ts'
import { getCollection } from './collections.ts'
import { cleanHtml } from '#functions/domain/page/html.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { updateKnown, versionedRows } from '#functions/domain/noun/rows.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import type { CollectionTextChanges, NewCollectionText } from '#functions/shapes/collection.ts'
import type { ListOptions } from '#functions/shapes/options.ts'

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

/** Its collection changes with a text. */
const rows = versionedRows(
  'collectionText',
  async (tx, ctx, verb, row: { id: string; placeId: string | null; collectionId: string; title: string }) => {
    const { id, placeId, title, collectionId } = row
    await recordActivity(tx, ctx, { verb, type: 'text', id, name: title, placeId })
    await emit(tx, { kind: 'collection', placeId, payload: { id: collectionId } })
  },
)

/** The texts of a collection, in its order; undefined when there is no such collection that the actor may see. */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  const collection = await getCollection(ctx, request)
  if (!collection) return undefined
  const query = ctx.db
    .selectFrom('collectionText')
    .innerJoin('collection', 'collection.id', 'collectionText.collectionId')
    .select(columns)
    .where('collectionText.collectionId', '=', collection.id)
    .where('collectionText.deletedAt', 'is', null)
    .where(whereRowsVisible(ctx, 'collection', request.options.maxVisibility))
  const listing = {
    table: 'collectionText',
    order: [sortBy('position', 'asc', 'integer')],
    searchColumns: ['collectionText.title'],
    visibility: 'collection.visibility',
  }
  return listRows(ctx, query, listing, request.options)
}

/** One text of a collection. */
export async function findById(ctx: Context, request: NounRequest) {
  return get(ctx, request)
}

/** Adds a text to a collection, at its position or as the last. Its html is sanitised here. */
export async function create(ctx: Context, request: NounRequest<unknown, NewCollectionText>) {
  const collection = await getCollection(ctx, request)
  if (!collection) return undefined
  const { title, html = '', position } = request.data
  const { id: collectionId, placeId } = collection
  const id = await write(ctx, async (tx) => {
    const values = {
      ...{ placeId, collectionId, title, html: cleanHtml(html) },
      position: position ?? (await readEndPosition(tx, collectionId)),
    }
    return rows.insert(tx, ctx, values, { chosenId: request.data.id })
  })
  return get(ctx, { params: { ...request.params, textId: id }, placeId })
}

/** Updates the content or position of a text. Its HTML is sanitised here. */
export async function updateById(ctx: Context, request: NounRequest<unknown, CollectionTextChanges>) {
  return updateKnown(
    ctx,
    request.data,
    () => get(ctx, request),
    (row, { html, ...rest }) => {
      const changes = { ...rest, html: html === undefined ? undefined : cleanHtml(html) }
      return write(ctx, (tx) => rows.update(tx, ctx, row, changes))
    },
  )
}

/** Removes a text from its collection. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const row = await get(ctx, request)
  if (!row) return undefined
  await write(ctx, (tx) => rows.softDelete(tx, ctx, row))
  return { id: row.id }
}

/** A text is seen where its collection is. */
async function get(ctx: Context, request: Pick<NounRequest, 'params' | 'placeId'>) {
  const collectionId = param(request, 'collectionId')
  dependsOn(ctx, { rows: { collection: [collectionId] } })
  return ctx.db
    .selectFrom('collectionText')
    .innerJoin('collection', 'collection.id', 'collectionText.collectionId')
    .select(columns)
    .where('collectionText.id', '=', param(request, 'textId'))
    .where('collectionText.collectionId', '=', collectionId)
    .where('collectionText.placeId', '=', requirePlaceId(request))
    .where('collectionText.deletedAt', 'is', null)
    .where(whereRowsVisible(ctx, 'collection'))
    .executeTakeFirst()
}
