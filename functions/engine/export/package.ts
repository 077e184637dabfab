import { findLicence } from '#functions/shapes/licences.ts'
import { csvFile } from './csv.ts'
import { isShape, type FileOptions, type FileSource } from './file.ts'
import { Sha256 } from './hash.ts'
import { geojsonFile } from './json.ts'
import { dataPackage, tableSchema, type Resource } from './table-schema.ts'
import { getFileTime, zipFiles, type ZipEntry } from './zip.ts'
import { hex } from '#functions/platform/digest.ts'

/**
 * A Data Package in a ZIP archive: `data.csv`, with geometry also `data.geojson`, and last, when their sizes and hashes
 * are known, `datapackage.json` with the Table Schema, and a README.
 */
export function packageFile(source: FileSource, options: FileOptions): AsyncIterable<Uint8Array> {
  return zipFiles(entries(source, options), getFileTime(source.about.updatedAt))
}

async function* entries(source: FileSource, options: FileOptions): AsyncIterable<ZipEntry> {
  const { about, columns } = source
  const csv: Resource = { path: 'data.csv', format: 'csv', mediatype: 'text/csv' }
  const geojson: Resource = { path: 'data.geojson', format: 'geojson', mediatype: 'application/geo+json' }
  const hasShapes = columns.some(isShape)
  // The schema names columns by their keys, and the machine file has no mark and no apostrophes.
  const plain = { ...options, names: false, bom: false, excel: false }
  yield { name: csv.path, pieces: hashPieces(csvFile(source, plain), csv) }
  if (hasShapes) yield { name: geojson.path, pieces: hashPieces(geojsonFile(source), geojson) }
  const descriptor = dataPackage(about, columns, hasShapes ? [csv, geojson] : [csv])
  yield { name: 'datapackage.json', pieces: [`${JSON.stringify(descriptor, null, 2)}\n`] }
  yield { name: 'README.md', pieces: [readme(source, options.timeZone)] }
}

/** Passes the chunks on; after the last one sets size and hash of the resource. */
async function* hashPieces(pieces: AsyncIterable<string>, resource: Resource): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder()
  const hash = new Sha256()
  for await (const piece of pieces) {
    const bytes = encoder.encode(piece)
    hash.update(bytes)
    yield bytes
  }
  resource.bytes = hash.length
  resource.sha256 = hex(hash.digest())
}

function readme({ about, columns, count }: FileSource, timeZone: string): string {
  const cell = (text: string) => text.replace(/[|\\]/g, '\\$&').replace(/\s+/g, ' ')
  const rows = tableSchema(columns).fields.map(
    ({ name, title, type, unit = '', description = '' }) =>
      `| \`${name}\` | ${cell(title)} | ${type} | ${cell(unit)} | ${cell(description)} |`,
  )
  // Data have raw values; their meaning is documented here.
  const codes = columns.flatMap(({ key, field }) =>
    (field?.values ?? []).map(
      ({ value, name, missing }) =>
        `| \`${key}\` | ${cell(String(value))} | ${cell([name, missing && 'no value'].filter(Boolean).join(': '))} |`,
    ),
  )
  const licence = findLicence(about.licence, about.licenceUrl)
  const facts = [
    `Rows: ${count}`,
    `Data version: ${about.version}`,
    ...(about.updatedAt ? [`Data of: ${about.updatedAt}`] : []),
    ...(licence ? [`Licence: ${[...new Set([licence.title, licence.url])].filter(Boolean).join(', ')}`] : []),
    ...(about.publisher ? [`Publisher: ${about.publisher}`] : []),
    ...(about.contact ? [`Contact: ${[about.contactName, about.contact].filter(Boolean).join(', ')}`] : []),
    ...(about.attribution
      ? [`Source: ${[about.attribution, about.attributionUrl].filter(Boolean).join(', ')}`]
      : []),
  ]
  return [
    `# ${cell(about.title)}`,
    ...(about.description ? [about.description] : []),
    facts.map((fact) => `- ${fact}`).join('\n'),
    `Days are \`YYYY-MM-DD\`. Times are ISO 8601: in the CSV by the clock of ${timeZone}, with their offset from UTC; in the GeoJSON in UTC. Geometry is WGS 84. \`datapackage.json\` describes the columns for programs.`,
    ['| Column | Name | Type | Unit | Notes |', '|---|---|---|---|---|', ...rows].join('\n'),
    ...(codes.length > 0 ? [['| Column | Value | Means |', '|---|---|---|', ...codes].join('\n')] : []),
    '',
  ].join('\n\n')
}
