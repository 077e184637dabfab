import type { Geometry, Position } from 'geojson'
import type { TreeValue } from './tree.ts'

/** Why a KML geometry is invalid, as a sentence. */
export class BadGeometryError extends Error {
  override name = 'BadGeometryError'
}

type Tree = Exclude<TreeValue, string>

export const geometryTags = [
  'Point',
  'LineString',
  'LinearRing',
  'Polygon',
  'MultiGeometry',
  'MultiTrack',
  'Track',
  'Model',
]

/** The children of a name, one or many. */
export function getChildren(tree: TreeValue, name: string): TreeValue[] {
  if (typeof tree === 'string' || !Object.hasOwn(tree, name)) return []
  return [tree[name] as TreeValue | TreeValue[]].flat()
}

/** The text of a value, without its attributes. */
export function getText(tree: TreeValue | undefined): string {
  if (tree === undefined) return ''
  if (typeof tree === 'string') return tree
  return typeof tree._ === 'string' ? tree._ : ''
}

/**
 * The geometry of a placemark: null when it has none. Several of a type become a multi-geometry, several types a
 * collection. Throws BadGeometryError.
 */
export function kmlGeometry(placemark: Tree, most: number): Geometry | null {
  const parts = parseParts(placemark, { left: most, most })
  const [first] = parts
  if (!first || parts.length === 1) return first ?? null
  if (parts.some(({ type }) => type !== first.type)) return { type: 'GeometryCollection', geometries: parts }
  const coordinates = parts.map((part) => (part as { coordinates: unknown }).coordinates)
  return { type: `Multi${first.type}`, coordinates } as Geometry
}

/** The number of points that a placemark may still have. */
interface Room {
  left: number
  most: number
}

function parseParts(tree: TreeValue, room: Room): Geometry[] {
  return geometryTags.flatMap((tag) =>
    getChildren(tree, tag).flatMap((part): Geometry[] => {
      if (tag === 'MultiGeometry' || tag === 'MultiTrack') return parseParts(part, room)
      if (tag === 'Model') throw new BadGeometryError('Models are not read: give a point.')
      if (tag === 'Track')
        return [{ type: 'LineString', coordinates: getChildren(part, 'coord').map(trackPosition) }]
      if (tag === 'Polygon') return [{ type: 'Polygon', coordinates: parseRings(part, room) }]
      const positions = parsePositions(part, room)
      if (tag !== 'Point') return [{ type: 'LineString', coordinates: positions }]
      const [position] = positions
      if (!position || positions.length > 1)
        throw new BadGeometryError(`A point has ${positions.length} positions.`)
      return [{ type: 'Point', coordinates: position }]
    }),
  )
}

function parseRings(polygon: TreeValue, room: Room): Position[][] {
  const rings = ['outerBoundaryIs', 'innerBoundaryIs'].map((side) =>
    getChildren(polygon, side).flatMap((boundary) =>
      getChildren(boundary, 'LinearRing').map((ring) => parsePositions(ring, room)),
    ),
  )
  if (rings[0]?.length !== 1)
    throw new BadGeometryError(`A polygon has ${rings[0]?.length ?? 0} outer rings.`)
  return rings.flat()
}

function parsePositions(tree: TreeValue, room: Room): Position[] {
  const text = getText(getChildren(tree, 'coordinates')[0])
  // Collapses blanks first: otherwise runs of them take quadratic time.
  const plain = text.replace(/\s+/g, ' ').replace(/ ?, ?/g, ',').trim()
  const positions = plain ? plain.split(' ', room.left + 1) : []
  room.left -= positions.length
  if (room.left < 0) throw new BadGeometryError(`The placemark has more than ${room.most} points.`)
  return positions.map((part) => parsePosition(part.split(','), part))
}

const trackPosition = (coord: TreeValue) => parsePosition(getText(coord).split(/\s+/), getText(coord))

function parsePosition(parts: string[], display: string): Position {
  const numbers = parts.map(Number)
  const isFine = parts.length >= 2 && parts.length <= 3 && parts.every((part) => part.trim() !== '')
  if (!isFine || !numbers.every(Number.isFinite))
    throw new BadGeometryError(`"${display.slice(0, 80)}" is not a position.`)
  return numbers
}
