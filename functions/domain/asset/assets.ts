import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import { recordActivity, type Verb } from '#functions/domain/activity/activity.ts'
import {
  expectFolder,
  getLibrary,
  lockTree,
  createMissingFolderError,
  foldersIn,
  type Library,
} from './asset-library.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import {
  announce,
  confirm,
  fileColumns,
  ownedBy,
  writeRemoving,
} from '#functions/domain/file/files-stored.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { updateKnown, updateRow } from '#functions/domain/noun/rows.ts'
import { emitThemeChange } from '#functions/domain/place/theme-pictures.ts'
import { withoutUndefined } from '#functions/domain/noun/versions.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { mediaPath } from '#functions/engine/media/address.ts'
import type {
  AssetChanges,
  AssetOptions,
  FileIds,
  MediaKind,
  NewAsset,
  NewUpload,
} from '#functions/shapes/asset.ts'
import type { AssetTable, Tx } from '#db/schema.ts'

/** The confirmed files of a library, by name. */
export async function find(ctx: Context, nounRequest: NounRequest<AssetOptions>) {
  const { kind, ...request } = nounRequest.options
  const query = ctx.db
    .selectFrom('asset')
    .select(fileColumns)
    .where(ownedBy(getLibrary(nounRequest)))
    .where('asset.state', '=', 'ready')
    .$if(kind !== undefined, (q) => q.where(isKind(kind ?? 'document')))
  const listing = { table: 'asset', order: [sortBy('name')], searchColumns: ['asset.name', 'asset.alt'] }
  const page = await listRows(ctx, query, listing, request)
  return { ...page, results: page.results.map((row) => presentAsset(ctx, row)) }
}

/** One confirmed file; undefined when the library has no such file. */
export async function findById(ctx: Context, request: Pick<NounRequest, 'params' | 'placeId'>) {
  const row = await get(ctx, getLibrary(request), param(request, 'fileId'))
  return row && presentAsset(ctx, row)
}

/** Announces a file: returns the URL to which its bytes must be sent within 15 minutes, before `create` confirms it. */
export async function getUploadWriteUrl(ctx: Context, request: NounRequest<unknown, NewUpload>) {
  const library = getLibrary(request)
  const { folderId = null } = request.data
  if (folderId !== null) {
    const folder = await ctx.db
      .selectFrom('assetFolder')
      .select('assetFolder.id')
      .where(foldersIn(library))
      .where('assetFolder.id', '=', folderId)
      .executeTakeFirst()
    if (!folder) throw createMissingFolderError(folderId, 'folderId')
  }
  return announce(ctx, library, request.data)
}

/**
 * Confirms an uploaded file, and sets its description. Idempotent: a repeated call returns the same file and ignores the
 * description, since `updateById` is for changes.
 */
export async function create(ctx: Context, request: NounRequest<unknown, NewAsset>) {
  const library = getLibrary(request)
  const { fileId, ...more } = request.data
  await describe(ctx, library, fileId, more)
  const isThere = await confirm(ctx, library, fileId, (tx, file) =>
    recordFileActivity(tx, ctx, library, 'created', file),
  )
  const row = isThere ? await get(ctx, library, fileId) : undefined
  if (!row)
    throw new Failure('invalid', {
      issues: [{ path: ['fileId'], value: fileId, message: 'There is no such file.', validator: 'exists' }],
    })
  return presentAsset(ctx, row)
}

/** Called before the confirmation, so that an invalid description is rejected while the upload can still be confirmed. */
async function describe(ctx: Context, library: Library, id: string, more: Omit<NewAsset, 'fileId'>) {
  const changes = withoutUndefined(more)
  if (!Object.keys(changes).length) return
  await ctx.transaction(async (tx) => {
    if (more.folderId !== undefined) expectFolder(await lockTree(tx, library), more.folderId, 'folderId')
    await tx
      .updateTable('asset')
      .set(changes)
      .where(ownedBy(library))
      .where('asset.id', '=', id)
      .where('asset.state', '=', 'waiting')
      .execute()
  })
}

/** Updates the description of a file, or moves it to another folder (null: the top). */
export async function updateById(ctx: Context, request: NounRequest<unknown, AssetChanges>) {
  const library = getLibrary(request)
  const id = param(request, 'fileId')
  const row = await updateKnown(
    ctx,
    request.data,
    () => get(ctx, library, id),
    (row, changes) =>
      write(ctx, async (tx) => {
        if (changes.folderId !== undefined)
          expectFolder(await lockTree(tx, library), changes.folderId, 'folderId')
        await updateRow(tx, ctx, 'asset', row, changes)
        await recordFileActivity(tx, ctx, library, 'updated', { id, name: changes.name ?? row.name })
        await emitThemeChange(tx, library.placeId, [id])
      }),
  )
  return row && presentAsset(ctx, row)
}

/** Deletes files permanently; `count` is the number of the named ones that existed. */
export async function deleteFiles(ctx: Context, request: NounRequest<unknown, FileIds>) {
  const library = getLibrary(request)
  const which = sql<SqlBool>`(${ownedBy(library)} and asset.id = any(${request.data.ids}::text[]))`
  const removedFiles = await writeRemoving(ctx, async (tx, remove) => {
    const rows = await remove(which)
    for (const { id, name } of rows) await recordFileActivity(tx, ctx, library, 'deleted', { id, name })
    return rows
  })
  return { count: removedFiles.length }
}

function isKind(kind: MediaKind): RawBuilder<SqlBool> {
  if (kind !== 'document') return sql<SqlBool>`asset.type like ${`${kind}/%`}`
  return sql<SqlBool>`asset.type !~ '^(image|video|audio)/'`
}

async function get(ctx: Context, library: Library, id: string) {
  return ctx.db
    .selectFrom('asset')
    .select(fileColumns)
    .where(ownedBy(library))
    .where('asset.state', '=', 'ready')
    .where('asset.id', '=', id)
    .executeTakeFirst()
}

/** A file of a response: with its URL instead of its key in the bucket. */
function presentAsset<Row extends Pick<Selectable<AssetTable>, 'id' | 'name' | 'size' | 'key' | 'state'>>(
  ctx: Context,
  row: Row,
) {
  const { key: _key, state: _state, size, ...rest } = row
  // The database driver returns bigints as text.
  return { ...rest, size: Number(size), url: `${ctx.site.origin}${mediaPath(row)}` }
}

/** Only places have an audit log; changes of a personal library are not logged. */
async function recordFileActivity(
  tx: Tx,
  ctx: Context,
  { placeId }: Library,
  verb: Verb,
  { id, name }: { id: string; name: string },
): Promise<void> {
  if (placeId !== null) await recordActivity(tx, ctx, { verb, type: 'file', id, name, placeId })
}
