import {
  omitGeometryColumns,
  findRowGeometry,
  type FileColumn,
  type FileRow,
  type FileSource,
} from './file.ts'
import { lineTexts } from './lines.ts'

/** Programs read these, and have instants in UTC. */
const style = { isPlain: true, timeZone: 'UTC' }

/** One JSON array of data objects; empty fields are left out. */
export async function* jsonFile(source: FileSource): AsyncIterable<string> {
  yield* enclose(
    '[',
    lineTexts(source, { kind: 'json', separator: ',\n', ...style }, 'fields', dataText),
    ']\n',
  )
}

/** A data object a line. */
export async function* ndjsonFile(source: FileSource): AsyncIterable<string> {
  const line = { kind: 'json', separator: '\n', ...style } as const
  for await (const text of lineTexts(source, line, 'fields', dataText)) yield `${text}\n`
}

/**
 * A GeoJSON FeatureCollection (RFC 7946): each feature has the record's geometry and its plain fields as properties.
 * Begins with the `bbox` of a whole source, so that a client knows the extent before the rest has arrived.
 */
export async function* geojsonFile(source: FileSource): AsyncIterable<string> {
  const bbox = source.extent ? `"bbox":${JSON.stringify(source.extent.map(round))},` : ''
  yield* enclose(`{"type":"FeatureCollection",${bbox}"features":[`, features(source, ',\n'), ']}\n')
}

/** Degrees as the positions are written: with 7 decimals. */
const round = (degrees: number) => Number(degrees.toFixed(7))

/** A GeoJSON feature a line. */
export async function* geojsonlFile(source: FileSource): AsyncIterable<string> {
  for await (const text of features(source, '\n')) yield `${text}\n`
}

function features(source: FileSource, separator: string): AsyncIterable<string> {
  const plain = new Set(omitGeometryColumns(source.columns).map(({ key }) => key))
  const line = { kind: 'feature', separator, ...style } as const
  return lineTexts(source, line, 'map', (row) => featureText(row, source.columns, plain))
}

function dataText({ data }: FileRow): string {
  return JSON.stringify(data)
}

function featureText(row: FileRow, columns: FileColumn[], plain: Set<string>): string {
  const properties = Object.fromEntries(Object.entries(row.data).filter(([key]) => plain.has(key)))
  const id = row.id === null ? {} : { id: Number(row.id) }
  return JSON.stringify({ type: 'Feature', ...id, geometry: findRowGeometry(row, columns), properties })
}

/** The texts separated by commas and line breaks; the last chunk closes the document. */
async function* enclose(head: string, texts: AsyncIterable<string>, foot: string): AsyncIterable<string> {
  let before = head
  for await (const text of texts) {
    yield before + text
    before = ',\n'
  }
  yield (before === head ? head : '') + foot
}
