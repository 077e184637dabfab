import { record, type Verb } from '#functions/domain/activity/activity.ts'
import { param, placeOf, type NounRequest } from '#functions/domain/noun/requests.ts'
import { settingsOf } from './contentSettings.ts'
import { insertNew } from '#functions/domain/noun/newId.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import { changing, keep } from './pageKeeping.ts'
import { getPage } from './pages.ts'
import { by, whereFiltered, listPage, buildOrder, total } from '#functions/domain/noun/paging.ts'
import {
  conflict,
  expectVersion,
  fresh,
  bumpVersion,
  withoutUndefined,
} from '#functions/domain/noun/versions.ts'
import { whereSeen } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { ContentChanges, NewContent } from '#functions/shapes/content.ts'
import type { ListOptions } from '#functions/shapes/options.ts'
import type { Tx } from '#db/schema.ts'

const columns = [
  'content.id',
  'content.placeId',
  'content.pageId',
  'content.kind',
  'content.settings',
  'content.position',
  'content.version',
  'content.createdAt',
  'content.updatedAt',
] as const

/** The parts of a page (or of all pages of the place that the actor may see), in order. */
export async function find(ctx: Context, asked: NounRequest<ListOptions>) {
  const { filters, orderings, ...cut } = asked.options
  const { pageId } = asked.params
  if (pageId !== undefined && !(await getPage(ctx, asked))) return undefined
  ctx.depends.add(`pages:${placeOf(asked)}`)
  const query = visibleContents(ctx, asked)
    .select(total)
    .$if(pageId !== undefined, (q) => q.where('content.pageId', '=', pageId as string))
    .where(whereFiltered(filters, 'content'))
  const standard = [by('pageId'), by('position', 'asc', 'integer')]
  return listPage(ctx, query, buildOrder(orderings, 'content', standard), cut)
}

/** One part of a page. */
export async function findById(ctx: Context, asked: NounRequest) {
  return get(ctx, asked)
}

/** Adds a part to a page, at its position (the ones behind it move) or as the last. Texts are sanitised here. */
export async function create(ctx: Context, asked: NounRequest<unknown, NewContent>) {
  const { data } = asked
  const pageId = asked.params.pageId ?? data.pageId
  if (pageId === undefined)
    throw new Failure('invalid', {
      issues: [{ path: ['pageId'], message: 'Required.', validator: 'required' }],
    })
  const target = await getPage(ctx, { params: { ...asked.params, pageId }, placeId: asked.placeId })
  if (!target) return undefined
  const settings = JSON.stringify(settingsOf(data.kind, data.settings))
  const { placeId } = target
  const id = await write(ctx, async (tx) => {
    await changing(tx, pageId)
    const position = await makeRoom(tx, pageId, data.position)
    const row = { placeId, pageId, kind: data.kind, settings, position, ...fresh(ctx) }
    const id = await insertNew(tx, ctx, { noun: 'content', placeId, given: data.id }, (free) =>
      tx
        .insertInto('content')
        .values({ ...row, id: free })
        .onConflict((c) => c.column('id').doNothing())
        .executeTakeFirst(),
    )
    await keep(tx, ctx, pageId)
    await note(tx, ctx, 'created', { id, pageId, placeId })
    await emit(tx, { kind: 'page', placeId, payload: { id: pageId, listChanged: false } })
    return id
  })
  return get(ctx, { params: { contentId: id }, placeId })
}

/** Changes what a part says or where it stands. Texts are sanitised here. */
export async function updateById(ctx: Context, asked: NounRequest<unknown, ContentChanges>) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const { version, settings, position } = asked.data
  expectVersion(ctx, version, row)
  const changes = { settings: settings && JSON.stringify(settingsOf(row.kind, settings)) }
  const { id, pageId, placeId } = row
  await write(ctx, async (tx) => {
    await changing(tx, pageId)
    const moved =
      position === undefined || position === row.position
        ? {}
        : { position: await makeRoom(tx, pageId, position) }
    const { numUpdatedRows } = await tx
      .updateTable('content')
      .set({ ...withoutUndefined(changes), ...moved, ...bumpVersion(ctx, row) })
      .where('id', '=', id)
      .where('version', '=', row.version)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw conflict(row.version, null)
    await keep(tx, ctx, pageId)
    await note(tx, ctx, 'updated', row)
    await emit(tx, { kind: 'page', placeId, payload: { id: pageId, listChanged: false } })
  })
  return get(ctx, asked)
}

/** Takes a part off its page. */
export async function deleteById(ctx: Context, asked: NounRequest) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  await write(ctx, async (tx) => {
    await changing(tx, row.pageId)
    await tx
      .updateTable('content')
      .set({ deletedAt: ctx.now(), ...bumpVersion(ctx, row) })
      .where('id', '=', row.id)
      .execute()
    await keep(tx, ctx, row.pageId)
    await note(tx, ctx, 'deleted', row)
    await emit(tx, { kind: 'page', placeId: row.placeId, payload: { id: row.pageId, listChanged: false } })
  })
  return { id: row.id }
}

/** What of a new content its shape does not say: whether the settings fit the kind. */
export function check(_ctx: Context, { data }: NounRequest<unknown, Partial<NewContent>>): void {
  if (data.kind && data.settings) settingsOf(data.kind, data.settings)
}

/** A content is seen where its page is. */
function visibleContents(ctx: Context, asked: Pick<NounRequest, 'placeId'>) {
  return ctx.db
    .selectFrom('content')
    .innerJoin('page', 'page.id', 'content.pageId')
    .select(columns)
    .where('content.deletedAt', 'is', null)
    .where('content.placeId', '=', placeOf(asked))
    .where(whereSeen(ctx, 'page'))
}

async function get(ctx: Context, asked: Pick<NounRequest, 'params' | 'placeId'>) {
  const { pageId } = asked.params
  const row = await visibleContents(ctx, asked)
    .where('content.id', '=', param(asked, 'contentId'))
    .$if(pageId !== undefined, (q) => q.where('content.pageId', '=', pageId as string))
    .executeTakeFirst()
  if (row) ctx.depends.add(`page:${row.pageId}`)
  return row
}

/** A line of the trail about a part; it is named after its page, for it has no name of its own. */
async function note(
  tx: Tx,
  ctx: Context,
  verb: Verb,
  { id, pageId, placeId }: Record<'id' | 'pageId' | 'placeId', string>,
) {
  const { title } = await tx
    .selectFrom('page')
    .select('title')
    .where('id', '=', pageId)
    .executeTakeFirstOrThrow()
  await record(tx, ctx, { verb, type: 'content', id, name: title, placeId })
}

/** A free position: the wanted one, from which the others move on, else the one behind the last. */
async function makeRoom(tx: Tx, pageId: string, wanted: number | undefined): Promise<number> {
  const { last } = await tx
    .selectFrom('content')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('pageId', '=', pageId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  const end = last === null ? 0 : Number(last) + 1
  if (wanted === undefined || wanted >= end) return end
  await tx
    .updateTable('content')
    .set((eb) => ({ position: eb('position', '+', 1) }))
    .where('pageId', '=', pageId)
    .where('position', '>=', wanted)
    .execute()
  return wanted
}
