import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { load, toErrorResponse } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { getProjectionType } from '#functions/engine/chart/map-spec.ts'
import { readShapes } from '#functions/engine/picture/shapes.ts'
import { Failure } from '#functions/errors.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import { v1 } from '#functions/v1/index.ts'
import { drawSet } from './set-picture.server.ts'

const maxListed = 200

/** A set that everyone has: its picture, its areas, and how it differs from ISO 3166-2. Not found for an own set. */
export async function builtInSetScreen(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const { builtInSetId: id = '' } = args.params
  const missing = () => toErrorResponse(new Failure('notFound'), args)
  if (!isBuiltInSet(id)) throw missing()
  const { offeredSets } = await load(args, {
    offeredSets: { endpoint: v1.place.boundarySet.offered, options: { id } },
  })
  const set = offeredSets.results.find((each) => each.placeId === null)
  if (!set) throw missing()
  const { areas } = await load(args, {
    areas: {
      endpoint: v1.place.boundarySet.area.find,
      params: { boundarySetId: set.id },
      options: { limit: maxListed },
    },
  })
  const { ctx } = args.context
  const shapes = await readShapes(ctx.tiles, set.id)
  const areaCount = areas.meta.total
  const svg = await drawSet(ctx, { name: set.name, areaCount }, shapes, getProjectionType(set.id))
  return {
    ...{ set, svg, areaCount },
    areas: areas.results.map(({ number, code, name }) => ({ number, code, name })),
    geojson: `/v1/places/${encodeURIComponent(placeId)}/boundarySets/${encodeURIComponent(set.id)}.geojson`,
  }
}
