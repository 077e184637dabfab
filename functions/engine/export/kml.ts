import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { cellText } from './cell.ts'
import {
  omitGeometryColumns,
  findRowGeometry,
  type FileColumn,
  type FileOptions,
  type FileRow,
  type FileSource,
} from './file.ts'
import { listPolygons } from '#functions/shapes/fields/geometry.ts'
import { toLines, placeName, type Positions } from './places.ts'
import { xmlText } from './xml.ts'
import { getFileTime, zipFiles } from './zip.ts'
import { createClock, type Clock } from './zone.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** OGC KML 2.2: a Placemark per row, with its fields as typed ExtendedData; without geometry where the row has none. */
export async function* kmlFile(source: FileSource, { names, timeZone }: FileOptions): AsyncIterable<string> {
  const columns = omitGeometryColumns(source.columns)
  const clock = createClock(timeZone)
  yield `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${xmlText(source.about.title)}</name>
<Schema name="row" id="row">${columns.map((column) => fieldXml(column, names)).join('')}</Schema>\n`
  for await (const rows of source.pages('map'))
    yield rows.map((row) => placemark(row, source.columns, columns, clock)).join('')
  yield '</Document></kml>\n'
}

/** A KML file in a ZIP archive, as `doc.kml`. */
export function kmzFile(source: FileSource, options: FileOptions): AsyncIterable<Uint8Array> {
  return zipFiles(
    [{ name: 'doc.kml', pieces: kmlFile(source, options) }],
    getFileTime(source.about.updatedAt),
  )
}

const types: Record<string, string> = { number: 'double', boolean: 'bool' }

function fieldXml({ key, name, type }: FileColumn, names: boolean): string {
  const label = names ? `<displayName>${xmlText(name)}</displayName>` : ''
  return `<SimpleField type="${types[type ?? ''] ?? 'string'}" name="${xmlText(key)}">${label}</SimpleField>`
}

function placemark(row: FileRow, all: FileColumn[], columns: FileColumn[], clock: Clock): string {
  const name = placeName(row, columns)
  const shape = findRowGeometry(row, all)
  const data = columns.map((column) => {
    const value = getOwnProperty(row.data, column.key)
    if (value === undefined || value === null) return ''
    return `<SimpleData name="${xmlText(column.key)}">${xmlText(cellText(value, column, clock.text))}</SimpleData>`
  })
  const id = row.id === null ? '' : ` id="row-${row.id}"`
  return `<Placemark${id}>${name === null ? '' : `<name>${xmlText(name)}</name>`}<ExtendedData><SchemaData schemaUrl="#row">${data.join('')}</SchemaData></ExtendedData>${shape ? shapeXml(shape) : ''}</Placemark>\n`
}

function shapeXml(shape: Geometry): string {
  if (shape.type === 'Point') return `<Point>${coordinates([shape.coordinates])}</Point>`
  const polygons = listPolygons(shape)
  const parts =
    polygons.length > 0
      ? polygons.map(polygonXml)
      : toLines(shape).map((line) => `<LineString>${coordinates(line)}</LineString>`)
  return shape.type.startsWith('Multi') ? `<MultiGeometry>${parts.join('')}</MultiGeometry>` : parts.join('')
}

function polygonXml([outer = [], ...holes]: Positions[]): string {
  const ring = (positions: Positions) => `<LinearRing>${coordinates(positions)}</LinearRing>`
  const inner = holes.map((hole) => `<innerBoundaryIs>${ring(hole)}</innerBoundaryIs>`)
  return `<Polygon><outerBoundaryIs>${ring(outer)}</outerBoundaryIs>${inner.join('')}</Polygon>`
}

function coordinates(positions: Positions): string {
  return `<coordinates>${positions.map(([x, y]) => `${x},${y}`).join(' ')}</coordinates>`
}
