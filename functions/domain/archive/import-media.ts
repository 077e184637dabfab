import * as v from 'valibot'
import type { Context } from '#functions/context.ts'
import { announce, type Owner } from '#functions/domain/file/files-stored.ts'
import { findSqlState } from '#db/unavailable.ts'
import { toStream } from '#functions/domain/importer/job/objects.ts'
import { storeParts } from '#functions/engine/export/prepared/store.ts'
import { pendingUploadKey, buildStorageKey } from '#functions/engine/media/keys.ts'
import { ArchivedMedia } from '#functions/shapes/archive.ts'
import { NewUpload } from '#functions/shapes/asset.ts'
import { refusal, type ArchiveFile } from './read.ts'
import type { References } from './references.ts'
import type { CallEndpoint } from './writer.ts'

/** The keys of stored bytes, which are deleted if the import fails. */
export interface StoredBytes {
  id: string
  key: string
}

interface MediaImport {
  file: ArchiveFile
  call: CallEndpoint
  references: References
  /** Keys are added before the bytes are stored. */
  bytes: StoredBytes[]
  placeId: string
}

/**
 * Imports a media file as if it were uploaded: announces it, stores its bytes as an upload, and confirms it by the
 * endpoint that validates uploads. Returns its id: the original one if that is free here.
 */
export async function importMedia(
  ctx: Context,
  { file, call, references, bytes, placeId }: MediaImport,
  id: string,
): Promise<string> {
  const name = `media/${id}.json`
  const about = await file.document(name, ArchivedMedia)
  if (about.id !== id) throw refusal([name, 'id'], 'It is not the id that its file is named by.')
  if (file.size(`media/${id}`) !== about.size)
    throw refusal([name, 'size'], 'The file has another length than this.')
  const { purpose, alt, focalX, focalY } = about
  const answer = v.safeParse(NewUpload, { name: about.name, type: about.type, size: about.size })
  if (!answer.success) throw refusal([name], answer.issues[0].message)
  const folderId = about.folderId && references.get('folder', about.folderId, [name, 'folderId'])
  const owner: Owner = { placeId, userId: null, purpose, sourceId: null }
  const assetId = await announceAs(ctx, owner, answer.output, id)
  bytes.push({ id: assetId, key: buildStorageKey(assetId, purpose) })
  await storeParts(
    ctx.files,
    pendingUploadKey(assetId),
    toStream(file.bytes(`media/${id}`)),
    answer.output.type,
  )
  if (purpose === 'library')
    await call(
      ctx,
      'assets.file.create',
      { assetsId: placeId },
      { fileId: assetId, folderId, alt, focalX, focalY },
    )
  else await call(ctx, 'place.file.create', { placeId }, { fileId: assetId })
  references.setMedia(id, assetId, answer.output.name)
  return assetId
}

/** Deletes bytes whose rows were rolled back. */
export async function forgetMedia(ctx: Context, bytes: readonly StoredBytes[]): Promise<void> {
  for (const { id, key } of bytes) await ctx.files.delete([key, pendingUploadKey(id)])
}

/** Announces a file under an id, or under another where a file of anyone has that. */
async function announceAs(ctx: Context, owner: Owner, file: NewUpload, id: string): Promise<string> {
  try {
    return (await ctx.transaction(() => announce(ctx, owner, file, id))).fileId
  } catch (error) {
    // unique_violation
    if (findSqlState(error) !== '23505') throw error
    return (await announce(ctx, owner, file)).fileId
  }
}
