import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { cellText } from './cell.ts'
import {
  omitGeometryColumns,
  findRowGeometry,
  UnfitRowsError,
  type FileColumn,
  type FileOptions,
  type FileRow,
  type FileSource,
} from './file.ts'
import { toLines, placeName, type Positions } from './places.ts'
import { xmlText } from './xml.ts'
import { createClock, type Clock } from './zone.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/**
 * GPX 1.1: points are waypoints, lines are tracks, and so are outlines of areas in a type with lines. Waypoints precede
 * tracks, so a type with both is iterated twice. Rows without a geometry are left out.
 */
export async function* gpxFile(source: FileSource, { timeZone }: FileOptions): AsyncIterable<string> {
  const { columns, about } = source
  const types = new Set(columns.map(({ type }) => type))
  const hasPoints = types.has('point') || types.has('geometry')
  const hasLines = types.has('line') || types.has('multiline') || types.has('geometry')
  const hasAreas = types.has('polygon') || types.has('multipolygon')
  if (!hasPoints && !hasLines) throw new UnfitRowsError('GPX holds points and lines; there are none here.')
  const plain = omitGeometryColumns(columns)
  const clock = createClock(timeZone)
  yield `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Commonplace" xmlns="http://www.topografix.com/GPX/1/1"><metadata><name>${xmlText(about.title)}</name></metadata>\n`
  const walks = [...(hasPoints ? [waypoint] : []), ...(hasLines || hasAreas ? [track] : [])]
  for (const write of walks) {
    for await (const rows of source.pages('map')) {
      const texts = rows.map((row) => {
        const shape = findRowGeometry(row, columns)
        return shape ? write(shape, describe(row, plain, clock)) : ''
      })
      yield texts.join('')
    }
  }
  yield '</gpx>\n'
}

function waypoint(shape: Geometry, about: string): string {
  return shape.type === 'Point' ? `<wpt ${position(shape.coordinates)}>${about}</wpt>\n` : ''
}

function track(shape: Geometry, about: string): string {
  const lines = toLines(shape)
  if (lines.length === 0) return ''
  return `<trk>${about}${lines.map(segment).join('')}</trk>\n`
}

function segment(line: Positions): string {
  return `<trkseg>${line.map((at) => `<trkpt ${position(at)}/>`).join('')}</trkseg>`
}

function position([x, y]: number[]): string {
  return `lat="${y}" lon="${x}"`
}

/** The name of a row, and its fields as lines `Name: value`. */
function describe(row: FileRow, columns: FileColumn[], clock: Clock): string {
  const name = placeName(row, columns)
  const lines = columns.flatMap((column) => {
    const text = cellText(getOwnProperty(row.data, column.key), column, clock.text)
    return text === '' ? [] : [`${column.name}: ${text}`]
  })
  return `${name === null ? '' : `<name>${xmlText(name)}</name>`}<desc>${xmlText(lines.join('\n'))}</desc>`
}
