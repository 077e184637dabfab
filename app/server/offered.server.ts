import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { formatUses } from '#app/components/schema/export-size.ts'
import { Failure } from '#functions/errors.ts'
import { preparedFormats } from '#functions/engine/export/prepared/manifest.ts'
import { exportFiles } from '#functions/shapes/exportFormat.ts'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { responseOf } from './load.server.ts'

/** Throws the boundary's Response unless the hub shows this source, and below the data type that the address names. */
export function mustBeShown(
  args: LoaderFunctionArgs,
  source: { placeId: string; dataTypeId: string; visibility: string },
  dataType: { id: string },
) {
  const isElsewhere = source.visibility !== 'public' || source.dataTypeId !== dataType.id
  if (isElsewhere || isHidden(source.placeId, dataType.id)) throw responseOf(new Failure('notFound'), args)
}

/**
 * The files of a source that visitors and catalogues are offered: the prepared ones, those of shapes only where there is
 * geometry. Their addresses have no query, since only such a one is answered from a prepared file.
 */
export function offeredFiles({
  id,
  placeId,
  extent,
}: {
  id: string
  placeId: string
  extent: number[] | null
}) {
  return preparedFormats
    .filter((format) => extent !== null || !formatUses[format].needsShapes)
    .map((format) => {
      const { label, extension, type } = exportFiles[format]
      const path = `/v1/places/${placeId}/sources/${id}/export.${extension}`
      return { format, label, extension, mediaType: type.split(';')[0] ?? '', path }
    })
}
