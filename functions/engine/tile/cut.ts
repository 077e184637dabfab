import { computeSignedArea, isBetween } from './draw.ts'
import type { TilePlace } from './features.ts'
import { encodeTile, extent, type TileFeature, type TilePoint } from './mvt.ts'

/** The margin around a tile, in tile units: the widest line fits in. */
const buffer = 64

/** The properties of a feature, and its layer. */
export interface TileThing {
  layer: string
  properties: TileFeature['properties']
}

/**
 * A geometry part of a feature in the unit square of web mercator (y down; it may reach beyond): a point, a line, or a
 * ring. Holes follow their outer ring.
 */
export interface Part {
  /** The index of the feature; the parts of one are consecutive. */
  thing: number
  kind: 'point' | 'line' | 'outer' | 'hole'
  /** Alternating x and y; a ring does not repeat its first position. */
  at: Float64Array
  /** Drawn as a dot where it is too small to be visible. */
  isKept?: boolean
}

interface Piece extends Part {
  /** Least and greatest x, then y. */
  box: readonly [west: number, east: number, north: number, south: number]
}

/** A tile with something in it, not compressed. */
interface TileContent extends TilePlace {
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * Cuts features into the tiles of a zoom, from the north-west in the order of a quadtree. What reaches beyond the
 * antimeridian continues at the other side. Only simplifies positions that coincide on the tile grid. Needs about twice
 * the memory of the parts.
 */
export function* cutTiles(
  things: readonly TileThing[],
  parts: Iterable<Part>,
  zoom: number,
): Generator<TileContent> {
  const margin = buffer / extent / 2 ** zoom
  const pieces: Piece[] = []
  for (const part of parts) pieces.push(...addWorldCopies(withBox(part), margin))
  const root = clipPieces(clipPieces(pieces, 0, -margin, 1 + margin), 1, -margin, 1 + margin)
  const layers = [...new Set(things.map(({ layer }) => layer))]
  yield* descend(root, { z: 0, x: 0, y: 0 }, { things, layers, zoom, margin })
}

interface CutTarget {
  things: readonly TileThing[]
  /** In the order of the features. */
  layers: readonly string[]
  zoom: number
  margin: number
}

function* descend(pieces: Piece[], place: TilePlace, goal: CutTarget): Generator<TileContent> {
  if (pieces.length === 0) return
  if (place.z === goal.zoom) {
    const bytes = encodePieces(pieces, place, goal)
    if (bytes) yield { ...place, bytes }
    return
  }
  const z = place.z + 1
  const side = 1 / 2 ** z
  for (const x of [2 * place.x, 2 * place.x + 1]) {
    const column = clipPieces(pieces, 0, x * side - goal.margin, (x + 1) * side + goal.margin)
    for (const y of [2 * place.y, 2 * place.y + 1]) {
      const inside = clipPieces(column, 1, y * side - goal.margin, (y + 1) * side + goal.margin)
      yield* descend(inside, { z, x, y }, goal)
    }
  }
}

function withBox(part: Part): Piece {
  const box: [number, number, number, number] = [Infinity, -Infinity, Infinity, -Infinity]
  const { at } = part
  for (let i = 0; i < at.length; i += 2) {
    const [x, y] = [at[i] as number, at[i + 1] as number]
    if (x < box[0]) box[0] = x
    if (x > box[1]) box[1] = x
    if (y < box[2]) box[2] = y
    if (y > box[3]) box[3] = y
  }
  return { ...part, box }
}

/** A piece, with copies a world to the west or east where it reaches beyond the edge. */
function addWorldCopies(piece: Piece, margin: number): Piece[] {
  const [west, east] = piece.box
  const movePiece = (by: number) =>
    withBox({ ...piece, at: piece.at.map((value, i) => (i % 2 ? value : value + by)) })
  return [piece, ...(west < margin ? [movePiece(1)] : []), ...(east > 1 - margin ? [movePiece(-1)] : [])]
}

/** Clips pieces to a range of x (axis 0) or y (axis 1). */
function clipPieces(pieces: readonly Piece[], axis: 0 | 1, low: number, high: number): Piece[] {
  const keptPieces: Piece[] = []
  for (const piece of pieces) {
    const [from, to] = [piece.box[2 * axis] as number, piece.box[2 * axis + 1] as number]
    if (to < low || from > high) continue
    if (from >= low && to <= high) keptPieces.push(piece)
    else if (piece.kind === 'line') {
      for (const at of cutLine(piece.at, axis, low, high)) keptPieces.push(withBox({ ...piece, at }))
    } else {
      const at = cutRing(cutRing(piece.at, axis, low, 1), axis, high, -1)
      if (at.length > 0) keptPieces.push(withBox({ ...piece, at }))
    }
  }
  return keptPieces
}

/** The intersection of a segment with a bound. Computed from the smaller end, so that neighbours get the same. */
function crossing(at: Float64Array, i: number, j: number, axis: 0 | 1, bound: number): number {
  const [from, to] = (at[i + axis] as number) < (at[j + axis] as number) ? [i, j] : [j, i]
  const share =
    (bound - (at[from + axis] as number)) / ((at[to + axis] as number) - (at[from + axis] as number))
  const [a, b] = [at[from + 1 - axis] as number, at[to + 1 - axis] as number]
  return a + share * (b - a)
}

let scratch = new Float64Array(1 << 12)

/** An uninitialised buffer for reuse. */
function roomFor(count: number): Float64Array {
  if (scratch.length < count) scratch = new Float64Array(2 * count)
  return scratch
}

/** Clips a ring at a bound (Sutherland and Hodgman, 1974). Separated parts stay joined along the bound. */
function cutRing(at: Float64Array, axis: 0 | 1, bound: number, sign: 1 | -1): Float64Array {
  const out = roomFor(2 * at.length)
  let length = 0
  const add = (x: number, y: number) => {
    out[length++] = x
    out[length++] = y
  }
  for (let i = 0; i < at.length; i += 2) {
    const before = i === 0 ? at.length - 2 : i - 2
    const isIn = sign * ((at[i + axis] as number) - bound) >= 0
    if (isIn !== sign * ((at[before + axis] as number) - bound) >= 0) {
      const other = crossing(at, before, i, axis, bound)
      if (axis === 0) add(bound, other)
      else add(other, bound)
    }
    if (isIn) add(at[i] as number, at[i + 1] as number)
  }
  return out.slice(0, length)
}

/** The parts of a line between two bounds. */
function cutLine(at: Float64Array, axis: 0 | 1, low: number, high: number): Float64Array[] {
  let lines = [at]
  for (const [bound, sign] of [
    [low, 1],
    [high, -1],
  ] as const) {
    lines = lines.flatMap((line) => {
      const parts: number[][] = []
      let part: number[] = []
      for (let i = 0; i < line.length; i += 2) {
        const isIn = sign * ((line[i + axis] as number) - bound) >= 0
        if (i > 0 && isIn !== sign * ((line[i - 2 + axis] as number) - bound) >= 0) {
          const other = crossing(line, i - 2, i, axis, bound)
          part.push(...(axis === 0 ? [bound, other] : [other, bound]))
        }
        if (isIn) part.push(line[i] as number, line[i + 1] as number)
        else if (part.length > 0) {
          parts.push(part)
          part = []
        }
      }
      return [...parts, ...(part.length > 0 ? [part] : [])].map((numbers) => Float64Array.from(numbers))
    })
  }
  return lines
}

function encodePieces(pieces: readonly Piece[], place: TilePlace, { things, layers: names }: CutTarget) {
  const layers: Record<string, TileFeature[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (let from = 0; from < pieces.length;) {
    const { thing, kind } = pieces[from] as Piece
    let to = from + 1
    while (pieces[to]?.thing === thing) to += 1
    const { layer, properties } = things[thing] as TileThing
    const own = pieces.slice(from, to)
    const type = kind === 'point' || kind === 'line' ? kind : 'polygon'
    const geometry = type === 'polygon' ? toTileRings(own, place) : toTileParts(own, place, type)
    if (geometry.length > 0) layers[layer]?.push({ type, geometry, properties })
    from = to
  }
  return encodeTile(layers) as Uint8Array<ArrayBuffer> | null
}

function toTileParts(
  pieces: readonly Piece[],
  place: TilePlace,
  type: 'point' | 'line',
): TilePoint[] | TilePoint[][] {
  const parts = pieces.map((piece) => toTilePoints(piece, place))
  return type === 'point' ? parts.flat() : parts.filter((points) => points.length > 1)
}

function toTileRings(pieces: readonly Piece[], place: TilePlace): TilePoint[][] {
  const rings: TilePoint[][] = []
  let hasOuter = false
  for (const piece of pieces) {
    const ring = findVisibleRing(toTilePoints(piece, place), piece)
    if (piece.kind === 'outer') hasOuter = ring !== null
    if (ring && hasOuter) rings.push(ring)
  }
  return rings
}

/** The positions of a piece on the tile grid, without repeated and collinear ones. */
function toTilePoints({ at }: Part, { z, x, y }: TilePlace): TilePoint[] {
  const size = extent * 2 ** z
  const points: TilePoint[] = []
  for (let i = 0; i < at.length; i += 2) {
    const point: TilePoint = [
      Math.round((at[i] as number) * size - x * extent),
      Math.round((at[i + 1] as number) * size - y * extent),
    ]
    const [last, before] = [points.at(-1), points.at(-2)]
    if (last && last[0] === point[0] && last[1] === point[1]) continue
    if (last && before && isBetween(before, last, point)) points.pop()
    points.push(point)
  }
  return points
}

/** A ring in the winding order of the format, clockwise or reversed for a hole; null where it is not visible. */
function findVisibleRing(points: TilePoint[], { kind, isKept }: Part): TilePoint[] | null {
  const area = points.length < 3 ? 0 : computeSignedArea(points)
  if (area !== 0) return area > 0 === (kind === 'outer') ? points : points.reverse()
  const [at] = points
  if (!isKept || !at) return null
  const [x, y] = at
  return [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
  ]
}
