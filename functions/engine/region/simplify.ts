import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import { topology } from 'topojson-server'
import { presimplify, quantile } from 'topojson-simplify'
import type { GeometryCollection, GeometryObject, Topology } from 'topojson-specification'
import { arcsThatMeet } from './arc-intersections.ts'

export type AreaCollection<Properties> = FeatureCollection<Polygon | MultiPolygon, Properties>
type Areas = Topology<{ areas: GeometryCollection }>

/** How often borders that would meet get more detail; after that they keep all of it. */
const rounds = 6
const finer = 1 / 8

/**
 * Simplifies areas to about `most` vertices. Shared borders are simplified once, so that neighbours neither part nor
 * overlap along them; borders that would cross or overlap keep more detail, and every area keeps a polygon. Other
 * polygons that are too small to draw are dropped. Areas without more vertices are returned unchanged.
 */
export function simplifyAreas<Properties>(
  areas: AreaCollection<Properties>,
  most: number,
): AreaCollection<Properties> {
  const joined = presimplify(topology({ areas }) as Areas) as Areas
  const corners = joined.arcs.reduce((sum, arc) => sum + arc.length, 0)
  if (corners <= most) return areas
  // The quantile counts from the largest weight: it is the share of vertices that remain.
  const weights = new Float64Array(joined.arcs.length).fill(quantile(joined, most / corners))
  for (let round = 0; ; round++) {
    const arcs = joined.arcs.map((arc, i) => withDetail(arc, weights[i] as number))
    const simplified = feature({ ...joined, arcs }, joined.objects.areas) as AreaCollection<Properties>
    const geometries = simplified.features.map(({ geometry }) => removeEmptyRings(geometry))
    const coarse = new Set(arcsThatMeet(arcs))
    geometries.forEach((geometry, i) => {
      const shape = (joined.objects.areas.geometries as GeometryObject[])[i]
      if (!geometry) for (const arc of getArcNumbers(shape)) coarse.add(arc)
    })
    const remainingArcs = [...coarse].filter((arc) => weights[arc] !== 0)
    if (remainingArcs.length === 0) return withGeometries(areas, geometries)
    for (const arc of remainingArcs) weights[arc] = round < rounds ? (weights[arc] as number) * finer : 0
  }
}

/** The vertices of an arc with at least this weight, which follows their position; the ends have infinite weight. */
function withDetail(arc: Position[], weight: number): Position[] {
  return arc.filter(([, , own = Infinity]) => own >= weight).map(([x = 0, y = 0]): Position => [x, y])
}

function withGeometries<Properties>(
  areas: AreaCollection<Properties>,
  geometries: (MultiPolygon | null)[],
): AreaCollection<Properties> {
  return {
    type: 'FeatureCollection',
    features: areas.features.map((area, i): Feature<Polygon | MultiPolygon, Properties> => ({
      ...area,
      geometry: geometries[i] ?? area.geometry,
    })),
  }
}

/** The numbers of the arcs of a shape; of one that is passed backwards the topology has the complement. */
function getArcNumbers(shape: GeometryObject | undefined): number[] {
  const arcs = shape && 'arcs' in shape ? (shape.arcs as unknown[]) : []
  return (arcs.flat(3) as number[]).map((arc) => (arc < 0 ? ~arc : arc))
}

/** The polygons of a geometry with an area; null where there are none. */
function removeEmptyRings(geometry: Polygon | MultiPolygon): MultiPolygon | null {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const coordinates = polygons
    .filter(([outer]) => outer && computeRingArea(outer) > 0)
    .map((rings) => rings.filter((ring) => computeRingArea(ring) > 0))
  return coordinates.length ? { type: 'MultiPolygon', coordinates } : null
}

/** In square degrees. */
function computeRingArea(ring: Position[]): number {
  let sum = 0
  for (let i = 1; i < ring.length; i++) {
    const [a, b] = [ring[i - 1] as Position, ring[i] as Position]
    sum += (a[0] ?? 0) * (b[1] ?? 0) - (b[0] ?? 0) * (a[1] ?? 0)
  }
  return Math.abs(sum) / 2
}
