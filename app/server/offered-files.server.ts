import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { formatUses } from '#app/components/schema/export-size.ts'
import { Failure } from '#functions/errors.ts'
import { preparedFormats } from '#functions/engine/export/prepared/manifest.ts'
import { exportFiles } from '#functions/shapes/export-format.ts'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { toErrorResponse } from './load.server.ts'

/** Throws the Response for the error boundary unless the hub shows this source, under the data type in the path. */
export function requireShownSource(
  args: LoaderFunctionArgs,
  source: { placeId: string; dataTypeId: string; visibility: string },
  dataType: { id: string },
) {
  const isElsewhere = source.visibility !== 'public' || source.dataTypeId !== dataType.id
  if (isElsewhere || isHidden(source.placeId, dataType.id))
    throw toErrorResponse(new Failure('notFound'), args)
}

/**
 * The downloads of a source for visitors and catalogues: the prepared files, geographic ones only with geometry. Their URLs have no
 * query, since only those are served from a prepared file.
 */
export function listDownloadFiles({
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
