import type { GeoProjection } from 'd3-geo'
import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'
import { feature, merge, mesh } from 'topojson-client'
import { topology } from 'topojson-server'
import { presimplify, simplify } from 'topojson-simplify'
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification'
import { project } from './projection.ts'
import { partSigns, buildSvgPath } from './svg.ts'

export interface ShapeProperties {
  gid?: string
  name?: string
  parent?: string | null
}

export type Shape = GeometryObject<ShapeProperties>
type Areas = Topology<{
  shapes: GeometryCollection<ShapeProperties>
  outline: GeometryCollection<ShapeProperties>
}>

/** The shapes of a map in drawing units, as a topology with shared borders. */
export interface AreaPlan {
  topology: Areas
  shapes: Shape[]
  outline: Shape[]
}

/** A level of detail: bends smaller than `area` are removed, positions are rounded to `grid`. */
export interface Detail {
  area: number
  grid: number
}

/** Projects and joins shapes and outline; `simplifyPlan` derives any level of detail from it. */
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
  const { shapes: regions, outline: context } = joined.objects
  return { topology: joined, shapes: regions.geometries as Shape[], outline: context.geometries as Shape[] }
}

/** The plan simplified to a level of detail; neighbours keep their shared borders. */
export function simplifyPlan(plan: AreaPlan, detail: Detail): AreaPlan {
  return { ...plan, topology: simplify(plan.topology, detail.area) as Areas }
}

/** A lower bound for the length of the paths in characters, without building them: four per position. */
export function leastSize({ topology }: AreaPlan): number {
  return 4 * topology.arcs.reduce((sum, arc) => sum + arc.length - 1, 0)
}

/** The path of one shape. Empty where the projection leaves nothing of it. */
export function shapePath({ topology }: AreaPlan, shape: Shape, { grid }: Detail): string {
  const { geometry } = feature(topology, shape) as Feature<Polygon | MultiPolygon>
  return buildSvgPath(getRings(geometry), grid, true)
}

/**
 * A square of two units for a shape that is too small for the level of detail. Empty where the projection leaves nothing
 * of it.
 */
export function dotPath({ topology }: AreaPlan, shape: Shape, { grid }: Detail): string {
  const { geometry } = feature(topology, shape) as Feature<Polygon | MultiPolygon>
  const [corner] = getRings(geometry)[0] ?? []
  if (!corner) return ''
  const [x = 0, y = 0] = corner.map((at) => Math.round((at - 1) / grid))
  const side = Math.max(1, Math.round(2 / grid))
  return `M${x}${partSigns(y)}l${side} 0 0 ${side}-${side} 0z`
}

/** One path around several shapes, without the borders between them. */
export function mergedPath({ topology }: AreaPlan, shapes: Shape[], { grid }: Detail): string {
  return buildSvgPath(getRings(merge(topology, shapes as Parameters<typeof merge>[1])), grid, true)
}

function getRings(geometry: Polygon | MultiPolygon): Position[][] {
  return geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
}

/** `inner`: between two regions, `outer`: around all of them. */
type BorderKind = 'inner' | 'outer'

/** The borders of the shapes or of the outline, each once. */
export function borderPath(
  { topology }: AreaPlan,
  of: 'shapes' | 'outline',
  kinds: BorderKind[],
  { grid }: Detail,
): string {
  const isSide = (a: unknown, b: unknown) => kinds.includes(a === b ? 'outer' : 'inner')
  return buildSvgPath(mesh(topology, topology.objects[of], isSide).coordinates, grid, false)
}

/** The borders between shapes of different parents; empty with at most one parent. */
export function parentPath({ topology, shapes }: AreaPlan, { grid }: Detail): string {
  const findParent = (shape: unknown) =>
    ((shape as Shape).properties as ShapeProperties | undefined)?.parent ?? null
  if (new Set(shapes.map(findParent)).size < 2) return ''
  const apart = (a: unknown, b: unknown) => findParent(a) !== findParent(b)
  return buildSvgPath(mesh(topology, topology.objects.shapes, apart).coordinates, grid, false)
}
