import type { Selectable } from 'kysely'
import { requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { changing, storePageVersion } from './page-keeping.ts'
import { sortBy } from '#functions/domain/noun/paging.ts'
import { createPlacedNoun } from '#functions/domain/noun/placed-noun.ts'
import { announceAs, updateKnown, versionedRows } from '#functions/domain/noun/rows.ts'
import { listHiddenParts } from './publishing/hidden-parts.ts'
import { makePublic, showingRights, type ShowingRights } from './publishing/make-public.ts'
import { requireAccessible, requireSeen } from './publishing/require-ready.ts'
import { withoutUndefined } from '#functions/domain/noun/versions.ts'
import { isWider } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import type { NewPage, PageChanges, PublishPage } from '#functions/shapes/page.ts'
import type { Tables, Tx } from '#db/schema.ts'

const columns = [
  'page.id',
  'page.placeId',
  'page.title',
  'page.description',
  'page.author',
  'page.type',
  'page.publish',
  'page.visibility',
  'page.tags',
  'page.publishedAt',
  'page.version',
  'page.createdAt',
  'page.updatedAt',
] as const

type AnnouncedPage = { title: string } & Pick<Selectable<Tables['page']>, 'visibility' | 'publish'>

/** Lists show all properties of a page, so they change with it. */
const rows = versionedRows(
  'page',
  announceAs('page', ({ title }: AnnouncedPage) => title, {
    kind: 'page',
    isListed: ({ visibility, publish }) => visibility === 'public' && publish === 'published',
  }),
)

export const {
  find,
  findById,
  deleteById,
  restore,
  get: getPage,
} = createPlacedNoun({
  noun: 'page',
  select: ({ db }: Context) => db.selectFrom('page').select(columns),
  listing: { order: [sortBy('title')], searchColumns: ['page.title', 'page.description', 'page.author'] },
  rows,
})

/** Creates a page, as a draft unless stated otherwise. */
export async function create(ctx: Context, request: NounRequest<unknown, NewPage>) {
  const { id: value, publish = 'draft', visibility = 'place', ...data } = request.data
  const placeId = requirePlaceId(request)
  const isPublished = publish === 'published'
  const id = await write(ctx, async (tx) => {
    const publishedAt = isPublished ? ctx.now() : null
    const id = await rows.insert(
      tx,
      ctx,
      { ...data, placeId, publish, visibility, publishedAt },
      { chosenId: value },
    )
    await storePageVersion(tx, ctx, id, { kind: isPublished ? 'published' : 'edited' })
    return id
  })
  return getPage(ctx, { params: { pageId: id }, placeId })
}

/** Updates a page. Undefined: no such page. */
export async function updateById(ctx: Context, request: NounRequest<unknown, PageChanges>) {
  return updateKnown(
    ctx,
    request.data,
    () => getPage(ctx, request),
    (row, changes) => update(ctx, row, changes),
  )
}

type StoredPage = NonNullable<Awaited<ReturnType<typeof getPage>>>

async function update(ctx: Context, row: StoredPage, data: PageChanges): Promise<void> {
  const { hidden, version: _version, ...changes } = data
  const { id, placeId } = row
  const isPublished = (changes.publish ?? row.publish) === 'published'
  const isTurned = changes.publish !== undefined && changes.publish !== row.publish
  const rights = hidden === 'makePublic' ? await showingRights(ctx, placeId) : null
  await write(ctx, async (tx) => {
    await changing(tx, id)
    if (isPublished) await requireReady(tx, ctx, row, { ...data, rights })
    const publishedAt = isPublished ? ctx.now() : null
    const verb = isPublished ? 'published' : 'unpublished'
    await rows.update(
      tx,
      ctx,
      row,
      { ...changes, ...(isTurned && { publishedAt }) },
      isTurned ? verb : 'updated',
    )
    await storePageVersion(tx, ctx, id, { kind: isTurned && isPublished ? 'published' : 'edited' })
  })
}

/** Publishes a page for those who may see it; a published one is not changed. */
export async function publish(ctx: Context, request: NounRequest<unknown, PublishPage>) {
  return updateById(ctx, { ...request, data: { ...request.data, publish: 'published' } })
}

/**
 * Checks a page before it gets new readers. Failure `invalid` where it is not accessible to some of them or,
 * for a public page, has parts that not everyone may see and `hidden` does not say what to do about them.
 * With `rights` those parts are made public, also where readers exist already.
 */
async function requireReady(
  tx: Tx,
  ctx: Context,
  row: StoredPage,
  { hidden, rights, ...changes }: PageChanges & { rights: ShowingRights | null },
): Promise<void> {
  const page = { ...row, ...withoutUndefined(changes) }
  const isOpened = row.publish !== 'published' || isWider(page.visibility, row.visibility)
  if (!isOpened && !rights) return
  const blocks = await tx
    .selectFrom('content')
    .select(['id', 'kind', 'settings'])
    .where('pageId', '=', row.id)
    .where('deletedAt', 'is', null)
    .orderBy('position')
    .execute()
  if (isOpened) requireAccessible(page, blocks)
  if (page.visibility !== 'public' || hidden === 'leaveOut') return
  const parts = await listHiddenParts(ctx, tx, row.placeId, blocks)
  if (rights) await makePublic(tx, ctx, row.placeId, parts, rights)
  else requireSeen(parts)
}
