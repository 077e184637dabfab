import type { Context } from '#functions/context.ts'
import { CustomFields } from '#functions/shapes/custom-field.ts'
import type { ArchiveFile } from './read.ts'
import type { CallEndpoint } from './writer.ts'

/**
 * Creates the metadata fields of an archive in a place, before the sources that have values in them. Does nothing where
 * the archive has none.
 */
export async function importFields(
  ctx: Context,
  { file, call, placeId }: { file: ArchiveFile; call: CallEndpoint; placeId: string },
): Promise<void> {
  if (!file.has('fields.json')) return
  const { fields } = await file.document('fields.json', CustomFields)
  await call(
    ctx,
    'place.source.saveCustomFields',
    { placeId },
    { fields: fields.map(({ values: _values, ...field }) => field) },
  )
}
