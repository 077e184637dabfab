import type { FeatureCollection } from 'geojson'
import type { Bounds } from '#app/islands/map-data.ts'
import type { FarRegions } from '#functions/engine/map/far-regions.ts'
import type { ProjectionName } from '#functions/engine/map/projection.ts'
import type { MapSet } from '#functions/engine/map/style.ts'
import type { Context } from '#functions/context.ts'
import {
  computeFrame,
  pickShapesInView,
  readShapes,
  type RegionShapes,
} from '#functions/engine/picture/shapes.ts'
import type { OwnBoundary } from '#functions/shapes/place.ts'
import { buildOwnMapSet } from './live-map.server.ts'
import { boxesOfParts, farOfPlace } from './place-far.server.ts'

/** The area of a place: the shapes to draw, and the initial view of a map. */
export interface PlaceArea {
  /** The surrounding regions within the initial view. */
  regions: FeatureCollection
  /** The set of these regions; null without any. */
  regionSetId: string | null
  /** The features that form the boundary; empty without one. */
  boundary: FeatureCollection
  /** The maximum bounds of a picture, of its near part with insets; null for most of the earth. */
  box: Bounds | null
  /** What a picture shows in insets and a live map behind buttons, beside the part that it opens on; null without any. */
  far: FarRegions | null
  /** The initial bounds of a live map; null without boundary and borders. */
  opens: Bounds | null
  /** Whether the initial view is the whole contiguous land of the set. */
  isWhole: boolean
  projection: ProjectionName
  /** The sets of a live map: of the borders, and of the boundary region (`gid` null: all regions of that level). */
  borders: string | null
  own: { setId: string; gid: string | null } | null
  /** Those of these sets that belong to an organization, with their tile addresses. */
  ownSets: MapSet[]
  /** Who made the outlines of the own sets, as far as they say so. */
  origins: string[]
}

interface AreaChoice {
  boundaryId: string | null
  ownBoundary: OwnBoundary | null
  allStatesBoundaryId: string | null
}

const none: RegionShapes = { type: 'FeatureCollection', features: [] }
/** Drawing more regions takes seconds, and they are indistinguishable in a picture. */
const maxDrawn = 300
/** A live map opens on the contiguous states; a picture shows Alaska and Hawaii as well. */
const unitedStates = { opens: [-125, 24, -66, 50] as Bounds, reach: [-180, 15, -64, 73] as Bounds }
/** The initial bounds without a better choice: most of the land. */
export const wholeWorld: Bounds = [-170, -55, 180, 75]

/** The built-in boundary sets: prefix of their boundary ids, the coarser set that replaces them in a picture, bounds. */
const sets: Record<string, { ids: string; above: string | null; opens: Bounds; reach: Bounds | null }> = {
  'us-counties': { ids: 'us-county-', above: 'us-states', ...unitedStates },
  'us-states': { ids: 'us-state-', above: null, ...unitedStates },
  'world-countries': { ids: 'country-', above: null, opens: wholeWorld, reach: null },
}
/** Boundaries that are not one region of a set but all of them. */
const wholes: Record<string, string> = { 'us-nation': 'us-states' }

/** Loads the area of a place from the boundary files. A boundary that is in none of them is not drawn. */
export async function placeArea({ tiles }: Pick<Context, 'tiles'>, choice: AreaChoice): Promise<PlaceArea> {
  const { allStatesBoundaryId } = choice
  const around = allStatesBoundaryId === null ? none : await readShapes(tiles, allStatesBoundaryId)
  const borders = around.features.length > 0 ? allStatesBoundaryId : null
  const boundary = await readBoundary(tiles, choice)
  const ownSets = listOwnSets([
    [boundary.setId, boundary.shapes],
    [borders, around],
  ])
  const origins = [boundary.shapes.origin, around.origin].filter((origin) => origin !== undefined)
  return { ...(await areaAround(tiles, boundary, borders)), ownSets, origins }
}

interface BoundaryShapes {
  /** The set it belongs to, by the name of its file. */
  setId: string | null
  shapes: RegionShapes
  /** The features that form the boundary. */
  boundary: FeatureCollection
  /** The region id; null for all regions of the set. */
  gid: string | null
  /** So wide that maps of it open on the contiguous part. */
  isWhole: boolean
}

/** The boundary chosen for a place: areas of an own set take precedence over a built-in region. */
async function readBoundary(
  tiles: R2Bucket,
  { boundaryId, ownBoundary }: AreaChoice,
): Promise<BoundaryShapes> {
  if (ownBoundary) {
    const { boundarySetId: setId, area } = ownBoundary
    const shapes = await readShapes(tiles, setId)
    if (area === null) return { setId, shapes, boundary: shapes, gid: null, isWhole: false }
    const features = shapes.features.filter(({ properties }) => properties?.code === area)
    const gid = String(features[0]?.properties?.gid ?? '')
    return { setId, shapes, boundary: { type: 'FeatureCollection', features }, gid, isWhole: false }
  }
  const whole = wholes[boundaryId ?? ''] ?? null
  const setId = whole ?? Object.keys(sets).find((id) => boundaryId?.startsWith(sets[id]?.ids ?? '')) ?? null
  const shapes = setId ? await readShapes(tiles, setId) : none
  const boundary = whole ? shapes : pickRegion(shapes, boundaryId)
  return { setId, shapes, boundary, gid: whole ? null : boundaryId, isWhole: whole !== null }
}

