import { dependsOn } from '#functions/platform/cache/depends.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { checkSettings } from './content-settings.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import { changing, storePageVersion } from './page-keeping.ts'
import { getPage } from './pages.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { updateKnown, versionedRows } from '#functions/domain/noun/rows.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { ContentChanges, NewContent } from '#functions/shapes/content.ts'
import { insightsShownBy, type BlockKind, type BlockSettings } from '#functions/shapes/block/index.ts'
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

/** A part is named after its page, for it has no name of its own; the page changes with it. */
const rows = versionedRows('content', async (tx, ctx, verb, row: ContentRow) => {
  const { id, placeId, pageId } = row
  const { title } = await tx
    .selectFrom('page')
    .select('title')
    .where('id', '=', pageId)
    .executeTakeFirstOrThrow()
  await recordActivity(tx, ctx, { verb, type: 'content', id, name: title, placeId })
  const payload = { id: pageId, listChanged: false, ...(isPart(row) && { partsChanged: true }) }
  await emit(tx, { kind: 'page', placeId, payload })
})

/** `settings` as they are stored where the row is written, else as they were read. */
interface ContentRow {
  id: string
  placeId: string | null
  pageId: string
  kind: BlockKind
  settings: string | BlockSettings
}

/** Whether lists of stories may say something else of the page than before: which sources it uses, its picture. */
const isPart = ({ kind, settings }: ContentRow) =>
  kind === 'image' ||
  insightsShownBy({
    kind,
    settings: typeof settings === 'string' ? (JSON.parse(settings) as BlockSettings) : settings,
  }).length > 0

/**
 * The contents of a page (or of all pages of the place that the actor may see), in order. Undefined: the
 * actor sees no such page.
 */
export async function find(ctx: Context, request: NounRequest<ListOptions>) {
  const { pageId } = request.params
  if (pageId !== undefined && !(await getPage(ctx, request))) return undefined
  dependsOn(ctx, { lists: { page: requirePlaceId(request) } })
  const query = visibleContents(ctx, request).$if(pageId !== undefined, (q) =>
    q.where('content.pageId', '=', pageId as string),
  )
  const order = [sortBy('pageId'), sortBy('position', 'asc', 'integer')]
  return listRows(ctx, query, { table: 'content', order }, request.options)
}

/** One content; undefined without one that the actor may see. */
export async function findById(ctx: Context, request: NounRequest) {
  return get(ctx, request)
}

/**
 * Adds a content to a page, at the given position (those after it move) or at the end. HTML is sanitised.
 * Failure `invalid` for settings that do not fit the kind.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewContent>) {
  const { data } = request
  const pageId = request.params.pageId ?? data.pageId
  if (pageId === undefined)
    throw new Failure('invalid', {
      issues: [{ path: ['pageId'], message: 'Required.', validator: 'required' }],
    })
  const target = await getPage(ctx, { params: { ...request.params, pageId }, placeId: request.placeId })
  if (!target) return undefined
  const { kind } = data
  const settings = JSON.stringify(checkSettings(kind, data.settings))
  const { placeId } = target
  const id = await write(ctx, async (tx) => {
    await changing(tx, pageId)
    const position = await makeRoom(tx, pageId, data.position)
    const values = { placeId, pageId, kind, settings, position }
    const id = await rows.insert(tx, ctx, values, { chosenId: data.id })
    await storePageVersion(tx, ctx, pageId)
    return id
  })
  return get(ctx, { params: { contentId: id }, placeId })
}

/** Updates a content's settings or position. HTML is sanitised. Undefined: no such content. */
export async function updateById(ctx: Context, request: NounRequest<unknown, ContentChanges>) {
  const { settings, position } = request.data
  return updateKnown(
    ctx,
    request.data,
    () => get(ctx, request),
    async (row) => {
      const isMoved = position !== undefined && position !== row.position
      await write(ctx, async (tx) => {
        await changing(tx, row.pageId)
        await rows.update(tx, ctx, row, {
          settings: settings && JSON.stringify(checkSettings(row.kind, settings)),
          ...(isMoved && { position: await makeRoom(tx, row.pageId, position) }),
        })
        await storePageVersion(tx, ctx, row.pageId)
      })
    },
  )
}

/** Deletes a content from its page. Undefined: no such content. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const row = await get(ctx, request)
  if (!row) return undefined
  await write(ctx, async (tx) => {
    await changing(tx, row.pageId)
    await rows.softDelete(tx, ctx, row)
    await storePageVersion(tx, ctx, row.pageId)
  })
  return { id: row.id }
}

/** Checks what the schema of a new content cannot: whether the settings fit the kind. */
export function check(_ctx: Context, { data }: NounRequest<unknown, Partial<NewContent>>): void {
  if (data.kind && data.settings) checkSettings(data.kind, data.settings)
}

/** Contents of pages that the actor may see. */
function visibleContents(ctx: Context, request: Pick<NounRequest, 'placeId'>) {
  return ctx.db
    .selectFrom('content')
    .innerJoin('page', 'page.id', 'content.pageId')
    .select(columns)
    .where('content.deletedAt', 'is', null)
    .where('content.placeId', '=', requirePlaceId(request))
    .where(whereRowsVisible(ctx, 'page'))
}

async function get(ctx: Context, request: Pick<NounRequest, 'params' | 'placeId'>) {
  const { pageId } = request.params
  const row = await visibleContents(ctx, request)
    .where('content.id', '=', param(request, 'contentId'))
    .$if(pageId !== undefined, (q) => q.where('content.pageId', '=', pageId as string))
    .executeTakeFirst()
  if (row) dependsOn(ctx, { rows: { page: [row.pageId] } })
  return row
}

/**
 * Returns a free position: the wanted one, after moving the contents from there on, otherwise the one after
 * the last.
 */
async function makeRoom(tx: Tx, pageId: string, position: number | undefined): Promise<number> {
  const { last } = await tx
    .selectFrom('content')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('pageId', '=', pageId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  const end = last === null ? 0 : Number(last) + 1
  if (position === undefined || position >= end) return end
  await tx
    .updateTable('content')
    .set((eb) => ({ position: eb('position', '+', 1) }))
    .where('pageId', '=', pageId)
    .where('position', '>=', position)
    .execute()
  return position
}
