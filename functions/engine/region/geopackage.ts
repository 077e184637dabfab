import type { Feature, Geometry, MultiPolygon, Polygon, Position } from 'geojson'
import { Unreadable } from '../import/row.ts'
import { projectionByName, projectionOf, type Projection } from '../import/parse/crs.ts'
import { geometryFault, projectGeometry } from '../import/parse/geometry.ts'
import { SqliteFile, type SqliteRow, type SqliteValue } from './sqlite.ts'

type Area = Polygon | MultiPolygon

interface Read {
  number: number
  feature: Feature<Geometry | null>
  /** What is wrong with it; null: nothing. */
  fault: string | null
}

/**
 * Reads the features of all layers of a GeoPackage, put into longitude and latitude. Curves and whatever else is no area come as what
 * they are called, without positions. Throws `Unreadable` where the file is none, or names a system that is not known here.
 */
export function* readGeopackage(bytes: Uint8Array): Generator<Read> {
  const file = new SqliteFile(bytes)
  let number = 0
  let layers = 0
  for (const layer of file.rows('gpkg_geometry_columns')) {
    layers += 1
    const column = String(layer.column_name)
    const projection = projectionFor(file, layer.srs_id ?? null)
    for (const { [column]: blob, ...properties } of file.rows(String(layer.table_name))) {
      number += 1
      yield { number, ...featureOf(blob ?? null, properties, projection) }
    }
  }
  if (layers === 0) throw new Unreadable('The file is an SQLite database, but no GeoPackage with layers.')
}

function featureOf(
  blob: SqliteValue,
  properties: SqliteRow,
  projection: Projection,
): Pick<Read, 'feature' | 'fault'> {
  const withGeometry = (geometry: Area | null, fault: string | null) => ({
    ...{ feature: { type: 'Feature' as const, properties, geometry }, fault },
  })
  try {
    const own = blob instanceof Uint8Array ? geometryOf(blob) : null
    if (typeof own === 'string') return withGeometry(null, `It is a ${own}, not an area.`)
    const area = own && typeof projection === 'function' ? projectGeometry(own, projection) : own
    return withGeometry(area, area && geometryFault(area))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return withGeometry(null, 'The geometry breaks off.')
  }
}

/** The projection of a layer; `Unreadable` where its system is not known. */
function projectionFor(file: SqliteFile, id: SqliteValue): Projection {
  if (id === 4326) return 'same'
  const system = [...file.rows('gpkg_spatial_ref_sys')].find(({ srs_id }) => srs_id === id)
  const code = `${String(system?.organization)}:${String(system?.organization_coordsys_id)}`
  const definition = typeof system?.definition === 'string' ? system.definition : ''
  const projection = projectionByName(code) ?? (definition === 'undefined' ? null : projectionOf(definition))
  if (projection) return projection
  const name = system ? `${String(system.srs_name)} (${code})` : `number ${String(id)}`
  throw new Unreadable(`The coordinates are in ${name.slice(0, 100)}, which is not known here.`)
}

/** How many bytes the box in the head of a geometry takes, by its kind. */
const boxes = [0, 32, 48, 48, 64]
const kinds = [
  ...['Geometry', 'Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'],
  'GeometryCollection',
]

/** The area in a blob, or what else it is called: a head of the GeoPackage's, then WKB. RangeError where it breaks off. */
function geometryOf(blob: Uint8Array): Area | string | null {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  if (view.getUint16(0) !== 0x4750) return null
  const flags = view.getUint8(3)
  if (flags & 0b10000) return null
  return new WkbReader(view, 8 + (boxes[(flags >> 1) & 7] ?? 0)).geometry()
}

class WkbReader {
  private isLittle = true
  private hasMore = 0

  constructor(
    private view: DataView,
    private at: number,
  ) {}

  geometry(): Area | string {
    const kind = this.head()
    if (kind === 'Polygon') return { type: 'Polygon', coordinates: this.rings() }
    if (kind !== 'MultiPolygon') return kind
    const coordinates: Position[][][] = []
    for (let left = this.count(); left > 0; left--) {
      this.head()
      coordinates.push(this.rings())
    }
    return { type: 'MultiPolygon', coordinates }
  }

  /** The kind of what follows; notes how many numbers a position has beside two. */
  private head(): string {
    this.isLittle = this.view.getUint8(this.at) === 1
    const type = this.view.getUint32(this.at + 1, this.isLittle)
    this.at += 5
    const code = type & 0xffff
    const dimension = Math.floor(code / 1000)
    const flagged = Number((type & 0x80000000) !== 0) + Number((type & 0x40000000) !== 0)
    this.hasMore = flagged || (dimension === 3 ? 2 : Number(dimension > 0))
    return kinds[code % 1000] ?? 'curve'
  }

  private rings(): Position[][] {
    const rings: Position[][] = []
    for (let left = this.count(); left > 0; left--) {
      const ring: Position[] = []
      for (let points = this.count(); points > 0; points--) {
        ring.push([
          this.view.getFloat64(this.at, this.isLittle),
          this.view.getFloat64(this.at + 8, this.isLittle),
        ])
        this.at += 16 + 8 * this.hasMore
      }
      rings.push(ring)
    }
    return rings
  }

  private count(): number {
    const count = this.view.getUint32(this.at, this.isLittle)
    this.at += 4
    return count
  }
}
