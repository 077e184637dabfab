import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { recordTable } from '#functions/engine/table/record-table.ts'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { load, orNull } from '#app/server/load.server.ts'
import { listDownloadFiles } from '#app/server/offered-files.server.ts'
import { apiUrl, publicSourceUrls } from '#app/server/public-urls.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'

/** Number of records in a panel. */
const shownRecords = 10

/**
 * The public source in the URL (`?source=`): metadata, first records and downloads, for signed-out people if its organization has no
 * hub. Null without one in the URL; `isMissing` if there is no public source with that id.
 */
export async function explorePanel(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const sourceId = new URL(args.request.url).searchParams.get('source')?.slice(0, 64)
  if (!sourceId) return null
  const source = await publicSource(args, sourceId)
  if (!source) return { isMissing: true as const }
  const [{ page }, reading, urls] = await Promise.all([
    load(args, {
      page: {
        endpoint: v1.source.datum.find,
        params: { sourceId },
        options: { limit: shownRecords, maxVisibility: 'public' },
      },
    }),
    loadReaderSettings(args),
    publicSourceUrls(args, source.place?.isHub ? [source] : []),
  ])
  const { id, name, notes, count, dataUpdatedAt, attribution, licence, licenceUrl, place, dataType } = source
  return {
    isMissing: false as const,
    ...{ id, name, notes, count, dataUpdatedAt, attribution, licence, licenceUrl },
    place: place?.displayName ?? source.placeId,
    dataType: dataType?.name ?? source.dataTypeId,
    hubUrl: urls.get(id) ?? null,
    records: recordTable(dataType?.schema ?? {}, page.results, reading),
    files: listDownloadFiles(source).map(({ label, path }) => ({ label, path })),
    api: apiUrl(ctx, `/places/${source.placeId}/sources/${id}/data`),
  }
}

/** A public source; null for unknown and private ones. */
async function publicSource(args: LoaderFunctionArgs, sourceId: string) {
  const includes = [
    { resource: 'dataType' },
    { resource: 'place', attributes: ['id', 'displayName', 'isHub'] },
  ]
  const source = await orNull(
    args,
    call(v1.source.findById, args.context.ctx, { params: { sourceId }, options: { includes } }),
  )
  return source?.visibility === 'public' ? source : null
}
