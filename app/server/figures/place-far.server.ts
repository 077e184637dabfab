import type { Feature, FeatureCollection } from 'geojson'
import type { Bounds } from '#app/islands/map-data.ts'
import { detectFarRegions, type FarRegions } from '#functions/engine/map/far-regions.ts'
import { countryOfRegion } from '#functions/engine/map/region-names.ts'
import { computeFeatureBox, splitFeature, readShapes } from '#functions/engine/picture/shapes.ts'
import { mergeExtents } from '#functions/shapes/fields/extent.ts'
import { generalSets, regionsOfCountry } from '#functions/shapes/region-sets.ts'

interface PlaceSets {
  /** The features that form the boundary of the place. */
  boundary: FeatureCollection
  /** The set of the borders around it; null without any. */
  borders: string | null
}

/**
 * The part of a place that its map opens on, and the groups of regions far from there: of its boundary where that has
 * several regions, else of the borders in it, or of the first-level regions of the country that it is. Null where
 * everything fits into one picture.
 */
export async function farOfPlace(
  tiles: R2Bucket,
  { boundary, borders }: PlaceSets,
): Promise<FarRegions | null> {
  if (boundary.features.length > 1) return detectFarRegions(boundary)
  const [region] = boundary.features
  const country = region ? countryOfRegion(String(region.properties?.gid)) : null
  const setIds = [
    ...(borders === null || Object.hasOwn(generalSets, borders) ? [] : [borders]),
    ...(country === null ? [] : [regionsOfCountry(country)]),
  ]
  for (const setId of setIds) {
    const far = detectFarRegions(await readShapes(tiles, setId))
    const farInPlace = far && region ? findFarGroups(far, region) : far
    if (farInPlace) return farInPlace
  }
  return null
}

/** The far groups in which a region has land; null without any, and where it fills less than a quarter of the near part. */
function findFarGroups({ opens, groups }: FarRegions, region: Feature): FarRegions | null {
  const boxes = splitFeature(region).map(computeFeatureBox)
  const nearBox = mergeExtents(
    boxes.map((box) => intersectBoxes(box, opens)).filter((box) => computeArea(box) > 0),
  )
  const isNear = nearBox !== null && computeArea(nearBox) > computeArea(opens) / 4
  const groupsInRegion = groups.filter(({ bounds }) =>
    boxes.some((box) => computeArea(intersectBoxes(box, widened(bounds))) > 0),
  )
  return isNear && groupsInRegion.length > 0 ? { opens, groups: groupsInRegion } : null
}

/** A box on the side of the antimeridian where another one is. */
function shiftBox([west, south, east, north]: Bounds, other: Bounds): Bounds {
  const turn = 360 * Math.round((other[0] + other[2] - west - east) / 720)
  return [west + turn, south, east + turn, north]
}

/** What two boxes have in common; its east is west of its west, or its north south of its south, where that is nothing. */
function intersectBoxes(box: Bounds, other: Bounds): Bounds {
  const [west, south, east, north] = shiftBox(box, other)
  return [
    ...([Math.max(west, other[0]), Math.max(south, other[1])] as const),
    ...([Math.min(east, other[2]), Math.min(north, other[3])] as const),
  ]
}

const computeArea = ([west, south, east, north]: Bounds) =>
  Math.max(0, east - west) * Math.max(0, north - south)

/** How far records around a far group are shown with it, in degrees. */
const margin = 0.1

const widened = ([west, south, east, north]: Bounds): Bounds => [
  ...([west - margin, Math.max(-85, south - margin)] as const),
  ...([east + margin, Math.min(85, north + margin)] as const),
]

/** The boxes of a picture with insets: `around` is that of its near part. They do not overlap, so nothing is counted twice. */
export function boxesOfParts({ opens, groups }: FarRegions, around: Bounds): Bounds[] {
  const far = groups.map(({ bounds }) => widened(bounds))
  const near = far.reduce((box, each) => excludeBox(box, each, opens), around)
  return [near, ...far.map(onOneSide)]
}

/** A box without another one, cut along a side on which that lies beyond the part to keep. */
function excludeBox(box: Bounds, other: Bounds, keep: Bounds): Bounds {
  if (computeArea(intersectBoxes(other, box)) === 0) return box
  const [west, south, east, north] = shiftBox(other, box)
  if (west >= keep[2]) return [box[0], box[1], west, box[3]]
  if (east <= keep[0]) return [east, box[1], box[2], box[3]]
  if (south >= keep[3]) return [box[0], box[1], box[2], south]
  return [box[0], north, box[2], box[3]]
}

/** A box whose west is between -180 and 180. */
function onOneSide([west, south, east, north]: Bounds): Bounds {
  const turn = -360 * Math.floor((west + 180) / 360)
  return [west + turn, south, east + turn, north]
}
