import type { Feature, FeatureCollection, Position } from 'geojson'

const none: FeatureCollection = { type: 'FeatureCollection', features: [] }
const margin = 0.3

/** The regions of a boundary set, simplified; empty when the set was not made. Never longer in memory than the answer. */
export async function readShapes(tiles: R2Bucket, setId: string): Promise<FeatureCollection> {
  if (!/^[a-z0-9-]{1,40}$/.test(setId)) return none
  const object = await tiles.get(`boundaries/${setId}.geojson`)
  return object ? object.json<FeatureCollection>() : none
}

/** The features whose box meets the box of the points, with a little around it; all of them without points. */
export function inView(shapes: FeatureCollection, points: { lon: number; lat: number }[]): FeatureCollection {
  if (points.length === 0) return shapes
  const lons = points.map((point) => point.lon)
  const lats = points.map((point) => point.lat)
  const [west, east] = [Math.min(...lons) - margin, Math.max(...lons) + margin]
  const [south, north] = [Math.min(...lats) - margin, Math.max(...lats) + margin]
  const features = shapes.features.filter((feature) => {
    const box = boxOf(feature)
    return box[0] <= east && box[2] >= west && box[1] <= north && box[3] >= south
  })
  return { ...shapes, features }
}

/** West, south, east, north of a feature. */
export function boxOf(feature: Feature): [number, number, number, number] {
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
