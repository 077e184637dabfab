import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { generateFlights } from './import-corpus.ts'

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

/** The rows of a sheet as values by column: first their names. */
function* generateRowValues(rows: number, generateNote: (n: number) => string): Generator<unknown[]> {
  yield names
  let n = 0
  for (const { longitude, latitude, ...all } of generateFlights(rows)) {
    const numbers = { longitude: Number(longitude), latitude: Number(latitude) }
    const values: Record<string, unknown> = { ...all, ...numbers, notes: generateNote(n) }
    n += 1
    yield names.map((name) => values[name])
  }
}

/** A part of an archive: its name, and its text in pieces. */
type Part = [name: string, text: Iterable<string>]

/** A zip archive, part by part, as it is made. The first parts are not compressed. */
function* zipChunks(plain: Record<string, string>, large: Part[]): Generator<Uint8Array> {
  let out: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    out.push(chunk)
  })
  for (const [name, text] of Object.entries(plain)) {
    const file = new ZipPassThrough(name)
    zip.add(file)
    file.push(strToU8(text), true)
  }
  for (const [name, pieces] of large) {
    const file = new ZipDeflate(name, { level: 1 })
    zip.add(file)
    let text = ''
    for (const piece of pieces) {
      text += piece
      if (text.length < 100_000) continue
      file.push(strToU8(text))
      text = ''
      yield* out
      out = []
    }
    file.push(strToU8(text), true)
  }
  zip.end()
  yield* out
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const bookParts = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, declaration + text]))

/** The text of a sheet with its rows. */
function* renderSheet(rows: Iterable<unknown[]>, formatCell: (value: unknown) => string): Generator<string> {
  yield `${declaration}<worksheet ${main}><sheetData>`
  for (const values of rows) yield `<row>${values.map(formatCell).join('')}</row>`
  yield '</sheetData></worksheet>'
}

/** A workbook with one sheet, as streaming writers produce it: with inline strings. */
export function excelChunks(rows: number, generateNote: (n: number) => string): Generator<Uint8Array> {
  return zipChunks(bookParts, [
    ['xl/worksheets/sheet1.xml', renderSheet(generateRowValues(rows, generateNote), renderCell)],
  ])
}

function renderCell(value: unknown): string {
  if (typeof value === 'number') return `<c><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`
  return `<c t="inlineStr"><is><t>${String(value)}</t></is></c>`
}

const generateSharedNote = (n: number) => `Задержка рейса ${n} из-за погоды`
/** The most rows whose notes and ids a workbook may share. */
export const sharedRows = 260_000

/**
 * A workbook as Excel itself writes it: all texts are in one list, and cells have their numbers. Ids and notes differ in
 * each row, and notes are not in Latin letters.
 */
export function generateSharedTextChunks(rows: number): Generator<Uint8Array> {
  const numbers = new Map<string, number>()
  const share = (value: unknown) => {
    if (typeof value !== 'string') return renderCell(value)
    const number = numbers.get(value) ?? numbers.size
    numbers.set(value, number)
    return `<c t="s"><v>${number}</v></c>`
  }
  const values = () => generateRowValues(rows, generateSharedNote)
  // The list is complete only after the rows, which come later in the file.
  function* texts() {
    for (const row of values()) row.forEach(share)
    yield `${declaration}<sst ${main}>`
    for (const text of numbers.keys()) yield `<si><t>${text}</t></si>`
    yield '</sst>'
  }
  return zipChunks(bookParts, [
    ['xl/sharedStrings.xml', texts()],
    ['xl/worksheets/sheet1.xml', renderSheet(values(), share)],
  ])
}

const odsParts = {
  mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
  'META-INF/manifest.xml':
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
}
const odsSpaces = ['office', 'table', 'text']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')

/** An OpenDocument workbook with one sheet, as LibreOffice writes it. */
export function odsChunks(rows: number, generateNote: (n: number) => string): Generator<Uint8Array> {
  function* content() {
    yield `${declaration}<office:document-content ${odsSpaces}><office:body><office:spreadsheet><table:table table:name="Flights">`
    for (const values of generateRowValues(rows, generateNote))
      yield `<table:table-row>${values.map(renderOdsCell).join('')}</table:table-row>`
    yield '</table:table></office:spreadsheet></office:body></office:document-content>'
  }
  return zipChunks(odsParts, [['content.xml', content()]])
}

function renderOdsCell(value: unknown): string {
  const text = `<text:p>${String(value)}</text:p></table:table-cell>`
  if (typeof value === 'number')
    return `<table:table-cell office:value-type="float" office:value="${value}">${text}`
  if (typeof value === 'boolean')
    return `<table:table-cell office:value-type="boolean" office:boolean-value="${value}">${text}`
  return `<table:table-cell office:value-type="string">${text}`
}
