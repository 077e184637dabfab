import { pendingUploadKey } from './keys.ts'
import { inspect, type Bytes, type FileProperties } from './inspect.ts'
import { putExactly } from './put.ts'
import { refuse } from './refuse.ts'
import type { FileDeclaration } from './sniff.ts'
import { Failure } from '#functions/errors.ts'

/** A file that came in the request itself. */
function bytesOfFile(file: File): Bytes {
  return {
    size: file.size,
    head: async (length) => new Uint8Array(await file.slice(0, length).arrayBuffer()),
    stream: async () => file.stream(),
  }
}

/**
 * An object in its current version: reading fails once it was replaced, so that the inspected bytes are those that are
 * stored.
 */
function bytesOfObject(files: R2Bucket, object: R2Object): Bytes {
  const openStream = async (range?: R2Range): Promise<ReadableStream<Uint8Array>> => {
    const file = await files.get(object.key, {
      onlyIf: { etagMatches: object.etag },
      ...(range && { range }),
    })
    if (!file || !('body' in file))
      throw new Failure('conflict', { message: 'The file was sent again in the meantime.' })
    return file.body as ReadableStream<Uint8Array>
  }
  return {
    size: object.size,
    async head(length) {
      const part = await openStream({ offset: 0, length: Math.min(length, object.size) })
      return new Uint8Array(await new Response(part).arrayBuffer())
    },
    stream: () => openStream(),
  }
}

/** Inspects a file of the request and stores it under a key. Failure `invalid` for a rejected one. */
export async function storeFile(files: R2Bucket, key: string, file: File): Promise<FileProperties> {
  const bytes = bytesOfFile(file)
  const inspection = await inspect(bytes, { name: file.name, type: file.type })
  await files.put(key, file, buildMetadata(inspection, file.name))
  return inspection
}

/**
 * Inspects an upload and stores it under the file's key. Failure `conflict` when nothing was uploaded yet, `invalid`
 * when it differs from the announcement or is rejected; a rejected one is deleted, so that another can be uploaded until
 * the URL expires. An accepted one stays until `forgetUpload`.
 */
export async function acceptUpload(
  files: R2Bucket,
  { id, key, size }: { id: string; key: string; size: number },
  declared: FileDeclaration,
): Promise<FileProperties> {
  const head = await files.head(pendingUploadKey(id))
  if (!head) throw new Failure('conflict', { message: 'The file has not been sent yet.' })
  try {
    if (head.size !== size) throw refuse(`The file has ${head.size} bytes; ${size} were announced.`)
    const bytes = bytesOfObject(files, head)
    const inspection = await inspect(bytes, declared)
    const metadata = buildMetadata(inspection, declared.name)
    if (!(await putExactly(files, key, await bytes.stream(), head.size, metadata)))
      throw new Failure('conflict', { message: 'The file was sent again in the meantime.' })
    return inspection
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') await forgetUpload(files, id)
    throw error
  }
}

/** Deletes an upload that was stored under the file's key, or is not needed. */
export async function forgetUpload(files: R2Bucket, id: string): Promise<void> {
  await files.delete(pendingUploadKey(id))
}

/** The metadata for serving, stored with the bytes. */
function buildMetadata({ type, hash }: FileProperties, name: string): R2PutOptions {
  return { httpMetadata: { contentType: type }, customMetadata: { name: encodeURIComponent(name), hash } }
}
