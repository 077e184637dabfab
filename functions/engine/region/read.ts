import type { Feature, Geometry, Position } from 'geojson'
import type { ParserName } from '#functions/shapes/parser/index.ts'
import { parse } from '../import/parse/index.ts'
import { rangesOfBytes } from '../import/parse/ranges.ts'
import { projectGeometry, swapAxes } from '../import/parse/geometry.ts'
import { UnreadableError } from '../import/row.ts'
import { unrollRing } from './antimeridian.ts'
import { toPolygons, type Change } from './polygons.ts'
import { computeDoubleSignedArea } from './signed-area.ts'
import { countBorderVertices, isTopology, readTopology } from './topology.ts'

/** The most corners that all areas of a file may have together. */
export const maxVertices = 1_000_000
/** The most areas of a file. */
export const maxAreas = 50_000
const maxFields = 100
const maxOfText = 1000
const maxSaid = 200

/** An area as a file has it, in longitude and latitude; each ring may reach beyond ±180 so that it is one piece. */
export interface Area {
  /** From 1, in the order of the file; skipped features count as well. */
  number: number
  /** The attributes of the file as texts, whatever they were there. */
  attributes: Record<string, string>
  polygons: Position[][][]
}

/** A repair of the file, or something that was skipped. */
export interface Finding extends Change {
  /** The number of the feature, from 1; null: the file as a whole. */
  number: number | null
}

/** The findings of reading a file; complete when `areas` is exhausted. */
export interface AreaReading {
  areas: AsyncGenerator<Area>
  findings: Finding[]
  /** The total number, of which `findings` has the first. */
  findingCount: number
  vertices: number
  /** Vertices of areas that were not read as they have too many; they count for the limit. */
  unreadVertices: number
}

interface ReadSettings {
  /** The file has latitude before longitude. */
  isSwapped?: boolean
}

/**
 * Reads areas from a file: GeoJSON, TopoJSON, KML, KMZ, a GeoPackage, FlatGeobuf, GeoParquet or a Shapefile in a zip,
 * detected by content and not by name. Points, lines and empty geometries are skipped and listed, as are repairs of
 * rings. Throws `UnreadableError` for corrupt and unknown files. Only one area is held at a time, except for TopoJSON, whose borders are shared.
 */
export function readAreas(bytes: Uint8Array, { isSwapped = false }: ReadSettings = {}): AreaReading {
  const reading: AreaReading = {
    areas: null as never,
    findings: [],
    findingCount: 0,
    vertices: 0,
    unreadVertices: 0,
  }
  const addFinding = (finding: Finding) => {
    reading.findingCount += 1
    if (reading.findings.length < maxSaid) reading.findings.push(finding)
  }
  reading.areas = parseAreas(bytes, isSwapped, reading, addFinding)
  return reading
}

async function* parseAreas(
  bytes: Uint8Array,
  isSwapped: boolean,
  reading: AreaReading,
  addFinding: (finding: Finding) => void,
): AsyncGenerator<Area> {
  const format = detectFormat(bytes)
  let reversedCount = 0
  for await (const { number, feature } of parseFeatures(format, bytes, isSwapped, reading, addFinding)) {
    const shape = toPolygons(isSwapped ? swapLate(format, feature.geometry) : feature.geometry)
    if (typeof shape === 'string') {
      addFinding({ kind: 'leftOut', message: shape, number })
      continue
    }
    for (const change of shape.changes) addFinding({ ...change, number })
    let crosses = false
    const polygons = shape.polygons.map((rings) =>
      rings.map((ring) => {
        const unrolled = unrollRing(ring)
        crosses ||= unrolled.crosses
        return unrolled.ring
      }),
    )
    if (crosses) addFinding({ kind: 'noted', message: 'It lies across the antimeridian or a pole.', number })
    for (const rings of polygons) for (const ring of rings) reading.vertices += ring.length
    // Swapping axes mirrors an area: the directions of its rings say nothing then.
    if (format === 'geojson' && !isSwapped && polygons.some(runsWrongly)) reversedCount += 1
    yield { number, attributes: toAttributes(feature.properties), polygons }
  }
  if (reversedCount > 0)
    addFinding({ kind: 'repaired', message: describeReversedAreas(reversedCount), number: null })
}

