import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { queryText } from '#app/client/api/query.ts'
import { resolveAreaFilter, setsOfRecords } from './records-area.server.ts'
import { recordsQuery } from './records/records-query.ts'
import { aboutBytes, formatUses } from '#app/components/schema/export-size.ts'
import { formatBytes } from '#functions/shapes/format-bytes.ts'
import { listExportLosses } from '#functions/shapes/export-losses.ts'
import { exportFiles, exportFormats } from '#functions/shapes/export-format.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '#app/server/load.server.ts'
import { apiUrl } from '#app/server/public-urls.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'
import { guard } from '#app/server/session.server.ts'
import { sourceAbout } from './source.server.ts'

/** Number of records for estimating their size. */
const sampleSize = 50

/** The export of a source: filters, columns and formats, all in the URL. */
export async function sourceExport(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { ctx } = args.context
  const { searchParams } = new URL(args.request.url)
  const [about, { timeZone }] = await Promise.all([sourceAbout(args), loadReaderSettings(args)])
  const { source, schema } = about
  const { search, conditions, place, options } = recordsQuery(searchParams, schema, timeZone)
  const sets = await setsOfRecords(args, schema)
  const area = await resolveAreaFilter(args, sets, place)
  const { limit: _limit, offset: _offset, ...conditional } = options as { limit: number; offset: number }
  const recordOptions = { ...conditional, ...area.within }
  const keys = Object.keys(schema)
  const chosenKeys = searchParams.getAll('fields').filter((key) => keys.includes(key))
  const isCut = chosenKeys.length > 0 && chosenKeys.length < keys.length
  const { sample } = await load(args, {
    sample: {
      endpoint: v1.source.datum.find,
      options: { ...recordOptions, count: 'exact', limit: sampleSize },
    },
  })
  const rows = sample.meta.total ?? 0
  const sampleRecords = sample.results.map(({ data, geometry }) => ({ data: data ?? {}, geometry }))
  const params = { ...recordOptions, ...(isCut ? { fields: chosenKeys.join(',') } : {}) }
  const path = `/sources/${source.id}`
  const hasShape = about.tabs.includes('map')
  return {
    ...about,
    query: { search, conditions, place },
    sets,
    problem: area.problem,
    rows,
    isPublic: source.visibility === 'public',
    fields: keys.map((key) => ({
      key,
      name: schema[key]?.name ?? key,
      isChosen: !isCut || chosenKeys.includes(key),
    })),
    api: apiUrl(ctx, `${path}/data?${queryText({ ...recordOptions, limit: 100 })}`),
    // Without a match there are no downloads, as all records would be something else.
    files: (area.problem === null ? exportFormats : [])
      .filter((format) => hasShape || !formatUses[format].needsShapes)
      .map((format) => {
        const bytes = aboutBytes(format, sampleRecords, rows)
        const address = `${path}/export?${queryText({ format, ...params })}`
        return {
          format,
          label: exportFiles[format].label,
          size: bytes === null ? null : formatBytes(bytes),
          url: apiUrl(ctx, address),
          losses: listExportLosses(format, schema, timeZone),
          href: `/v1${address}`,
        }
      }),
  }
}
