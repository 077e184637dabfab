import type { Case, StoredRecord } from './case.testing.ts'
import type { Row, Theme } from './themes.testing.ts'
import { buildXlsx, buildZip } from '#functions/engine/import/parse/files.testing.ts'
import { utf16, utf8 } from '#functions/engine/import/parse/reading.testing.ts'

/** A file format that rows of texts are written in. Returns null for rows that it cannot represent. */
interface Format {
  is: string
  parser: Case['parser']
  options?: Case['options']
  mapping?: Case['mapping']
  /** Whether leading and trailing spaces of texts and line breaks are preserved. */
  isExact: boolean
  write(rows: Row[]): string | Uint8Array
}

const keys = ['id', 'name', 'amount', 'day', 'open'] as const
const toCells = ({ cells }: Row) => keys.map((key) => cells[key])
const quoted = (text: string, always = false) =>
  always || /[",;\t\r\n]|^\s|\s$|^#/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
const table = (rows: Row[], { delimiter = ',', eol = '\n', all = false } = {}) =>
  [keys.slice(), ...rows.map(toCells)]
    .map((cells) => cells.map((cell) => quoted(cell, all)).join(delimiter) + eol)
    .join('')
const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replaceAll('\t', '&#9;')
const features = (rows: Row[]) =>
  rows.map(({ cells }, i) => ({
    type: 'Feature',
    properties: cells,
    geometry: { type: 'Point', coordinates: [i / 8, 40] },
  }))

/** The mapping for properties of features. */
const featureMapping = Object.fromEntries(keys.map((key) => [key, { field: `properties.${key}` }]))

export const formats: Format[] = [
  { is: 'CSV', parser: 'csv', isExact: true, write: (rows) => table(rows) },
  {
    is: 'CSV of Excel: a mark, semicolons, CRLF, all in quotes',
    parser: 'csv',
    isExact: true,
    write: (rows) => `\ufeff${table(rows, { delimiter: ';', eol: '\r\n', all: true })}`,
  },
  {
    is: 'TSV in UTF-16',
    parser: 'tsv',
    isExact: true,
    write: (rows) => utf16(`\ufeff${table(rows, { delimiter: '\t', eol: '\r\n' })}`),
  },
  {
    is: 'zipped CSV',
    parser: 'csv',
    options: { zip: true },
    isExact: true,
    write: (rows) => buildZip({ 'data.csv': table(rows), '__MACOSX/._data.csv': 'x' }),
  },
  {
    is: 'a workbook',
    parser: 'excel',
    isExact: false,
    write: (rows) => buildXlsx({ Data: [[...keys], ...rows.map(toCells)] }),
  },
  {
    is: 'JSON',
    parser: 'json',
    options: { selector: 'data.*' },
    isExact: true,
    write: (rows) => JSON.stringify({ data: rows.map(({ cells }) => cells) }, null, 1),
  },
  {
    is: 'NDJSON',
    parser: 'ndjson',
    isExact: true,
    write: (rows) => rows.map(({ cells }) => `${JSON.stringify(cells)}\n`).join(''),
  },
  {
    is: 'XML',
    parser: 'xml',
    options: { selector: 'r.i.*' },
    isExact: false,
    write: (rows) =>
      utf8(
        `<?xml version="1.0"?><r>${rows
          .map((row) => `<i>${keys.map((key) => `<${key}>${escaped(row.cells[key])}</${key}>`).join('')}</i>`)
          .join('\n')}</r>`,
      ),
  },
  {
    is: 'GeoJSON',
    parser: 'geojson',
    mapping: { ...featureMapping, place: { field: 'geometry' } },
    isExact: true,
    write: (rows) => JSON.stringify({ type: 'FeatureCollection', features: features(rows) }),
  },
]

/** Valid rows, so that a file is not rejected for having mostly bad ones. */
const fillers = (count: number): Row[] =>
  Array.from({ length: count }, (_, i) => ({
    cells: { id: `fine-${i}`, name: `Fine ${i}`, amount: `${i}.5`, day: '2024-06-01', open: 'no' },
    stored: {
      id: `fine-${i}`,
      name: `Fine ${i}`,
      amount: i + 0.5,
      day: '2024-06-01T04:00:00.000Z',
      open: false,
    },
  }))

/** A theme written in a format; null where the format cannot represent it. */
export function buildCase(theme: Theme, format: Format): Case | null {
  if (theme.isSpaced && !format.isExact) return null
  const rows = [...theme.rows, ...fillers(theme.rows.length + 2)]
  const last = new Map<string, StoredRecord>()
  rows.forEach(({ cells, stored: record }, i) => {
    if (record) last.set(cells.id, { ...record, ...(format.parser === 'geojson' && { place: [i / 8, 40] }) })
  })
  const faults = rows.flatMap(({ faults = {} }, i) =>
    Object.entries(faults).map(([field, says]) => ({ row: i + 1, field, says })),
  )
  const { parser, options, mapping } = format
  return {
    is: `${theme.is}, as ${format.is}`,
    ...{ parser, options, mapping },
    source: format.write(rows),
    good: [...last.values()],
    faults,
  }
}