/** The geometry with swapped axes, of the formats whose parsers do not swap them. */
const swapLate = (format: ReturnType<typeof detectFormat>, geometry: Geometry | null) =>
  geometry && (format === 'parquet' || format === 'topojson') ? projectGeometry(geometry, swapAxes) : geometry

/** Whether a ring of a polygon runs against RFC 7946: outer ones counter-clockwise, holes clockwise. */
const runsWrongly = (rings: Position[][]) =>
  rings.some((ring, i) => (i === 0 ? computeDoubleSignedArea(ring) < 0 : computeDoubleSignedArea(ring) > 0))

const describeReversedAreas = (count: number) =>
  count === 1
    ? 'One area had rings that ran the wrong way round: they were turned.'
    : `${count.toLocaleString('en')} areas had rings that ran the wrong way round: they were turned.`

/** Detects the format of a file by its first bytes and the entries of an archive. */
function detectFormat(bytes: Uint8Array): ParserName | 'topojson' {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 4096)).replace(/^\u00ef\u00bb\u00bf/, '')
  if (head.startsWith('PK')) {
    // The directory of a zip is at its end.
    const names = new TextDecoder('latin1').decode(bytes.subarray(-65_536))
    if (/\.shp/i.test(names)) return 'shp'
    if (/\.kml/i.test(names)) return 'kmz'
    throw new UnreadableError('The archive has neither a .shp nor a .kml file.')
  }
  if (head.startsWith('SQLite format 3')) return 'gpkg'
  if (head.startsWith('fgb\u0003')) return 'fgb'
  if (head.startsWith('PAR1')) return 'parquet'
  const text = head.trimStart()
  if (text.startsWith('<')) return 'kml'
  if (text.startsWith('{')) return isTopology(bytes) ? 'topojson' : 'geojson'
  throw new UnreadableError(
    'This is none of GeoJSON, TopoJSON, KML, KMZ, a GeoPackage, FlatGeobuf, GeoParquet and a zip with a Shapefile.',
  )
}

async function* parseFeatures(
  format: ReturnType<typeof detectFormat>,
  bytes: Uint8Array,
  isSwapped: boolean,
  reading: AreaReading,
  addFinding: (finding: Finding) => void,
) {
  if (format === 'topojson') {
    const vertices = countBorderVertices(bytes)
    if (vertices <= maxVertices) return yield* readTopology(bytes)
    reading.unreadVertices = vertices
    return
  }
  const blocks = async function* () {
    yield bytes
  }
  const settings = { batchRows: 200, isSwapped, isLoose: true, ranges: rangesOfBytes(bytes) }
  for await (const batch of parse(format, blocks(), {}, settings)) {
    for (const { message } of batch.notices) addFinding({ kind: 'noted', message, number: null })
    for (const { at, message, points = 0 } of batch.rejects) {
      addFinding({ kind: 'leftOut', message, number: at.row })
      reading.unreadVertices += points
    }
    for (const { at, value } of batch.rows)
      yield {
        number: at.row,
        feature: format === 'parquet' ? tableFeature(value) : (value as Feature<Geometry | null>),
      }
  }
}

/** A row of a table as a feature: its geometry is a column. */
function tableFeature(value: unknown): Feature<Geometry | null> {
  const row = value as Record<string, unknown>
  const own = Object.entries(row).find(([, each]) => isGeometry(each))
  const properties = Object.fromEntries(Object.entries(row).filter(([name]) => name !== own?.[0]))
  return { type: 'Feature', properties, geometry: (own?.[1] as Geometry | undefined) ?? null }
}

const isGeometry = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  ('coordinates' in value || 'geometries' in value)

function toAttributes(properties: Record<string, unknown> | null): Record<string, string> {
  const entries = Object.entries(properties ?? {}).slice(0, maxFields)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const text =
        value === null || value === undefined
          ? ''
          : typeof value === 'object'
            ? JSON.stringify(value)
            : String(value as string | number | boolean)
      const clean = text.replaceAll('\0', '').trim().slice(0, maxOfText)
      return clean === '' ? [] : [[name.replaceAll('\0', '').slice(0, 200), clean]]
    }),
  )
}
