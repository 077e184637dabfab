import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { queryText } from '#app/client/api/query.ts'
import { aboutBytes, formatUses } from '#app/components/schema/export-size.ts'
import { formatBytes } from '#functions/shapes/format-bytes.ts'
import { call } from '#functions/api/call.ts'
import { toReadableFailure } from '#app/server/failure-words.server.ts'
import { listExportLosses } from '#functions/shapes/export-losses.ts'
import { exportFiles, exportFormats } from '#functions/shapes/export-format.ts'
import { isGeometryType } from '#functions/shapes/field.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { v1 } from '#functions/v1/index.ts'
import { loadQueryLanguage } from '#app/server/builder.server.ts'
import { toErrorResponse } from '#app/server/load.server.ts'
import { apiUrl } from '#app/server/public-urls.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'
import { typeRights, typeWithSources } from '#app/server/type-screen.server.ts'

/** Number of records from which the file sizes are estimated. */
const sampleSize = 50

/** Loads the export screen of a data type: records, columns and formats, all chosen in the URL. */
export async function typeExport(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const { searchParams } = new URL(args.request.url)
  const dataTypeId = args.params.dataTypeId ?? ''
  const [{ dataType, schema, sources }, language, { timeZone }] = await Promise.all([
    typeWithSources(args),
    loadQueryLanguage(args, dataTypeId),
    loadReaderSettings(args),
  ])
  const source = sources.find(({ id }) => id === searchParams.get('source')) ?? null
  const filters = jsonIn(searchParams.get('filters'))
  const keys = Object.keys(schema)
  const chosenKeys = searchParams.getAll('fields').filter((key) => keys.includes(key))
  const fields = chosenKeys.length === keys.length ? [] : chosenKeys
  const countResult = await countRecords(args, source?.id ?? null, filters)
  const options = {
    ...(filters === null ? {} : { filters }),
    ...(fields.length ? { fields: fields.join(',') } : {}),
  }
  const path = source ? `/sources/${source.id}` : `/places/${placeId}/dataTypes/${dataTypeId}`
  const hasShape = Object.values(schema).some(({ type }) => isGeometryType(type))
  const isPublic = source
    ? source.visibility === 'public'
    : sources.every((each) => each.visibility === 'public')
  return {
    rights: typeRights(args, dataType),
    dataType: { id: dataType.id, name: dataType.name },
    data: { placeId, dataTypeId, sources: sources.map(({ id, name }) => ({ id, name })) },
    source: source && { id: source.id, name: source.name, visibility: source.visibility },
    language,
    filters,
    fields: keys.map((key) => ({
      key,
      name: schema[key]?.name ?? key,
      isChosen: !fields.length || fields.includes(key),
    })),
    issues: countResult.issues,
    rows: countResult.rows,
    isPublic,
    api: `${apiUrl(ctx, `${path}/data`)}${filters === null ? '' : `?${queryText({ filters })}`}`,
    files: exportFormats
      .filter((format) => hasShape || !formatUses[format].needsShapes)
      .map((format) => {
        const bytes = aboutBytes(format, countResult.sample, countResult.rows)
        return {
          format,
          label: exportFiles[format].label,
          size: bytes === null ? null : formatBytes(bytes),
          url: apiUrl(ctx, `${path}/export?${queryText({ format, ...options })}`),
          losses: listExportLosses(format, schema, timeZone),
          href: `/v1${path}/export?${queryText({ format, ...options })}`,
        }
      }),
  }
}

/** Counts the selected records exactly, and returns a sample. Invalid filters are returned as issues. */
async function countRecords(args: LoaderFunctionArgs, sourceId: string | null, filters: unknown) {
  const { ctx } = args.context
  const options = { ...(filters === null ? {} : { filters }), count: 'exact', limit: sampleSize }
  const params = { ...args.params, placeId: ctx.placeId ?? '' }
  try {
    const page = sourceId
      ? await call(v1.source.datum.find, ctx, { params: { sourceId }, options })
      : await call(v1.place.dataType.datum.find, ctx, { params, options })
    const sample = page.results.map(({ data, geometry }) => ({ data: data ?? {}, geometry }))
    return { rows: page.meta.total ?? 0, sample, issues: [] as Issue[] }
  } catch (error) {
    const failure = toReadableFailure(error)
    if (failure.kind !== 'invalid') throw toErrorResponse(error, args)
    return { rows: 0, sample: [], issues: failure.issues }
  }
}

function jsonIn(text: string | null): unknown {
  if (!text) return null
  try {
    return JSON.parse(text.slice(0, 20_000)) as unknown
  } catch {
    return text
  }
}
