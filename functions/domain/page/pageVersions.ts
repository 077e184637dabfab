import { sql } from 'kysely'
import { record } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { cleanSettings } from './contentSettings.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import { changing, isTooLarge, keep } from './pageKeeping.ts'
import { getPage } from './pages.ts'
import { by, listRows } from '#functions/domain/noun/paging.ts'
import { updateRow } from '#functions/domain/noun/rows.ts'
import { expectVersion } from '#functions/domain/noun/versions.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { ListOptions } from '#functions/shapes/options.ts'

const columns = [
  'pageVersion.id',
  'pageVersion.pageId',
  'pageVersion.number',
  'pageVersion.kind',
  'pageVersion.title',
  'pageVersion.restoredFrom',
  'pageVersion.createdBy as authorId',
  'user.name as authorName',
  'pageVersion.createdAt',
  'pageVersion.updatedAt',
] as const

/** What a page was, newest first, and whether it is too large now for more; undefined when there is no such page that the actor may see. */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  const page = await getPage(ctx, request)
  if (!page) return undefined
  const listing = {
    table: 'pageVersion',
    order: [by('number', 'desc', 'integer')],
    searched: ['pageVersion.title'],
  }
  const [list, isOver] = await Promise.all([
    listRows(ctx, versionsOf(ctx, page.id).select(columns), listing, request.options),
    isTooLarge(ctx, page.id),
  ])
  return { ...list, meta: { ...list.meta, isTooLarge: isOver } }
}

/** One version with its contents in order. Its texts are sanitised by the rules of today. */
export async function findById(ctx: Context, request: NounRequest) {
  const page = await getPage(ctx, request)
  if (!page) return undefined
  const row = await versionsOf(ctx, page.id)
    .select([...columns, 'pageVersion.description', 'pageVersion.contents'])
    .where('pageVersion.id', '=', param(request, 'versionId'))
    .executeTakeFirst()
  return row && { ...row, contents: clean(row.contents) }
}

/**
 * Makes a page say what it said in an older version. That is a new version itself, and so is what the page said until
 * now: nothing is lost. Who sees the page stays as it is. `conflict` where the page is too large to be kept.
 */
export async function restore(ctx: Context, request: NounRequest) {
  const [row, version] = await Promise.all([getPage(ctx, request), findById(ctx, request)])
  if (!row || !version) return undefined
  expectVersion(ctx, undefined, row)
  const { id, placeId } = row
  const { title, description, contents } = version
  await write(ctx, async (tx) => {
    if (!(await changing(tx, id)))
      throw new Failure('conflict', {
        say: 'The page is too large to be kept as a version: take parts off first.',
      })
    await updateRow(tx, ctx, 'page', row, { title, description })
    const now = ctx.now()
    await tx
      .updateTable('content')
      .set((eb) => ({ deletedAt: now, updatedAt: now, version: eb('version', '+', 1) }))
      .where('pageId', '=', id)
      .where('deletedAt', 'is', null)
      .where(sql<boolean>`id <> all(${contents.map((content) => content.id)}::text[])`)
      .execute()
    // A part that stands as it stood keeps its version: nobody's unsaved words meet a conflict for nothing.
    await sql`
      insert into content as c (id, place_id, page_id, kind, settings, position, created_by, created_at, updated_at)
      select part ->> 'id', ${placeId}, ${id}, part ->> 'kind', part -> 'settings', place::int - 1,
        ${ctx.actor.user?.id ?? null}::text, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_array_elements(${JSON.stringify(contents)}::jsonb) with ordinality given(part, place)
      on conflict (id) do update set settings = excluded.settings, position = excluded.position, deleted_at = null,
        updated_at = excluded.updated_at, version = c.version + 1
      where c.page_id = excluded.page_id and (c.deleted_at is not null
        or (c.settings, c.position) is distinct from (excluded.settings, excluded.position))`.execute(tx)
    await keep(tx, ctx, id, { kind: 'restored', restoredFrom: version.updatedAt })
    await record(tx, ctx, { verb: 'reverted', type: 'page', id, name: title, placeId })
    await emit(tx, { kind: 'page', placeId, payload: { id, listChanged: true } })
  })
  return getPage(ctx, request)
}

function versionsOf(ctx: Context, pageId: string) {
  return ctx.db
    .selectFrom('pageVersion')
    .leftJoin('user', 'user.id', 'pageVersion.createdBy')
    .where('pageVersion.pageId', '=', pageId)
}

type Contents = { id: string; kind: string; settings: Record<string, unknown> }[]

function clean<Parts extends Contents>(contents: Parts): Parts {
  return contents.map((content) => ({
    ...content,
    settings: cleanSettings(content.kind, content.settings),
  })) as Parts
}
