import { sql } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { cleanSettings } from './content-settings.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import { changing, isTooLarge, storePageVersion } from './page-keeping.ts'
import { getPage } from './pages.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { updateRow } from '#functions/domain/noun/rows.ts'
import { expectVersion } from '#functions/domain/noun/versions.ts'
import type { Tx } from '#db/schema.ts'
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

/**
 * The versions of a page, newest first, and whether the page is too large for more; undefined when the actor
 * sees no such page.
 */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  const page = await getPage(ctx, request)
  if (!page) return undefined
  const listing = {
    table: 'pageVersion',
    order: [sortBy('number', 'desc', 'integer')],
    searchColumns: ['pageVersion.title'],
  }
  const [list, isOver] = await Promise.all([
    listRows(ctx, selectVersions(ctx, page.id).select(columns), listing, request.options),
    isTooLarge(ctx, page.id),
  ])
  return { ...list, meta: { ...list.meta, isTooLarge: isOver } }
}

/**
 * One version with its contents in order. HTML is sanitised by the current rules. Undefined: no such version.
 */
export async function findById(ctx: Context, request: NounRequest) {
  const page = await getPage(ctx, request)
  if (!page) return undefined
  const row = await selectVersions(ctx, page.id)
    .select([...columns, 'pageVersion.description', 'pageVersion.author', 'pageVersion.contents'])
    .where('pageVersion.id', '=', param(request, 'versionId'))
    .executeTakeFirst()
  return row && { ...row, contents: clean(row.contents) }
}

/**
 * Restores a version of a page. The result is a new version, and the state before it is stored as well, so
 * nothing is lost. Visibility does not change. Failure `conflict` where the page is too large for versions.
 * Undefined: no such version.
 */
export async function restore(ctx: Context, request: NounRequest) {
  const [row, version] = await Promise.all([getPage(ctx, request), findById(ctx, request)])
  if (!row || !version) return undefined
  expectVersion(ctx, undefined, row)
  const { id, placeId } = row
  const { title, description, author, contents } = version
  await write(ctx, async (tx) => {
    if (!(await changing(tx, id)))
      throw new Failure('conflict', {
        message: 'The page is too large to be kept as a version: take parts off first.',
      })
    await updateRow(tx, ctx, 'page', row, { title, description, author })
    const now = ctx.now()
    await tx
      .updateTable('content')
      .set((eb) => ({ deletedAt: now, updatedAt: now, version: eb('version', '+', 1) }))
      .where('pageId', '=', id)
      .where('deletedAt', 'is', null)
      .where(sql<boolean>`id <> all(${contents.map((content) => content.id)}::text[])`)
      .execute()
    await restoreContents(tx, ctx, row, contents)
    await storePageVersion(tx, ctx, id, { kind: 'restored', restoredFrom: version.updatedAt })
    await recordActivity(tx, ctx, { verb: 'reverted', type: 'page', id, name: title, placeId })
    await emit(tx, { kind: 'page', placeId, payload: { id, listChanged: true } })
  })
  return getPage(ctx, request)
}

/**
 * Gives a page the contents of a version. One that was deleted for good since, and whose id is that of another content
 * now, gets a new id.
 */
async function restoreContents(
  tx: Tx,
  ctx: Context,
  { id: pageId, placeId }: { id: string; placeId: string },
  contents: Contents,
): Promise<void> {
  const now = ctx.now()
  const parts = contents.map((content, position) => ({ ...content, position }))
  const own = await tx
    .selectFrom('content')
    .select('id')
    .where('pageId', '=', pageId)
    .where(sql<boolean>`id = any(${parts.map(({ id }) => id)}::text[])`)
    .execute()
  const ownIds = new Set(own.map(({ id }) => id))
  // An unchanged content keeps its row version, so that unsaved edits of others do not conflict for nothing.
  await sql`
    update content c set settings = part -> 'settings', position = (part ->> 'position')::int, deleted_at = null,
      updated_at = ${now}::timestamptz, version = c.version + 1
    from jsonb_array_elements(${JSON.stringify(parts)}::jsonb) part
    where c.page_id = ${pageId} and c.id = part ->> 'id' and (c.deleted_at is not null
      or (c.settings, c.position) is distinct from (part -> 'settings', (part ->> 'position')::int))`.execute(
    tx,
  )
  const insert = (rows: Contents) =>
    sql<{ id: string }>`
    insert into content (id, place_id, page_id, kind, settings, position, created_by, created_at, updated_at)
    select part ->> 'id', ${placeId}, ${pageId}, part ->> 'kind', part -> 'settings', (part ->> 'position')::int,
      ${ctx.actor.user?.id ?? null}::text, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) part
    on conflict (id) do nothing returning id`.execute(tx)
  const missing = parts.filter(({ id }) => !ownIds.has(id))
  if (missing.length === 0) return
  const { rows } = await insert(missing)
  const insertedIds = new Set(rows.map(({ id }) => id))
  const partsToRename = missing.filter(({ id }) => !insertedIds.has(id))
  if (partsToRename.length > 0)
    await insert(partsToRename.map((part) => ({ ...part, id: crypto.randomUUID() })))
}

function selectVersions(ctx: Context, pageId: string) {
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
