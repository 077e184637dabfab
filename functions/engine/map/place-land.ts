import type { Feature, FeatureCollection } from 'geojson'
import { planAreas, type AreaPlan, type Detail } from './areas.ts'
import type { FarRegions } from './far-regions.ts'
import { fitWithInsets, type MapProjection } from './insets.ts'
import { addProjectionParts } from './parts.ts'
import { cutTo, fitProjection, type ProjectionName } from './projection.ts'

export interface LandOptions {
  regions: FeatureCollection
  boundary: FeatureCollection
  /** The points that the picture shows where it has no boundary and does not show all regions. */
  points: { lon: number; lat: number }[]
  isOnPoints?: boolean
  /** The part that the picture opens on, and what it shows in insets; only in Mercator. */
  far?: FarRegions | null
  width: number
  height: number
  projection: ProjectionName
}

/** The land of a place laid out for a picture of one size. */
interface PlaceLand {
  projection: MapProjection
  plan: AreaPlan
  /** Its cached drawing without colours and base map: the same for all layers. */
  plain?: { svg: string; detail: Detail }
}

interface FittedLand {
  /** The inputs it depends on. */
  of: unknown[]
  land: PlaceLand
}

/** Cached layouts by their first region, as long as that is referenced. */
const landsByRegion = new WeakMap<Feature, FittedLand[]>()
/** The maps of a place and its sources have one size; pictures may have any. */
const maxLands = 4

/** The projection of the picture. */
export function fitLand(options: LandOptions): MapProjection {
  const { regions, boundary, points, width, height, projection: name } = options
  if (options.far && name === 'mercator') return fitWithInsets(options.far, { width, height })
  const fit = boundary.features.length > 0 ? [boundary] : options.isOnPoints ? [] : [regions]
  const projection = fitProjection(name, fit, points, { width, height })
  cutTo(projection, { width, height })
  return addProjectionParts(name, projection, { width, height })
}

/**
 * The land of a picture, fitted and joined. Takes a tenth of a second, and is the same for the maps of a place and its
 * sources in each language. So it is cached with the regions where only they and the boundary determine it: Mercator
 * depends on other layers.
 */
export function getPlaceLand(options: LandOptions): PlaceLand {
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
  landsByRegion.set(first, [...lands, { of, land }].slice(-maxLands))
  return land
}

function makeLand(options: LandOptions): PlaceLand {
  const projection = fitLand(options)
  return { projection, plan: planAreas(options.regions, options.boundary, projection) }
}
