import type { GeoProjection } from 'd3-geo'
import type { Feature, FeatureCollection } from 'geojson'
import { planAreas, type AreaPlan, type Detail } from './areas.ts'
import { cutTo, fitProjection, type ProjectionName } from './projection.ts'

export interface LandOptions {
  regions: FeatureCollection
  boundary: FeatureCollection
  /** What the picture shows where it has no boundary and does not show all regions. */
  points: { lon: number; lat: number }[]
  isOnPoints?: boolean
  width: number
  height: number
  projection: ProjectionName
}

/** The land of a place as it lies in a picture of one size. */
interface PlaceLand {
  projection: GeoProjection
  plan: AreaPlan
  /** Its drawing without colours and without ground, once there is one: it is the same whatever lies on it. */
  plain?: { svg: string; detail: Detail }
}

interface FittedLand {
  /** What it was made of. */
  of: unknown[]
  land: PlaceLand
}

/** Land that was fitted, with its first region for as long as anyone holds that. */
const landsByRegion = new WeakMap<Feature, FittedLand[]>()
/** The map of a place and those of its sources have one size; pictures are asked for in any. */
const mostLands = 4

/** How the picture lies on the earth. */
export function fitLand(options: LandOptions): GeoProjection {
  const { regions, boundary, points, width, height, projection: name } = options
  const fit = boundary.features.length > 0 ? [boundary] : options.isOnPoints ? [] : [regions]
  const projection = fitProjection(name, fit, points, { width, height })
  cutTo(projection, { width, height })
  return projection
}

/**
 * The land of a picture, fitted and joined. That takes a tenth of a second, and is the same for the map of a place and those of its
 * sources in each language. So it is kept with the regions where only they and the boundary decide: Mercator turns by what else is on the
 * map.
 */
export function landOf(options: LandOptions): PlaceLand {
  const { regions, boundary, width, height, projection: name } = options
  const [first] = regions.features
  const isByPoints = name === 'mercator' || (options.isOnPoints === true && boundary.features.length === 0)
  if (!first || isByPoints) return makeLand(options)
  const of = [name, width, height, ...regions.features, null, ...boundary.features]
  const lands = landsByRegion.get(first) ?? []
  const fitted = lands.find(
    (each) => each.of.length === of.length && each.of.every((part, at) => part === of[at]),
  )
  if (fitted) return fitted.land
  const land = makeLand(options)
  landsByRegion.set(first, [...lands, { of, land }].slice(-mostLands))
  return land
}

function makeLand(options: LandOptions): PlaceLand {
  const projection = fitLand(options)
  return { projection, plan: planAreas(options.regions, options.boundary, projection) }
}
