import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { groundOf } from '#app/server/figures/ground.server.ts'
import { load, responseOf } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'
import { projectionOf } from '#functions/engine/chart/map-spec.ts'
import { groundViewOf, staticMap } from '#functions/engine/map/static-map.ts'
import { readShapes } from '#functions/engine/picture/shapes.ts'
import { Failure } from '#functions/errors.ts'
import { isBuiltInSet } from '#functions/shapes/regionSets.ts'
import { defaultLocale } from '#functions/shapes/locale.ts'
import { v1 } from '#functions/v1/index.ts'

const mostListed = 200
const size = { width: 640, height: 420 }

/** A set that everyone has: its picture, its areas, and how it differs from ISO 3166-2. Not found for an own set. */
export async function builtInSetScreen(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const { builtInSetId: id = '' } = args.params
  const missing = () => responseOf(new Failure('notFound'), args)
  if (!isBuiltInSet(id)) throw missing()
  const { offered } = await load(args, {
    offered: { endpoint: v1.place.boundarySet.offered, options: { id } },
  })
  const set = offered.results.find((each) => each.placeId === null)
  if (!set) throw missing()
  const { areas } = await load(args, {
    areas: {
      endpoint: v1.place.boundarySet.area.find,
      params: { boundarySetId: set.id },
      options: { limit: mostListed },
    },
  })
  const { ctx } = args.context
  const shapes = await readShapes(ctx.tiles, set.id)
  const drawn = { shapes, ...size, projection: projectionOf(set.id) }
  const { svg } = staticMap({
    ...{ ...drawn, ground: await groundOf(ctx, groundViewOf(drawn)), id: 'boundaries' },
    ...{ title: set.name, description: `${shapes.features.length} areas`, locale: defaultLocale },
    values: new Map(shapes.features.map(({ properties }) => [String(properties?.gid), 1])),
  })
  return {
    ...{ set, svg, areaCount: areas.meta.total },
    areas: areas.results.map(({ number, code, name }) => ({ number, code, name })),
    geojson: `/v1/places/${encodeURIComponent(placeId)}/boundarySets/${encodeURIComponent(set.id)}.geojson`,
  }
}
