import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { FeatureCollection } from 'geojson'
import { load } from '#app/server/load.server.ts'
import { loadUses } from '#app/server/uses.server.ts'
import { guard, hasPermission } from '#app/server/session.server.ts'
import { drawableAreas } from '#functions/domain/boundary/set-shapes.ts'
import type { Context } from '#functions/context.ts'
import { readShapes } from '#functions/engine/picture/shapes.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import { v1 } from '#functions/v1/index.ts'
import { drawSet } from './set-picture.server.ts'

const maxListed = 12

/** The areas for a picture: of a public set those that maps have already, without reading them from the database. */
async function readDrawableShapes(
  ctx: Context,
  set: Parameters<typeof drawableAreas>[1] & { visibility: string },
): Promise<FeatureCollection> {
  const published = set.visibility === 'public' ? await readShapes(ctx.tiles, set.id) : null
  return published?.features.length ? published : drawableAreas(ctx, set)
}

/**
 * The sets of the organization that may be the parent of a set, its present one among them, however many there are. A
 * built-in one is found by search.
 */
async function listPossibleParents(
  args: LoaderFunctionArgs,
  { id, parentId }: { id: string; parentId: string | null },
  first: readonly OwnSet[],
) {
  const others = first.filter((each) => each.id !== id).map(pickSetFields)
  if (parentId === null || isBuiltInSet(parentId) || others.some((each) => each.id === parentId))
    return others
  const { parent } = await load(args, {
    parent: { endpoint: v1.place.boundarySet.find, options: { filters: { id: parentId }, limit: 1 } },
  })
  return [...others, ...parent.results.map(pickSetFields)]
}

interface OwnSet {
  id: string
  name: string
  placeId: string
}
const pickSetFields = ({ id, name, placeId }: OwnSet): OwnSet => ({ id, name, placeId })

/** A boundary set with a picture of its areas, the findings in its file, and the first of its areas. */
export async function boundarySetScreen(args: LoaderFunctionArgs) {
  guard(args, 'withPlace')
  const { set, areas, sets } = await load(args, {
    set: v1.place.boundarySet.findById,
    areas: { endpoint: v1.place.boundarySet.area.find, options: { limit: maxListed } },
    sets: { endpoint: v1.place.boundarySet.find, options: { limit: 200 } },
  })
  const { ctx } = args.context
  const [shapes, uses, others] = await Promise.all([
    readDrawableShapes(ctx, set),
    loadUses(args, 'boundarySet', [set.id]),
    listPossibleParents(args, set, sets.results),
  ])
  const svg = await drawSet(ctx, set, shapes, 'mercator')
  const nameByGid = new Map(
    shapes.features.map(({ properties }) => [String(properties?.gid), String(properties?.name)]),
  )
  return {
    findings: set.findings.map((finding) => ({
      ...finding,
      name: nameByGid.get(`a${finding.number}`) ?? null,
    })),
    ...{ set, svg, uses: uses[set.id] ?? [] },
    others,
    areas: areas.results.map(({ number, code, name }) => ({ number, code, name })),
    mayUpdate: hasPermission(ctx, 'boundarySet.update'),
    mayDelete: hasPermission(ctx, 'boundarySet.delete'),
    geojson: `/v1/places/${encodeURIComponent(set.placeId)}/boundarySets/${encodeURIComponent(set.id)}.geojson`,
  }
}
