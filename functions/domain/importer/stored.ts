import { findAnnouncedFile, isSourceFile, openSourceFile } from '#functions/domain/file/files.ts'
import { streamObject, readChunks, createRanges } from './job/objects.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import type { ImporterSource } from '#functions/shapes/importer-source.ts'

/** The scheme of URLs of files that were uploaded to the source: `file:` and the id. */
const scheme = /^file:/i

/** The id of the uploaded file that an address names; null for an address elsewhere. */
export function parseFileId(url: string): string | null {
  return scheme.test(url) ? url.replace(scheme, '') : null
}

/** The message for a missing file and for one of another source, which must look the same. */
export const missingFileMessage =
  'There is no such file of this source: it may have been deleted. Upload it again.'

/** Issues of a source for properties that make no sense with an uploaded file. */
export function fileIssues(source: ImporterSource, path: (string | number)[]): Issue[] {
  const fileId = parseFileId(source.url) ?? ''
  const issues = (['query', 'headers', 'oauth', 'pagination'] as const)
    .filter((name) => source[name] !== undefined)
    .map((name) => ({ path: [...path, name], message: 'An uploaded file is read as it is.' }))
  return /^[\w-]{1,64}$/.test(fileId)
    ? issues
    : [{ path: [...path, 'url'], message: 'Must be file: and the id of an uploaded file.' }, ...issues]
}

/**
 * An uploaded file of a source as a fetched page: its name, type and bytes, as a stream or by ranges. Null: there is no
 * such file.
 */
export async function openStored(ctx: Context, source: { id: string; placeId: string }, fileId: string) {
  const file = await openSourceFile(ctx, source, fileId)
  if (!file) return null
  const headers = new Headers({ 'content-type': file.type })
  const bytes = readChunks(file.body as ReadableStream<Uint8Array>)
  return { name: file.name, headers, bytes, ranges: createRanges(ctx.files, file.key, file.size) }
}

/** A file that was announced for a place and uploaded, as `openStored` gives one of a source. */
export async function openAnnounced(ctx: Context, placeId: string, fileId: string) {
  const file = await findAnnouncedFile(ctx, placeId, fileId)
  if (!file) return null
  const { key, name, type, size } = file
  const headers = new Headers({ 'content-type': type })
  return {
    name,
    headers,
    bytes: () => streamObject(ctx.files, key, 0),
    ranges: createRanges(ctx.files, key, size),
  }
}

/** Failure `invalid` for files that are not of the source, each with its path. */
export async function requireFiles(
  ctx: Context,
  source: { id: string; placeId: string },
  sources: ImporterSource[] = [],
): Promise<void> {
  const issues: Issue[] = []
  for (const [i, { url }] of sources.entries()) {
    const fileId = parseFileId(url)
    if (fileId === null) continue
    if (!(await isSourceFile(ctx, source, fileId)))
      issues.push({ path: ['sources', i, 'url'], message: missingFileMessage, validator: 'exists' })
  }
  if (issues.length) throw new Failure('invalid', { issues })
}
