import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { load } from '#app/server/load.server.ts'
import { hasPermission } from '#app/server/session.server.ts'
import { isGeometryType, type FieldSchema } from '#functions/shapes/field.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import { v1 } from '#functions/v1/index.ts'
import type { RecordsQuery } from './records/records-query.ts'

type OwnSets = { id: string; name: string }[]

/**
 * Loads the organization's own public boundary sets, which records can be filtered by besides the built-in
 * ones. Null if the schema has no geometry field, no organization is active, or boundary sets may not be
 * read.
 */
export async function setsOfRecords(args: LoaderFunctionArgs, schema: FieldSchema): Promise<OwnSets | null> {
  const { ctx } = args.context
  const hasPlaces = Object.values(schema).some(({ type }) => isGeometryType(type))
  if (!hasPlaces || ctx.placeId === null || !hasPermission(ctx, 'boundarySet.read')) return null
  const { sets } = await load(args, { sets: v1.place.boundarySet.offered })
  return sets.results.flatMap(({ id, name, placeId }) => (placeId === null ? [] : [{ id, name }]))
}

/**
 * Resolves the area in the URL to a filter option; `problem` if there is no such area. An empty option if the
 * URL names none.
 */
export async function resolveAreaFilter(
  args: LoaderFunctionArgs,
  sets: OwnSets | null,
  { set, area }: RecordsQuery['place'],
): Promise<{ within: object; problem: null } | { within: null; problem: string }> {
  const isOfSet = sets !== null && (isBuiltInSet(set) || sets.some(({ id }) => id === set))
  if (!isOfSet || !area) return { within: {}, problem: null }
  const [areaName = '', code] = area.split(' · ')
  const { areas } = await load(args, {
    areas: {
      endpoint: v1.place.boundarySet.area.find,
      params: { boundarySetId: set },
      options: { search: code ?? areaName, limit: 50 },
    },
  })
  const matches = areas.results.filter((each) =>
    code === undefined ? each.code === areaName || each.name === areaName : each.code === code,
  )
  const [match] = matches
  if (!match) return { within: null, problem: `The set has no area that is called “${area}”.` }
  if (matches.length > 1)
    return { within: null, problem: `Several areas are called “${area}”: name one by its code.` }
  return { within: { within: { boundarySetId: set, area: match.code } }, problem: null }
}
