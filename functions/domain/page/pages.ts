import { record } from '#functions/domain/activity/activity.ts'
import { param, placeOf, type NounRequest } from '#functions/domain/noun/requests.ts'
import { withIncludes } from '#functions/domain/noun/includes.ts'
import { insertNew } from '#functions/domain/noun/newId.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import { changing, keep } from './pageKeeping.ts'
import {
  by,
  whereFiltered,
  listPage,
  whereSearched,
  buildOrder,
  total,
} from '#functions/domain/noun/paging.ts'
import { hiddenParts } from './publishing/hiddenParts.ts'
import { makePublic, showingRights, type ShowingRights } from './publishing/makePublic.ts'
import { requireAccessible, requireSeen } from './publishing/requireReady.ts'
import { bringBack, gone } from '#functions/domain/noun/restore.ts'
import {
  conflict,
  expectVersion,
  fresh,
  bumpVersion,
  withoutUndefined,
} from '#functions/domain/noun/versions.ts'
import { isWider, many, one } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import type { OneOptions, RestorableOptions } from '#functions/shapes/options.ts'
import type { NewPage, PageChanges, PublishPage } from '#functions/shapes/page.ts'
import type { Tx } from '#db/schema.ts'

const columns = [
  'page.id',
  'page.placeId',
  'page.title',
  'page.description',
  'page.type',
  'page.publish',
  'page.visibility',
  'page.publishedAt',
  'page.version',
  'page.createdAt',
  'page.updatedAt',
] as const

/** The pages of a place that the actor may see, by title. */
export async function find(ctx: Context, asked: NounRequest<RestorableOptions>) {
  const { search, filters, orderings, maxVisibility, visibility, includes, deleted, ...cut } = asked.options
  const { placeId } = asked.params
  const which = deleted
    ? await gone(ctx, 'page', placeId)
    : many(ctx, 'page', param(asked, 'placeId'), maxVisibility)
  const query = ctx.db
    .selectFrom('page')
    .select([...columns, total])
    .where(which)
    .where(whereSearched(search, ['page.title', 'page.description']))
    .where(whereFiltered(filters, 'page'))
    .$if(visibility !== undefined, (q) => q.where('page.visibility', '=', visibility as 'public'))
  const found = await listPage(ctx, query, buildOrder(orderings, 'page', [by('title')]), cut)
  return { ...found, results: await withIncludes(ctx, 'page', found.results, includes) }
}

/** One page; undefined when there is none that the actor may see. `includes=contents` adds its parts in order. */
export async function findById(ctx: Context, asked: NounRequest<OneOptions>) {
  const row = await getPage(ctx, asked)
  if (!row) return undefined
  const [found] = await withIncludes(ctx, 'page', [row], asked.options.includes)
  return found
}

/** Makes a page, a draft unless it says otherwise. */
export async function create(ctx: Context, asked: NounRequest<unknown, NewPage>) {
  const { data } = asked
  const placeId = placeOf(asked)
  const publish = data.publish ?? 'draft'
  const visibility = data.visibility ?? 'place'
  const id = await write(ctx, async (tx) => {
    const row = {
      ...withoutUndefined(data),
      ...{ placeId, publish, visibility, title: data.title, type: data.type },
      publishedAt: publish === 'published' ? ctx.now() : null,
      ...fresh(ctx),
    }
    const id = await insertNew(tx, ctx, { noun: 'page', placeId, given: data.id }, (free) =>
      tx
        .insertInto('page')
        .values({ ...row, id: free })
        .onConflict((c) => c.column('id').doNothing())
        .executeTakeFirst(),
    )
    await keep(tx, ctx, id, { kind: publish === 'published' ? 'published' : 'edited' })
    await record(tx, ctx, { verb: 'created', type: 'page', id, name: data.title, placeId })
    await emit(tx, { kind: 'page', placeId, payload: { id, listChanged: true } })
    return id
  })
  return getPage(ctx, { params: { pageId: id }, placeId })
}

/** Changes a page. Everything about it is shown in lists too, so the lists it stands in change with it. */
export async function updateById(ctx: Context, asked: NounRequest<unknown, PageChanges>) {
  const row = await getPage(ctx, asked)
  if (!row) return undefined
  const { version, hidden, ...changes } = asked.data
  expectVersion(ctx, version, row)
  const { id, placeId } = row
  const publish = changes.publish ?? row.publish
  const turns = publish !== row.publish
  const rights = hidden === 'makePublic' ? await showingRights(ctx, placeId) : null
  await write(ctx, async (tx) => {
    await changing(tx, id)
    if (publish === 'published') await requireReady(tx, ctx, row, { ...asked.data, rights })
    const { numUpdatedRows } = await tx
      .updateTable('page')
      .set({
        ...withoutUndefined(changes),
        ...(turns && { publishedAt: publish === 'published' ? ctx.now() : null }),
        ...bumpVersion(ctx, row),
      })
      .where('id', '=', id)
      .where('version', '=', row.version)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw conflict(row.version, null)
    await keep(tx, ctx, id, { kind: turns && publish === 'published' ? 'published' : 'edited' })
    const verb = turns ? (publish === 'published' ? 'published' : 'unpublished') : 'updated'
    await record(tx, ctx, { verb, type: 'page', id, name: changes.title ?? row.title, placeId })
    await emit(tx, { kind: 'page', placeId, payload: { id, listChanged: true } })
  })
  return getPage(ctx, asked)
}

/** Publishes a page for those who may see it. One that is published already stays as it is. */
export async function publish(ctx: Context, asked: NounRequest<unknown, PublishPage>) {
  return updateById(ctx, { ...asked, data: { ...asked.data, publish: 'published' } })
}

/**
 * Before a page gets readers that it has not: refuses one that some of them could not take in, or, open to everyone, of which
 * they would not see all, unless `hidden` says what becomes of that. With `rights` makes it public, whoever reads already.
 */
async function requireReady(
  tx: Tx,
  ctx: Context,
  row: NonNullable<Awaited<ReturnType<typeof getPage>>>,
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
  const parts = await hiddenParts(ctx, tx, row.placeId, blocks)
  if (rights) await makePublic(tx, ctx, row.placeId, parts, rights)
  else requireSeen(parts)
}

/** Brings back what was deleted up to 30 days ago; undefined when there is nothing to bring back. */
export async function restore(ctx: Context, asked: NounRequest) {
  return (await bringBack(ctx, 'page', asked)) ? getPage(ctx, asked) : undefined
}

/** Puts a page away with its contents. */
export async function deleteById(ctx: Context, asked: NounRequest) {
  const row = await getPage(ctx, asked)
  if (!row) return undefined
  const { id, title, placeId } = row
  await write(ctx, async (tx) => {
    await tx
      .updateTable('page')
      .set({ deletedAt: ctx.now(), ...bumpVersion(ctx, row) })
      .where('id', '=', id)
      .execute()
    await record(tx, ctx, { verb: 'deleted', type: 'page', id, name: title, placeId })
    await emit(tx, { kind: 'page', placeId, payload: { id, listChanged: true } })
  })
  return { id }
}

/** A page in the place permission was checked for; undefined when there is none that the actor may see. */
export async function getPage(ctx: Context, asked: Pick<NounRequest, 'params' | 'placeId'>) {
  return ctx.db
    .selectFrom('page')
    .select(columns)
    .where(one(ctx, 'page', param(asked, 'pageId'), asked.placeId))
    .executeTakeFirst()
}
