import type { GeoProjection } from 'd3-geo'
import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'
import { feature, merge, mesh } from 'topojson-client'
import { topology } from 'topojson-server'
import { presimplify, simplify } from 'topojson-simplify'
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification'
import { project } from './projection.ts'
import { pathOf } from './svg.ts'

export interface ShapeProperties {
  gid?: string
  name?: string
  parent?: string | null
}

type Shape = GeometryObject<ShapeProperties>
type Areas = Topology<{
  shapes: GeometryCollection<ShapeProperties>
  outline: GeometryCollection<ShapeProperties>
}>

/** The shapes of a map in the plane of the drawing, with the borders they share known as shared. */
export interface AreaPlan {
  topology: Areas
  shapes: Shape[]
}

/** One degree of detail: bends smaller than `area` are left out, positions are rounded to `grid`. */
export interface Detail {
  area: number
  grid: number
}

/** Gives shapes and outline projected and joined; `simplified` makes paths of any detail from it. */
export function planAreas(
  shapes: FeatureCollection,
  outline: FeatureCollection | undefined,
  projection: GeoProjection,
): AreaPlan {
  const collect = (collection: FeatureCollection | undefined): FeatureCollection => ({
    type: 'FeatureCollection',
    features: (collection?.features ?? []).map((shape) => project(shape, projection)),
  })
  const joined = presimplify(
    topology({ shapes: collect(shapes), outline: collect(outline) }) as Areas,
  ) as Areas
  return { topology: joined, shapes: joined.objects.shapes.geometries as Shape[] }
}

/** Gives the plan with the borders of one detail; neighbours keep the border they share. */
export function simplified(plan: AreaPlan, detail: Detail): AreaPlan {
  return { ...plan, topology: simplify(plan.topology, detail.area) as Areas }
}

/** Gives the path of one shape. Empty when the projection leaves nothing of it. */
export function shapePath({ topology }: AreaPlan, shape: Shape, { grid }: Detail): string {
  const { geometry } = feature(topology, shape) as Feature<Polygon | MultiPolygon>
  return pathOf(ringsOf(geometry), grid, true)
}

/** Gives one path around several shapes, without the borders between them. */
export function mergedPath({ topology }: AreaPlan, shapes: Shape[], { grid }: Detail): string {
  return pathOf(ringsOf(merge(topology, shapes as Parameters<typeof merge>[1])), grid, true)
}

function ringsOf(geometry: Polygon | MultiPolygon): Position[][] {
  return geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
}

/**
 * Gives the lines to draw over the shapes: the outline's borders (all of them with `withCoast`, else those between two
 * regions), or without an outline the borders between parents where shapes have some, else, for up to 300 shapes, all
 * borders between two shapes.
 */
export function borderPath({ topology, shapes }: AreaPlan, withCoast: boolean, { grid }: Detail): string {
  const { outline } = topology.objects
  const parentOf = (shape: Shape) => (shape.properties as ShapeProperties | undefined)?.parent ?? null
  const hasParents = new Set(shapes.map(parentOf)).size > 1
  const between = (a: unknown, b: unknown) => a !== b
  const apart = (a: unknown, b: unknown) => parentOf(a as Shape) !== parentOf(b as Shape)
  const lines = (object: GeometryObject, filter?: (a: unknown, b: unknown) => boolean) =>
    pathOf(mesh(topology, object, filter).coordinates, grid, false)
  if (outline.geometries.length > 0) return lines(outline, withCoast ? undefined : between)
  if (withCoast) return shapes.length > 300 ? '' : lines(topology.objects.shapes)
  if (hasParents) return lines(topology.objects.shapes, apart)
  return shapes.length > 300 ? '' : lines(topology.objects.shapes, between)
}
