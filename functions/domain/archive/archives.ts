import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { isSigned, signature } from '#functions/engine/media/sign.ts'
import { Failure } from '#functions/errors.ts'
import type { ArchiveLink, ArchiveOptions, ArchiveRow } from '#functions/shapes/archive.ts'
import { Download } from '#functions/shapes/download.ts'

/** The key prefix of archives in the bucket of files. */
export const archivesPrefix = 'archives/'
export const archiveKey = (id: string) => `${archivesPrefix}${id}.zip`

const columns = [
  'placeArchive.id',
  'placeArchive.placeId',
  'placeArchive.status',
  'placeArchive.done',
  'placeArchive.files',
  'placeArchive.counts',
  'placeArchive.size',
  'placeArchive.sha256',
  'placeArchive.error',
  'placeArchive.createdBy',
  'placeArchive.createdAt',
  'placeArchive.finishedAt',
  'placeArchive.expiresAt',
] as const

/** The archives of a place, newest first. Expired ones are listed for 30 days. */
export async function find(ctx: Context, request: NounRequest<ArchiveOptions>) {
  const query = ctx.db
    .selectFrom('placeArchive')
    .select(columns)
    .where('placeArchive.placeId', '=', param(request, 'placeId'))
  const order = [sortBy('createdAt', 'desc', 'date')]
  const page = await listRows(ctx, query, { table: 'placeArchive', order }, request.options)
  return { ...page, results: await Promise.all(page.results.map((row) => presentArchive(ctx, row))) }
}

/** One archive; undefined where the place has none with this id. */
export async function findById(ctx: Context, request: Pick<NounRequest, 'params'>) {
  const row = await get(ctx, request)
  return row && presentArchive(ctx, row)
}

/** Queues an archive of a place. `conflict` while one is being made. */
export async function create(ctx: Context, request: Pick<NounRequest, 'placeId'>) {
  const placeId = requirePlaceId(request)
  const id = crypto.randomUUID()
  await ctx.transaction(async (tx) => {
    const { numInsertedOrUpdatedRows: insertCount } = await tx
      .insertInto('placeArchive')
      .values({ id, placeId, createdBy: ctx.actor.user?.id ?? null, createdAt: ctx.now() })
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    if (!insertCount)
      throw new Failure('conflict', { message: 'An archive of this organization is being made already.' })
    await recordActivity(tx, ctx, { verb: 'created', type: 'archive', id, name: placeId, placeId })
  })
  ctx.wake('jobs')
  return findById(ctx, { params: { placeId, archiveId: id } })
}

/** Deletes an archive with its bytes; cancels one that is being made. */
export async function deleteById(ctx: Context, request: Pick<NounRequest, 'params'>) {
  const row = await get(ctx, request)
  if (!row) return undefined
  const { id, placeId } = row
  await ctx.transaction(async (tx) => {
    await tx.deleteFrom('placeArchive').where('id', '=', id).execute()
    await recordActivity(tx, ctx, { verb: 'deleted', type: 'archive', id, name: placeId, placeId })
  })
  await ctx.files.delete(archiveKey(id))
  return { id }
}

/**
 * Downloads an archive by the link in its row. The link expires with the archive, and the permission is needed as well,
 * so a leaked link gives no access. Undefined for an invalid or expired link.
 */
export async function file(ctx: Context, request: NounRequest<ArchiveLink>) {
  const { expires, signature: value } = request.options
  const row = await get(ctx, request)
  if (!row?.expiresAt || row.status !== 'ready') return undefined
  if (String(row.expiresAt.getTime()) !== expires || row.expiresAt <= ctx.now()) return undefined
  if (!(await isSigned(ctx.settings, 'archive', [row.id, row.placeId, expires], value))) return undefined
  const object = await ctx.files.get(archiveKey(row.id))
  if (!object) return undefined
  const { id, placeId } = row
  await ctx.transaction((tx) =>
    recordActivity(tx, ctx, { verb: 'fetched', type: 'archive', id, name: placeId, placeId }),
  )
  const day = row.createdAt.toISOString().slice(0, 10)
  return new Download('application/zip', object.body as ReadableStream<Uint8Array>, `${placeId}-${day}.zip`)
}

type Row = NonNullable<Awaited<ReturnType<typeof get>>>

async function get(ctx: Context, request: Pick<NounRequest, 'params'>) {
  return ctx.db
    .selectFrom('placeArchive')
    .select(columns)
    .where('placeArchive.placeId', '=', param(request, 'placeId'))
    .where('placeArchive.id', '=', param(request, 'archiveId'))
    .executeTakeFirst()
}

async function presentArchive(ctx: Context, row: Row) {
  const { id, placeId, size, expiresAt, status } = row
  const isOver = status === 'ready' && expiresAt !== null && expiresAt <= ctx.now()
  const shownStatus: ArchiveRow['status'] = isOver ? 'expired' : status
  return { ...row, size: size === null ? null : Number(size), status: shownStatus, url: await buildFileUrl() }

  async function buildFileUrl(): Promise<string | null> {
    if (shownStatus !== 'ready' || expiresAt === null) return null
    const expires = String(expiresAt.getTime())
    const expectedSignature = await signature(ctx.settings.authSecret, 'archive', [id, placeId, expires])
    const query = new URLSearchParams({ expires, signature: expectedSignature })
    return `${ctx.site.origin}/v1/places/${placeId}/archives/${id}/file?${query}`
  }
}
