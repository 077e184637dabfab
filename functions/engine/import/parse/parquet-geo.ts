import type { Geometry } from 'geojson'
import type { SchemaElement } from 'hyparquet'
import { UnreadableError } from '../row.ts'
import type { ReadLimits } from './caps.ts'
import { projectionByName, projectionOfJson, describeUnknownSystem, type Projection } from './crs.ts'
import { geometryFault, projectGeometry } from './geometry.ts'
import { measureJson } from './measure.ts'
import type { ParquetFile } from './parquet-file.ts'
import { InvalidValue } from './invalid-value.ts'
import type { ParquetType } from './parquet-types.ts'
import { readWkb } from './wkb.ts'

/** A geometry column: its encoding and coordinate system. */
interface GeoColumn {
  /** `WKB`, or the common type of geometries with positions in lists. */
  encoding: string
  /** PROJJSON, or a name; undefined: longitude and latitude, null: unknown. */
  crs: unknown
}

interface ParquetGeo {
  columns: Map<string, GeoColumn>
  /** Columns with bounding boxes of geometries, for skipping rows. */
  boxes: Set<string>
}

/** Geometry types of GeoParquet with positions in lists, by their names in the standard. */
const kinds: Record<string, Geometry['type']> = {
  point: 'Point',
  linestring: 'LineString',
  polygon: 'Polygon',
  multipoint: 'MultiPoint',
  multilinestring: 'MultiLineString',
  multipolygon: 'MultiPolygon',
}

/** The geometry columns, by GeoParquet metadata and by their own types. */
export function findGeoColumns({ words, columns }: ParquetFile, caps: ReadLimits): ParquetGeo {
  const geo: ParquetGeo = { columns: new Map(), boxes: new Set() }
  for (const [name, column] of Object.entries(parseColumns(words.get('geo'), caps))) {
    if (typeof column !== 'object' || column === null) continue
    const { encoding, crs, covering } = column as Record<string, unknown>
    geo.columns.set(name, { encoding: String(encoding), crs })
    const box = (covering as { bbox?: { xmin?: unknown } } | undefined)?.bbox?.xmin
    if (Array.isArray(box) && typeof box[0] === 'string') geo.boxes.add(box[0])
  }
  for (const { tree } of columns) {
    const logical = tree.element.logical_type
    const isGeo = logical?.type === 'GEOMETRY' || logical?.type === 'GEOGRAPHY'
    if (isGeo && !geo.columns.has(tree.element.name))
      geo.columns.set(tree.element.name, { encoding: 'WKB', crs: resolveCrs(logical.crs, words, caps) })
  }
  return geo
}

function parseColumns(text: string | undefined, caps: ReadLimits): object {
  const { columns } = (text === undefined ? {} : readJson(text, caps)) as { columns?: unknown }
  return typeof columns === 'object' && columns !== null ? columns : {}
}

function readJson(text: string, caps: ReadLimits): object {
  const { depth, members } = measureJson(text)
  if (depth > caps.depth || members > caps.members) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The coordinate system named by a column's type: `srid:25832`, `projjson:` with its metadata key, or a name. */
function resolveCrs(crs: string | undefined, words: Map<string, string>, caps: ReadLimits): unknown {
  const [, kind, rest = ''] = /^(srid|projjson):(.*)$/.exec(crs ?? '') ?? []
  if (kind === 'srid') return rest === '0' ? undefined : `EPSG:${rest}`
  if (kind === 'projjson') return readJson(words.get(rest) ?? '', caps)
  return crs !== undefined && /^\s*\{/.test(crs) ? readJson(crs, caps) : crs
}

/** The projection of a column and its notices; null: longitude and latitude. Unreadable for an unknown system. */
export function geoProjection(
  name: string,
  { crs }: GeoColumn,
): { projection: Projection; words: string | null } {
  if (crs === undefined) return { projection: 'same', words: null }
  if (crs === null)
    return {
      projection: 'same',
      words: `${name}: no system is named; positions are taken for longitude and latitude.`,
    }
  const isNamed = typeof crs === 'string'
  const title = isNamed ? crs : (crs as { name?: unknown }).name
  const display = (typeof title === 'string' ? title : JSON.stringify(crs)).slice(0, 100)
  const projection = isNamed ? projectionByName(crs) : projectionOfJson(crs)
  if (!projection) throw new UnreadableError(describeUnknownSystem(display, `The coordinates of ${name}`))
  const words =
    projection === 'same'
      ? null
      : `${name}: coordinates are in ${display}; they are put into longitude and latitude.`
  return { projection, words }
}

/** Decodes geometries from the bytes of a column. */
export const wkbType = (caps: ReadLimits): ParquetType => ({
  read(value) {
    const shape = readWkb(value as Uint8Array, 0, caps)
    return 'fault' in shape ? new InvalidValue(shape.fault) : shape.geometry
  },
})

/** Whether a geometry column has bytes: otherwise its positions are in lists. */
export const isWkb = ({ encoding }: GeoColumn, { type }: SchemaElement) =>
  encoding.toUpperCase() === 'WKB' && type === 'BYTE_ARRAY'

/** The geometry of a row in longitude and latitude, or its issue. */
export function geometryIn(
  value: unknown,
  { encoding }: GeoColumn,
  projection: Projection,
  isLoose: boolean,
): unknown {
  if (value === null || value === undefined || value instanceof InvalidValue) return value ?? null
  const type = kinds[encoding.toLowerCase()]
  let geometry = (type ? { type, coordinates: positionsIn(value) } : value) as Geometry
  // Anything else is reported below; only well-formed geometries can be projected.
  if (projection && projection !== 'same') {
    const fault = geometryFault(geometry, isLoose)
    if (fault && !fault.startsWith('The position ')) return new InvalidValue(fault)
    geometry = projectGeometry(geometry, projection)
  }
  const fault = geometryFault(geometry, isLoose)
  return fault ? new InvalidValue(fault) : geometry
}

/** Converts positions of GeoParquet: groups of x, y and z, in lists. */
function positionsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(positionsIn)
  const { x, y, z } = (value ?? {}) as Record<string, unknown>
  return z === undefined || z === null ? [x, y] : [x, y, z]
}
