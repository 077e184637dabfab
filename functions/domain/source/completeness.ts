import { whereDataTypeVisible } from '#functions/domain/data-type/visibility.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import type { Context } from '#functions/context.ts'
import { computeFreshness } from '#functions/engine/catalogue/cadence.ts'
import { computeCompleteness } from '#functions/shapes/completeness.ts'
import type { RestorableOptions } from '#functions/shapes/options.ts'
import { wallTime } from '#functions/shapes/wall-time.ts'
import { listMetadataFields } from './custom-fields.ts'
import * as sources from './sources.ts'

/**
 * How completely the sources of a place are described, and whether their data are up to date: of the sources in a list
 * with the same options, in its order. Undefined: there is no such place.
 */
export async function find(ctx: Context, request: NounRequest<RestorableOptions>) {
  const placeId = param(request, 'placeId')
  const place = await ctx.db
    .selectFrom('place')
    .select('timeZone')
    .where('id', '=', placeId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!place) return undefined
  const page = await sources.find(ctx, request)
  const customFields = await listMetadataFields(ctx, placeId)
  const dataTypes = await readDataTypes(ctx, [...new Set(page.results.map(({ dataTypeId }) => dataTypeId))])
  const toDay = (at: Date | string) =>
    new Date(wallTime(new Date(at).getTime(), place.timeZone)).toISOString().slice(0, 10)
  const today = toDay(ctx.now())
  return {
    ...page,
    results: page.results.map((source) => ({
      id: source.id,
      name: source.name,
      completeness: computeCompleteness(source, dataTypes.get(source.dataTypeId) ?? null, customFields),
      freshness: computeFreshness(source.cadence, source.dataUpdatedAt && toDay(source.dataUpdatedAt), today),
    })),
  }
}

async function readDataTypes(ctx: Context, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await ctx.db
    .selectFrom('dataType')
    .select(['id', 'category', 'schema', 'temporal'])
    .where('id', 'in', ids)
    .where(whereDataTypeVisible(ctx, null))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
