import { requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { sortBy } from '#functions/domain/noun/paging.ts'
import { createPlacedNoun } from '#functions/domain/noun/placed-noun.ts'
import { announceAs, versionedRows } from '#functions/domain/noun/rows.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import type { Context } from '#functions/context.ts'
import type { NewCollection } from '#functions/shapes/collection.ts'

const columns = [
  'collection.id',
  'collection.placeId',
  'collection.name',
  'collection.notes',
  'collection.visibility',
  'collection.tags',
  'collection.version',
  'collection.createdAt',
  'collection.updatedAt',
] as const

const rows = versionedRows(
  'collection',
  announceAs('collection', ({ name }: { name: string }) => name, { kind: 'collection' }),
)

export const {
  find,
  findById,
  updateById,
  deleteById,
  restore,
  get: getCollection,
} = createPlacedNoun({
  noun: 'collection',
  select: ({ db }: Context) => db.selectFrom('collection').select(columns),
  listing: { order: [sortBy('name')], searchColumns: ['collection.name', 'collection.notes'] },
  rows,
})

/** Creates an empty collection. */
export async function create(ctx: Context, request: NounRequest<unknown, NewCollection>) {
  const { id: value, visibility = 'place', ...data } = request.data
  const placeId = requirePlaceId(request)
  const id = await write(ctx, (tx) =>
    rows.insert(tx, ctx, { ...data, placeId, visibility }, { chosenId: value }),
  )
  return getCollection(ctx, { params: { collectionId: id }, placeId })
}
