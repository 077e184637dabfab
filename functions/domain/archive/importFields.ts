import type { Context } from '#functions/context.ts'
import { CustomFields } from '#functions/shapes/customField.ts'
import type { ArchiveFile } from './read.ts'
import type { CallEndpoint } from './writer.ts'

/** Makes the metadata fields of an archive those of a place, before sources say something in them. None where the archive has none. */
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
