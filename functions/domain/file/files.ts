import { sql, type SqlBool } from 'kysely'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import {
  announce,
  isAnnouncedFile,
  confirm,
  fileColumns,
  storeSentFile,
  ownedBy,
  writeRemoving,
  type Owner,
} from './files-stored.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { pendingUploadKey } from '#functions/engine/media/keys.ts'
import { mediaPath, buildSignedPath } from '#functions/engine/media/address.ts'
import type { NewFile } from '#functions/shapes/file.ts'
import type { Tx } from '#db/schema.ts'

/** How long the URL of a data file is valid, in ms. */
const readableMs = 15 * 60_000

/** A file of the place itself, such as its logo: announced, uploaded or confirmed. Readable by everyone who has its URL. */
export function createOfPlace(ctx: Context, request: NounRequest<unknown, NewFile>) {
  return create(ctx, getPlaceOwner(request), request.data)
}

/** A data file of a source: announced, uploaded or confirmed. Readable by a URL that expires. */
export function createOfSource(ctx: Context, request: NounRequest<unknown, NewFile>) {
  return create(ctx, getSourceOwner(request), request.data)
}

/** Deletes a file of the place and its bytes. */
export function deleteOfPlace(ctx: Context, request: NounRequest) {
  return remove(ctx, getPlaceOwner(request), param(request, 'fileId'))
}

/** Deletes a file of a source and its bytes; records that were imported from it remain. */
export function deleteOfSource(ctx: Context, request: NounRequest) {
  return remove(ctx, getSourceOwner(request), param(request, 'fileId'))
}

/**
 * The bytes of a source's file, for what imports them: a stream with its type and name. Null when the source has no
 * such file.
 */
export async function openSourceFile(ctx: Context, source: { id: string; placeId: string }, fileId: string) {
  const row = await get(ctx, sourceOwner(source.id, source.placeId), fileId)
  const object = row && (await ctx.files.get(row.key))
  return object
    ? { key: row.key, name: row.name, type: row.type, size: object.size, body: object.body }
    : null
}

/**
 * A file that was announced for a place and uploaded, before somebody confirms it: where its bytes are. Null when there is no such
 * file; Failure `conflict` when it was not uploaded yet.
 */
export async function findAnnouncedFile(ctx: Context, placeId: string, fileId: string) {
  const row = await ctx.db
    .selectFrom('asset')
    .select(['asset.name', 'asset.type', 'asset.size'])
    .where(isAnnouncedFile(placeId))
    .where('asset.id', '=', fileId)
    .executeTakeFirst()
  if (!row) return null
  const key = pendingUploadKey(fileId)
  const object = await ctx.files.head(key)
  if (object?.size !== Number(row.size))
    throw new Failure('conflict', { message: 'The file has not been sent yet.' })
  return { key, name: row.name, type: row.type, size: object.size }
}

/** Whether a source has this file, uploaded and confirmed. */
export async function isSourceFile(ctx: Context, source: { id: string; placeId: string }, fileId: string) {
  return (await get(ctx, sourceOwner(source.id, source.placeId), fileId)) !== undefined
}

async function create(ctx: Context, owner: Owner, data: NewFile) {
  const recordCreation = (tx: Tx, { id, name }: { id: string; name: string }) =>
    recordActivity(tx, ctx, { verb: 'created', type: 'file', id, name, placeId: owner.placeId })
  if ('file' in data) {
    const name = cleanFileName(data.file)
    const id = await storeSentFile(ctx, owner, data.file, name, (tx, fileId) =>
      recordCreation(tx, { id: fileId, name }),
    )
    return presentFile(ctx, owner, id)
  }
  if ('fileId' in data) {
    if (await confirm(ctx, owner, data.fileId, recordCreation)) return presentFile(ctx, owner, data.fileId)
    throw new Failure('invalid', {
      issues: [
        { path: ['fileId'], value: data.fileId, message: 'There is no such file.', validator: 'exists' },
      ],
    })
  }
  const { fileId: id, url, ...upload } = await announce(ctx, owner, data)
  return { id, url, name: data.name, type: data.type, size: data.size, upload: { url, ...upload } }
}

async function remove(ctx: Context, owner: Owner, fileId: string) {
  const which = sql<SqlBool>`(${ownedBy(owner)} and asset.id = ${fileId})`
  const [removal] = await writeRemoving(ctx, async (tx, remove) => {
    const rows = await remove(which)
    for (const { id, name } of rows)
      await recordActivity(tx, ctx, { verb: 'deleted', type: 'file', id, name, placeId: owner.placeId })
    return rows
  })
  return removal && { id: removal.id }
}

async function presentFile(ctx: Context, owner: Owner, id: string) {
  const row = await get(ctx, owner, id)
  if (!row) throw new Failure('conflict', { message: 'The file was deleted in the meantime.' })
  const until = new Date(ctx.now().getTime() + readableMs)
  const path =
    owner.purpose === 'source' ? await buildSignedPath(row, until, ctx.settings.authSecret) : mediaPath(row)
  const { name, type, size } = row
  return { id, url: `${ctx.site.origin}${path}`, name, type, size: Number(size) }
}

async function get(ctx: Context, owner: Owner, id: string) {
  return ctx.db
    .selectFrom('asset')
    .select(fileColumns)
    .where(ownedBy(owner))
    .where('asset.state', '=', 'ready')
    .where('asset.id', '=', id)
    .executeTakeFirst()
}

/** The file name of a form is for display only: without paths and control characters, and never empty. */
function cleanFileName(file: File): string {
  const name = file.name
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Surrogate}]/gu, '')
    .trim()
  return [...name].slice(0, 200).join('') || 'file'
}

function getPlaceOwner(request: NounRequest): Owner {
  return { placeId: requirePlaceId(request), userId: null, purpose: 'place', sourceId: null }
}

function getSourceOwner(request: NounRequest): Owner {
  return sourceOwner(param(request, 'sourceId'), requirePlaceId(request))
}

function sourceOwner(sourceId: string, placeId: string): Owner {
  return { placeId, userId: null, purpose: 'source', sourceId }
}
