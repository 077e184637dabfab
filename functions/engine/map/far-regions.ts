import type { Feature, FeatureCollection, Position } from 'geojson'
import { computeMiddleLongitude } from './projection.ts'
import { listPolygons } from '#functions/shapes/fields/geometry.ts'

/** West, south, east, north in degrees; an east beyond 180 crosses the antimeridian. */
export type Bounds = [west: number, south: number, east: number, north: number]

/** Regions of a set that are so far from all others that a map of everything would show little. */
interface FarGroup {
  regions: Feature[]
  bounds: Bounds
}

/** The initial view of a set's map, and the regions far from there. */
export interface FarRegions {
  opens: Bounds
  groups: FarGroup[]
}

/** A polygon of a region: its box in degrees of Mercator, which grow with the latitude as a map does. */
interface Piece {
  region: Feature
  box: Bounds
  area: number
  /** A part so small relative to its region that it may be omitted. */
  isCrumb: boolean
}

/** Distances in degrees of Mercator within which pieces are always near each other. */
const near = { piece: 3, tiny: 1.5, crumb: 1 }
/** Large pieces are near the rest within this share of its longer side. */
const nearShare = 0.25
const share = { small: 0.005, tiny: 0.0005 }
/** The initial view must be narrower than everything by this factor; otherwise everything is shown. */
const worth = 0.75
/** Distant regions have less than this share of the others' land: two halves of a country stay on one map. */
const maxLand = 0.3
/** More groups do not fit beside a map. */
const maxGroups = 6
const crumbShare = 0.01
/** Larger sets are shown completely: counties of a country, districts of all states. */
const maxRegions = 400

/**
 * Finds the regions of a set that are far from most of it: overseas regions, islands in another ocean. Small distant
 * parts of other regions (a reef of a coastal province) are omitted from the initial view, and form no group. Null where
 * everything fits into one picture.
 */
export function detectFarRegions({ features }: FeatureCollection): FarRegions | null {
  const before = byFeatures.get(features)
  if (before !== undefined) return before
  const match = features.length > maxRegions ? null : findFarRegions(features)
  byFeatures.set(features, match)
  return match
}

/** Results by set, cached as long as the set is referenced. */
const byFeatures = new WeakMap<Feature[], FarRegions | null>()

function findFarRegions(features: Feature[]): FarRegions | null {
  const middle = computeMiddleLongitude(features, [])
  const pieces = features
    .flatMap((feature) => splitIntoPieces(feature, middle))
    .sort((a, b) => b.area - a.area)
  if (pieces.length === 0) return null
  const all = unionOfBoxes(pieces)
  const land = (of: Piece[]) => of.reduce((sum, { area }) => sum + area, 0)
  // One overseas region may be larger than any other: where most of the land is counts.
  const opens = groupNear(pieces).reduce((most, pile) => (land(pile) > land(most) ? pile : most), [])
  const main = unionOfBoxes(opens)
  const wide = (main[2] - main[0]) / Math.max(1e-9, all[2] - all[0])
  const high = (main[3] - main[1]) / Math.max(1e-9, all[3] - all[1])
  if (Math.min(wide, high) > worth) return null
  const nearRegions = new Set(opens.map(({ region }) => region))
  const groups = groupNear(pieces.filter(({ region }) => !nearRegions.has(region)))
  if (groups.length > maxGroups || land(groups.flat()) > maxLand * land(opens)) return null
  return {
    opens: toDegrees(main),
    groups: groups.map((group) => ({
      regions: [...new Set(group.map(({ region }) => region))],
      bounds: toDegrees(unionOfBoxes(group)),
    })),
  }
}

/** Groups of pieces that are near each other, the largest first; a region is where its largest piece is. */
function groupNear(pieces: readonly Piece[]): Piece[][] {
  let rest = [...pieces]
  const all: Piece[][] = []
  while (rest.length > 0) {
    const pile = grow(rest.slice(0, 1), rest)
    all.push(pile)
    const regions = new Set(pile.map(({ region }) => region))
    rest = rest.filter(({ region }) => !regions.has(region))
  }
  return all
}

/** The first pieces and everything that is transitively near them. */
function grow(first: Piece[], pieces: readonly Piece[]): Piece[] {
  const grown = new Set(first)
  let box = unionOfBoxes(first)
  let land = first.reduce((sum, { area }) => sum + area, 0)
  for (let before = 0; before < grown.size;) {
    before = grown.size
    for (const piece of pieces) {
      if (grown.has(piece)) continue
      if (apart(box, piece.box) > computeReach(piece, box, land)) continue
      land += piece.area
      grown.add(piece)
      box = unionOfBoxes([{ box }, piece])
    }
  }
  return [...grown]
}

/** The distance within which a piece belongs to others: larger for large land than for a reef. */
function computeReach({ isCrumb, area }: Piece, box: Bounds, land: number): number {
  if (isCrumb) return near.crumb
  if (area < share.tiny * land) return near.tiny
  const side = Math.max(box[2] - box[0], box[3] - box[1])
  return area < share.small * land ? near.piece : Math.max(near.piece, nearShare * side)
}

const apart = (a: Bounds, b: Bounds) =>
  Math.hypot(Math.max(0, a[0] - b[2], b[0] - a[2]), Math.max(0, a[1] - b[3], b[1] - a[3]))

function unionOfBoxes(pieces: readonly { box: Bounds }[]): Bounds {
  const box: Bounds = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { box: each } of pieces) {
    box[0] = Math.min(box[0], each[0])
    box[1] = Math.min(box[1], each[1])
    box[2] = Math.max(box[2], each[2])
    box[3] = Math.max(box[3], each[3])
  }
  return box
}

function splitIntoPieces(region: Feature, middle: number): Piece[] {
  const pieces = listPolygons(region.geometry).map(([outer = []]) => ({
    region,
    ...measureRing(outer.map(([lon = 0, lat = 0]) => [lon - 360 * Math.round((lon - middle) / 360), lat])),
  }))
  const most = Math.max(...pieces.map(({ area }) => area))
  const total = pieces.reduce((sum, { area }) => sum + area, 0)
  return pieces.map((piece) => ({
    ...piece,
    isCrumb: piece.area < most && piece.area < crumbShare * total,
  }))
}

/** The box of a ring in degrees of Mercator, and its area in square degrees of the equator. */
function measureRing(ring: Position[]): { box: Bounds; area: number } {
  const box: Bounds = [Infinity, Infinity, -Infinity, -Infinity]
  let twice = 0
  ring.forEach(([x = 0, lat = 0], i) => {
    const [nextX = 0, nextLat = 0] = ring[(i + 1) % ring.length] ?? []
    twice += x * nextLat - nextX * lat
    const y = mercator(lat)
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
  })
  const middle = latitude((box[1] + box[3]) / 2)
  return { box, area: (Math.abs(twice) / 2) * Math.cos((middle * Math.PI) / 180) }
}

const mercator = (lat: number) =>
  (Math.log(Math.tan(Math.PI / 4 + (Math.min(85, Math.max(-85, lat)) * Math.PI) / 360)) * 180) / Math.PI
const latitude = (y: number) => (Math.atan(Math.exp((y * Math.PI) / 180)) * 360) / Math.PI - 90
const toDegrees = ([west, south, east, north]: Bounds): Bounds => [
  west,
  latitude(south),
  east,
  latitude(north),
]