/** The distinct own sets among these that have tiles. */
function listOwnSets(read: [setId: string | null, shapes: RegionShapes][]): MapSet[] {
  const own = new Map(
    read.flatMap(([setId, shapes]) => {
      const set = setId === null ? undefined : buildOwnMapSet(setId, shapes)
      return set ? [[set.name, set] as const] : []
    }),
  )
  return [...own.values()]
}

async function areaAround(
  tiles: R2Bucket,
  { setId, boundary, gid, isWhole }: BoundaryShapes,
  borders: string | null,
): Promise<Omit<PlaceArea, 'ownSets' | 'origins'>> {
  const far = isWhole ? null : await farOfPlace(tiles, { boundary, borders })
  const around = isWhole ? null : (far?.opens ?? computeFrame(boundary.features))
  const close = around && around[2] - around[0] < 180 ? around : null
  const view = close && wider(close)
  const box = far && view ? (boxesOfParts(far, view)[0] ?? view) : view
  const { regions, regionSetId } = await regionsIn(tiles, borders, { box: box && getSearchBox(box), far })
  const land = sets[(boundary.features.length > 0 ? setId : null) ?? borders ?? '']
  return {
    ...{ regions, regionSetId, boundary, borders, far },
    box: box ?? (around ? null : (land?.reach ?? null)),
    opens: close ?? land?.opens ?? null,
    isWhole: close === null,
    projection: around ? 'mercator' : (borders ?? setId ?? '').startsWith('us-') ? 'albersUsa' : 'equalEarth',
    own: setId && boundary.features.length > 0 ? { setId, gid } : null,
  }
}

/** The boxes in which a picture of an area shows records; null for most of the earth. They do not overlap. */
export const getRecordBoxes = ({ box, far }: Pick<PlaceArea, 'box' | 'far'>): (Bounds | null)[] =>
  far && box ? boxesOfParts(far, box) : [box]

/** Records that spread over more degrees than this get a map of the set's whole land. */
const wide = 60

/** The area around records within a box, with the borders of a set. */
export async function landAround(
  { tiles }: Pick<Context, 'tiles'>,
  setId: string,
  extent: Bounds,
): Promise<PlaceArea> {
  const [west, south, east, north] = extent
  const isWide = east - west > wide || north - south > wide
  const box = isWide ? null : wider([west - 0.05, south - 0.05, east + 0.05, north + 0.05])
  const { regions, regionSetId } = await regionsIn(tiles, setId, { box: box && getSearchBox(box), far: null })
  return {
    ...{
      regions,
      regionSetId,
      boundary: none,
      box,
      far: null,
      opens: extent,
      borders: setId,
      own: null,
      ownSets: [],
      origins: [],
    },
    isWhole: false,
    projection: !isWide ? 'mercator' : setId.startsWith('us-') ? 'albersUsa' : 'equalEarth',
  }
}

/** The box for the search of regions; null (no limit) across the antimeridian, where they lie on both sides. */
const getSearchBox = (box: Bounds): Bounds | null => (box[2] > 180 ? null : box)

function pickRegion(shapes: FeatureCollection, gid: string | null): FeatureCollection {
  return { ...shapes, features: shapes.features.filter(({ properties }) => properties?.gid === gid) }
}

/** The regions of a set within a box, and its far ones; those of the coarser set if there are too many. */
async function regionsIn(
  tiles: R2Bucket,
  setId: string | null,
  view: { box: Bounds | null; far: FarRegions | null },
): Promise<Pick<PlaceArea, 'regions' | 'regionSetId'>> {
  if (setId === null) return { regions: none, regionSetId: null }
  const shapes = await readShapes(tiles, setId)
  const regions = view.box ? withFar(shapes, pickShapesInView(shapes, corners(view.box)), view.far) : shapes
  if (regions.features.length <= maxDrawn) return { regions, regionSetId: setId }
  return regionsIn(tiles, sets[setId]?.above ?? null, view)
}

/** The regions in view and those of the set that are in far groups. */
function withFar({ features }: FeatureCollection, near: FeatureCollection, far: FarRegions | null) {
  if (!far) return near
  const farRegions = new Set(far.groups.flatMap(({ regions }) => regions))
  const farFeatures = features.filter((region) => farRegions.has(region) && !near.features.includes(region))
  return { ...near, features: [...near.features, ...farFeatures] }
}

/** A box enlarged by its own size on each side, as a picture of another aspect ratio shows more than the box. */
function wider([west, south, east, north]: Bounds): Bounds {
  const [wide, high] = [east - west, north - south]
  const isBehind = east > 180
  return [
    isBehind ? west - wide : Math.max(-180, west - wide),
    Math.max(-85, south - high),
    isBehind ? east + wide : Math.min(180, east + wide),
    Math.min(85, north + high),
  ]
}

const corners = ([west, south, east, north]: Bounds) => [
  { lon: west, lat: south },
  { lon: east, lat: north },
]
