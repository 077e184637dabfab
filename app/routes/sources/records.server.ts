import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { recordTable } from '#functions/engine/table/record-table.ts'
import { resolveAreaFilter, setsOfRecords } from './records-area.server.ts'
import { recordsQuery, type RecordsQuery } from './records/records-query.ts'
import { call } from '#functions/api/call.ts'
import { asFailure } from '#functions/errors.ts'
import { describeErrorBriefly } from '#app/server/failure-words.server.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'
import { load, toErrorResponse } from '#app/server/load.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'

/**
 * Loads the records that the URL asks for, and the open one. An invalid query is returned as `problem`, not
 * thrown.
 */
export async function sourceRecords(args: LoaderFunctionArgs, sourceId: string, schema: FieldSchema) {
  const { searchParams } = new URL(args.request.url)
  const reading = await loadReaderSettings(args)
  const query = recordsQuery(searchParams, schema, reading.timeZone)
  const open = searchParams.get('record')
  const sets = await setsOfRecords(args, schema)
  const area = await resolveAreaFilter(args, sets, query.place)
  const [page, record] = await Promise.all([
    narrowedRecords(args, sourceId, query, area),
    open && open !== 'new' ? loadRecord(args, sourceId, open) : null,
  ])
  const table = recordTable(schema, page.results, reading)
  return {
    query: { ...query, options: undefined },
    sets,
    columns: table.columns,
    rows: table.rows.map((cells, i) => ({ id: page.results[i]?.id ?? '', cells })),
    total: page.total,
    isEstimated: page.isEstimated,
    problem: page.problem,
    record,
    isNew: open === 'new',
  }
}

/** Loads the records within the area in the URL; an unknown area is returned as `problem`. */
async function narrowedRecords(
  args: LoaderFunctionArgs,
  sourceId: string,
  { options }: Pick<RecordsQuery, 'options'>,
  area: Awaited<ReturnType<typeof resolveAreaFilter>>,
) {
  if (area.problem !== null) return { results: [], total: 0, isEstimated: false, problem: area.problem }
  return loadRecords(args, sourceId, { ...options, ...area.within })
}

async function loadRecords(args: LoaderFunctionArgs, sourceId: string, options: object) {
  const nothing = { results: [], total: 0, isEstimated: false }
  try {
    const params = { sourceId }
    const { results, meta } = await call(v1.source.datum.find, args.context.ctx, { params, options })
    return {
      results,
      total: meta.total ?? results.length,
      isEstimated: meta.estimated === true,
      problem: null,
    }
  } catch (error) {
    const failure = asFailure(error)
    if (failure.kind !== 'invalid') throw toErrorResponse(error, args)
    return { ...nothing, problem: describeErrorBriefly(failure) }
  }
}

async function loadRecord(args: LoaderFunctionArgs, sourceId: string, datumId: string) {
  const { record } = await load(args, {
    record: { endpoint: v1.source.datum.findById, params: { sourceId, datumId } },
  })
  const { id, externalId, createdAt, updatedAt, data } = record
  return { id, externalId, createdAt, updatedAt, data }
}
