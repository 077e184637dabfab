import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { csvChunks, generateFlights, mapping } from './importCorpus.ts'

/** A kind of large file: how it is generated, and the importer's settings for it. */
interface LargeFile {
  type: string
  /** The number of rows in a file of about so many bytes. */
  rowsOf(bytes: number): number
  chunks(rows: number): Iterable<Uint8Array>
  source: object
  mapping: object
}

/** Characters of a note, so that a row has about half a kilobyte. */
const notes = 400
const bytesOfRow = { csv: 490, json: 620, excel: 375 }

const nested = ['origin', 'state'].map((field): [string, object] => [field, { field: `from.${field}` }])

/** Kinds of files that large publishers offer. */
export const largeFiles: Record<string, LargeFile> = {
  csv: {
    type: 'text/csv',
    rowsOf: (bytes) => Math.round(bytes / bytesOfRow.csv),
    chunks: (rows) => csvChunks(rows, notes),
    source: { parser: 'csv' },
    mapping,
  },
  json: {
    type: 'application/json',
    rowsOf: (bytes) => Math.round(bytes / bytesOfRow.json),
    chunks: jsonChunks,
    source: { parser: 'json', parserOptions: { selector: 'answer.flights.*' } },
    mapping: {
      ...mapping,
      ...Object.fromEntries(nested),
      notes: { field: 'said.notes' },
      spot: {
        transform: 'createPoint',
        arguments: [{ field: 'from.at.longitude' }, { field: 'from.at.latitude' }],
      },
    },
  },
  excel: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    rowsOf: (bytes) => Math.round(bytes / bytesOfRow.excel),
    chunks: excelChunks,
    source: { parser: 'excel' },
    mapping,
  },
}

/**
 * Returns a generator of texts as long as a note that hardly compress: slices of a random sequence of
 * letters.
 */
function openNotes(): (n: number) => string {
  let state = 7
  let letters = ''
  while (letters.length < 1_000_000) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    letters += ((state >>> 4) & 0xffffff).toString(36)
  }
  return (n) => {
    const from = (n * 7919) % (letters.length - notes)
    return letters.slice(from, from + notes)
  }
}

/** One JSON document whose rows are deeply nested and have nested values. */
function* jsonChunks(rows: number): Generator<Buffer> {
  const note = openNotes()
  let text = '{"meta":{"source":{"name":"Flights","pages":[1]}},"answer":{"flights":[\n'
  let n = 0
  for (const { origin, state, longitude, latitude, ...flight } of generateFlights(rows)) {
    const from = { origin, state, at: { longitude: Number(longitude), latitude: Number(latitude) } }
    const row = { ...flight, from, said: { notes: note(n), tags: ['a', 'b'], by: [{ name: 'tower' }] } }
    text += `${n > 0 ? ',\n' : ''}${JSON.stringify(row)}`
    n += 1
    if (text.length > 100_000) {
      yield Buffer.from(text)
      text = ''
    }
  }
  yield Buffer.from(`${text}\n],"total":${rows}}}\n`)
}

const names = [
  'id',
  'origin',
  'state',
  'kind',
  'delay',
  'distance',
  'late',
  'at',
  'notes',
  'longitude',
  'latitude',
]

const parts = {
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
  '_rels/.rels':
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
  'xl/workbook.xml':
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Flights" sheetId="1" r:id="rId1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels':
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}

/** A workbook with one sheet, as streaming writers produce it: with inline strings. */
function* excelChunks(rows: number): Generator<Uint8Array> {
  const note = openNotes()
  let out: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    out.push(chunk)
  })
  for (const [name, text] of Object.entries(parts)) {
    const file = new ZipPassThrough(name)
    zip.add(file)
    file.push(strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${text}`), true)
  }
  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 1 })
  zip.add(sheet)
  let text = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rowOf(names)}`
  let n = 0
  for (const flight of generateFlights(rows)) {
    const { longitude, latitude, ...all } = flight
    const values: Record<string, unknown> = { ...all, notes: note(n) }
    text += rowOf(names.map((name) => values[name] ?? Number(name === 'longitude' ? longitude : latitude)))
    n += 1
    if (text.length < 100_000) continue
    sheet.push(strToU8(text))
    text = ''
    yield* out
    out = []
  }
  sheet.push(strToU8(`${text}</sheetData></worksheet>`), true)
  zip.end()
  yield* out
}

const rowOf = (values: unknown[]) => `<row>${values.map(cellOf).join('')}</row>`

function cellOf(value: unknown): string {
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  return `<c t="inlineStr"><is><t>${String(value)}</t></is></c>`
}
