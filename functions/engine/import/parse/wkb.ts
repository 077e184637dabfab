import type { Geometry, Position } from 'geojson'
import { deepestCollection, tooDeepCollection, createPointLimitIssue, type ReadLimits } from './caps.ts'

/** A geometry from well-known binary (null: an empty one), or its issue. */
export type WkbShape = { geometry: Geometry | null } | { fault: string; points?: number }

type Kind = 'Point' | 'LineString' | 'Polygon' | 'MultiPoint' | 'MultiLineString' | 'MultiPolygon'

/**
 * Geometry types by code (ISO 13249-3, OGC 06-103r4): only the first seven are supported, the others are
 * named in error messages.
 */
export const shapeKinds = [
  ...[
    '',
    'Point',
    'LineString',
    'Polygon',
    'MultiPoint',
    'MultiLineString',
    'MultiPolygon',
    'GeometryCollection',
  ],
  ...['CircularString', 'CompoundCurve', 'CurvePolygon', 'MultiCurve', 'MultiSurface', 'Curve', 'Surface'],
  ...['PolyhedralSurface', 'TIN', 'Triangle'],
]
const memberTypeByMultiType: Record<string, Kind> = {
  MultiPoint: 'Point',
  MultiLineString: 'LineString',
  MultiPolygon: 'Polygon',
}

/**
 * Decodes the geometry that begins at a byte, in ISO or PostGIS form; heights are kept, measures left out.
 * The range of positions is not checked.
 */
export function readWkb(
  bytes: Uint8Array,
  from: number,
  caps: Pick<ReadLimits, 'points' | 'parts'>,
): WkbShape {
  try {
    const reader = new WkbReader(bytes, from, caps)
    const geometry = reader.geometry()
    if (reader.points <= caps.points) return { geometry }
    const { message, points } = createPointLimitIssue(reader.points, caps.points)
    return { fault: message, points }
  } catch (error) {
    if (error instanceof WkbFault) return { fault: error.message }
    if (error instanceof RangeError) return { fault: 'The geometry breaks off.' }
    throw error
  }
}

class WkbFault extends Error {}

class WkbReader {
  private view: DataView
  private isLittle = true
  /** The numbers per position, and whether the third is a height. */
  private numbers = 2
  private hasHeight = false
  /** The number of points read, and those that were only counted beyond the limit. */
  points = 0
  private parts = 0

  constructor(
    bytes: Uint8Array,
    private at: number,
    private caps: Pick<ReadLimits, 'points' | 'parts'>,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  geometry(level = 0): Geometry | null {
    const kind = this.head()
    if (kind === 'GeometryCollection') {
      if (level >= deepestCollection) throw new WkbFault(tooDeepCollection)
      const geometries = this.many(9, () => this.geometry(level + 1))
      return { type: 'GeometryCollection', geometries: geometries.filter((part) => part !== null) }
    }
    if (!kind || shapeKinds.indexOf(kind) > 7)
      throw new WkbFault(`The geometry is ${kind ? `a ${kind}` : 'of no known type'}, which is not read.`)
    const coordinates = this.coordinates(kind as Kind)
    return coordinates.length ? ({ type: kind, coordinates } as Geometry) : null
  }

  /** Reads the header of a geometry and its number format; returns its type. */
  private head(): string {
    this.isLittle = this.view.getUint8(this.at) === 1
    const type = this.view.getUint32(this.at + 1, this.isLittle)
    this.at += 5
    // PostGIS has flags for heights, measures and the coordinate system; ISO adds thousands to the code.
    if (type & 0x20000000) this.at += 4
    const code = type & 0xffff
    const thousands = Math.floor(code / 1000)
    const hasMeasure = Boolean(type & 0x40000000) || thousands >= 2
    this.hasHeight = Boolean(type & 0x80000000) || thousands === 1 || thousands === 3
    this.numbers = 2 + Number(this.hasHeight) + Number(hasMeasure)
    return shapeKinds[code % 1000] ?? ''
  }

  private coordinates(kind: Kind): unknown[] {
    if (kind === 'Point') {
      const position = this.position()
      return position.every(Number.isNaN) ? [] : position
    }
    if (kind === 'LineString') return this.positions()
    if (kind === 'Polygon') return this.many(4, () => this.positions())
    const member = memberTypeByMultiType[kind] as Kind
    return this.many(9, () => {
      // A member of another type would be misread.
      if (this.head() !== member) throw new RangeError()
      return this.coordinates(member)
    })
  }

  private positions(): Position[] {
    return this.many(8 * this.numbers, () => this.position(), true)
  }

  private position(): Position {
    const [x, y] = [this.number(0), this.number(1)]
    const position = this.hasHeight ? [x, y, this.number(2)] : [x, y]
    this.at += 8 * this.numbers
    return position
  }

  private number(i: number): number {
    return this.view.getFloat64(this.at + 8 * i, this.isLittle)
  }

  /** Reads the stated number of items of at least `least` bytes; rejects a number that cannot fit. */
  private many<T>(least: number, read: () => T, arePoints = false): T[] {
    const count = this.view.getUint32(this.at, this.isLittle)
    this.at += 4
    if (this.at + count * least > this.view.byteLength) throw new RangeError()
    if (arePoints) this.points += count
    else this.parts += count
    const { points, parts } = this.caps
    if (arePoints && this.points > points) {
      this.at += count * least
      return []
    }
    if (this.parts > parts) throw new WkbFault(`The geometry has more than ${parts} parts.`)
    return Array.from({ length: count }, read)
  }
}
