import type { Feature, FeatureCollection, Position } from 'geojson'
import { boundaryKey } from '#functions/engine/tile/manifest.ts'
import type { SetTiles } from '#functions/shapes/boundary-set.ts'
import { PolledCache } from '#functions/platform/cache/polled.ts'
import { mergeExtents } from '#functions/shapes/fields/extent.ts'

/** The regions of a set, and its tile archive if it is an uploaded one with tiles. */
export interface RegionShapes extends FeatureCollection {
  tiles?: SetTiles
  name?: string
  origin?: string
}

const none: RegionShapes = { type: 'FeatureCollection', features: [] }
const margin = 0.3

/** A cached set with its ETag and size. */
interface ShapeSet {
  etag: string
  shapes: RegionShapes
  bytes: number
}

/** Sets that were read from a bucket, of up to a megabyte: states and countries. Counties are read each time. */
const caches = new WeakMap<R2Bucket, PolledCache<ShapeSet | null>>()

function getSetCache(tiles: R2Bucket): PolledCache<ShapeSet | null> {
  const cache = caches.get(tiles)
  if (cache) return cache
  const sets = new PolledCache<ShapeSet | null>({
    ...{ name: 'shapes', freshMs: 0, staleMs: 0 },
    bounds: { cost: 2_000_000, largest: 1_000_000, estimateCost: (set) => set?.bytes ?? 0 },
  })
  caches.set(tiles, sets)
  return sets
}

/**
 * The regions of a boundary set, simplified; empty when it does not exist. Cached by ETag, and shared: must not be
 * mutated.
 */
export async function readShapes(tiles: R2Bucket, setId: string): Promise<RegionShapes> {
  if (!/^[\w-]{1,64}$/.test(setId)) return none
  const set = await getSetCache(tiles).readFresh(setId, (before) => loadShapes(tiles, setId, before))
  return set?.shapes ?? none
}

async function loadShapes(
  tiles: R2Bucket,
  setId: string,
  before?: ShapeSet | null,
): Promise<ShapeSet | null> {
  const object = await tiles.get(
    boundaryKey(setId),
    before ? { onlyIf: { etagDoesNotMatch: before.etag } } : {},
  )
  if (!object || object.etag === before?.etag) return object && (before ?? null)
  const { etag, size } = object
  return { etag, shapes: await (object as R2ObjectBody).json<RegionShapes>(), bytes: size }
}

/** The features that overlap the box of the points with a margin; all of them without points. */
export function pickShapesInView(shapes: RegionShapes, points: { lon: number; lat: number }[]): RegionShapes {
  if (points.length === 0) return shapes
  const lons = points.map((point) => point.lon)
  const lats = points.map((point) => point.lat)
  const [west, east] = [Math.min(...lons) - margin, Math.max(...lons) + margin]
  const [south, north] = [Math.min(...lats) - margin, Math.max(...lats) + margin]
  const features = shapes.features.filter((feature) => {
    const box = computeFeatureBox(feature)
    return box[0] <= east && box[2] >= west && box[1] <= north && box[3] >= south
  })
  return { ...shapes, features }
}

/** West, south, east, north of a feature. */
export function computeFeatureBox(feature: Pick<Feature, 'geometry'>): [number, number, number, number] {
  const box: [number, number, number, number] = [180, 90, -180, -90]
  const visit = (positions: unknown): void => {
    if (!Array.isArray(positions)) return
    if (typeof positions[0] !== 'number') return positions.forEach(visit)
    const [lon = 0, lat = 0] = positions as Position
    box[0] = Math.min(box[0], lon)
    box[1] = Math.min(box[1], lat)
    box[2] = Math.max(box[2], lon)
    box[3] = Math.max(box[3], lat)
  }
  visit('coordinates' in feature.geometry ? feature.geometry.coordinates : [])
  return box
}

/**
 * The smallest box around some features: where it crosses the antimeridian its east is beyond 180, so that a map of Fiji
 * does not show the whole earth. Null for none.
 */
export function computeFrame(features: readonly Feature[]): [number, number, number, number] | null {
  const boxes = features.flatMap(splitFeature).map(computeFeatureBox)
  boxes.sort((a, b) => a[0] - b[0])
  const bounds = mergeExtents(boxes)
  if (!bounds) return null
  const [first, south, last, north] = bounds
  let nearest = first
  // The widest gap in longitude: initially the one from the last box around to the first.
  let frame: [west: number, east: number] = [first, last]
  let widest = first + 360 - frame[1]
  for (const [west, , east] of boxes) {
    if (west - nearest > widest) {
      widest = west - nearest
      frame = [west, nearest + 360]
    }
    nearest = Math.max(nearest, east)
  }
  return [frame[0], south, frame[1], north]
}

/** The polygons of a feature, separately; other geometries are one part. */
export function splitFeature({ geometry }: Feature): Feature[] {
  const parts: Feature['geometry'][] =
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates.map((coordinates) => ({ type: 'Polygon', coordinates }))
      : [geometry]
  return parts.map((part) => ({ type: 'Feature', properties: {}, geometry: part }))
}
