import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { recordTable } from '#functions/engine/table/recordTable.ts'
import { recordsQuery, type RecordsQuery } from './records/records-query.ts'
import { call } from '#functions/api/call.ts'
import { asFailure } from '#functions/errors.ts'
import { firstSentence } from '#app/server/failure-words.server.ts'
import { isGeometryType, type FieldSchema } from '#functions/shapes/field.ts'
import { isBuiltInSet } from '#functions/shapes/regionSets.ts'
import { v1 } from '#functions/v1/index.ts'
import { load, responseOf } from '#app/server/load.server.ts'
import { may } from '#app/server/session.server.ts'
import { readingOf } from '#app/server/reading.server.ts'

/** Records of a source as its address asks for them, and the one that is open. What is wrong with the question is said, not thrown. */
export async function sourceRecords(args: LoaderFunctionArgs, sourceId: string, schema: FieldSchema) {
  const { searchParams } = new URL(args.request.url)
  const reading = await readingOf(args)
  const query = recordsQuery(searchParams, schema, reading.timeZone)
  const open = searchParams.get('record')
  const sets = await ownSets(args, schema)
  const { set } = query.place
  const isOfSet = sets !== null && (isBuiltInSet(set) || sets.some(({ id }) => id === set))
  const [page, record] = await Promise.all([
    isOfSet ? narrowedRecords(args, sourceId, query) : recordsOf(args, sourceId, query.options),
    open && open !== 'new' ? recordOf(args, sourceId, open) : null,
  ])
  const table = recordTable(schema, page.results, reading)
  return {
    query: { ...query, options: undefined },
    sets,
    columns: table.columns,
    rows: table.rows.map((cells, i) => ({ id: page.results[i]?.id ?? '', cells })),
    total: page.total,
    isEstimated: page.isEstimated,
    refused: page.refused,
    record,
    isNew: open === 'new',
  }
}

/** The public boundary sets of the organization, and what else records may be narrowed by; null for records without places. */
async function ownSets(args: LoaderFunctionArgs, schema: FieldSchema) {
  const { ctx } = args.context
  const hasPlaces = Object.values(schema).some(({ type }) => isGeometryType(type))
  if (!hasPlaces || ctx.placeId === null || !may(ctx, 'boundarySet.read')) return null
  const { sets } = await load(args, { sets: v1.place.boundarySet.offered })
  return sets.results.flatMap(({ id, name, placeId }) => (placeId === null ? [] : [{ id, name }]))
}

/** The records, of these only those in the area that the address names, by its name or code. An area that is not there is said. */
async function narrowedRecords(
  args: LoaderFunctionArgs,
  sourceId: string,
  { place, options }: Pick<RecordsQuery, 'place' | 'options'>,
) {
  const { set, area } = place
  if (!set || !area) return recordsOf(args, sourceId, options)
  const nothing = { results: [], total: 0, isEstimated: false }
  const [named = '', code] = area.split(' · ')
  const { areas } = await load(args, {
    areas: {
      endpoint: v1.place.boundarySet.area.find,
      params: { boundarySetId: set },
      options: { search: code ?? named, limit: 50 },
    },
  })
  const matches = areas.results.filter((each) =>
    code === undefined ? each.code === named || each.name === named : each.code === code,
  )
  const [match] = matches
  if (!match) return { ...nothing, refused: `The set has no area that is called “${area}”.` }
  if (matches.length > 1)
    return { ...nothing, refused: `Several areas are called “${area}”: name one by its code.` }
  return recordsOf(args, sourceId, { ...options, within: { boundarySetId: set, area: match.code } })
}

async function recordsOf(args: LoaderFunctionArgs, sourceId: string, options: object) {
  const nothing = { results: [], total: 0, isEstimated: false }
  try {
    const params = { sourceId }
    const { results, meta } = await call(v1.source.datum.find, args.context.ctx, { params, options })
    return {
      results,
      total: meta.total ?? results.length,
      isEstimated: meta.estimated === true,
      refused: null,
    }
  } catch (error) {
    const failure = asFailure(error)
    if (failure.kind !== 'invalid') throw responseOf(error, args)
    return { ...nothing, refused: firstSentence(failure) }
  }
}

async function recordOf(args: LoaderFunctionArgs, sourceId: string, datumId: string) {
  const { record } = await load(args, {
    record: { endpoint: v1.source.datum.findById, params: { sourceId, datumId } },
  })
  const { id, externalId, createdAt, updatedAt, data } = record
  return { id, externalId, createdAt, updatedAt, data }
}
