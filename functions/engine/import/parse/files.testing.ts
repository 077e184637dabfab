import { unzipSync, zipSync } from 'fflate'
import { toBytes, utf16, utf8 } from './reading.testing.ts'

/** A zip archive of files; texts are encoded as UTF-8. */
export const buildZip = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, body]) => [name, typeof body === 'string' ? utf8(body) : body]),
    ),
  )

/** A cell of a workbook: a text, number or boolean; `{ xml }` is inserted as is. */
export type Cell = string | number | boolean | null | { xml: string }

interface BookOptions {
  is1904?: boolean
  /** Number formats of styles 1 and on: style 0 is the general one. */
  formats?: string[]
  strings?: string[]
  extra?: Record<string, string>
}

const toColumnLetter = (column: number) => String.fromCharCode(65 + column)
const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** An OpenDocument workbook: the XML of each sheet's rows, with a style for hidden sheets. */
export function buildOds(
  sheets: Record<string, string>,
  { hidden = [] as string[], extra = {} } = {},
): Uint8Array {
  const style = `<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>`
  const tables = Object.entries(sheets).map(([name, rows]) => {
    const look = hidden.includes(name) ? 'ta2' : 'ta1'
    return `<table:table table:name="${escape(name)}" table:style-name="${look}"><table:table-column/>${rows}</table:table>`
  })
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document-content><office:automatic-styles>${style}</office:automatic-styles><office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document-content>`
  return zipSync({
    mimetype: [utf8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }],
    'content.xml': utf8(content),
    ...extra,
  })
}

/**
 * A row of an OpenDocument sheet: texts and numbers become typed cells, text that begins with < is inserted
 * as is.
 */
export const odsRow = (cells: (string | number)[], times = 1) =>
  `<table:table-row${times > 1 ? ` table:number-rows-repeated="${times}"` : ''}>${cells.map(odsCell).join('')}</table:table-row>`

function odsCell(value: string | number): string {
  if (typeof value === 'number')
    return `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value.toFixed(1)}</text:p></table:table-cell>`
  if (value.startsWith('<')) return value
  return `<table:table-cell office:value-type="string"><text:p>${escape(value)}</text:p></table:table-cell>`
}

/** A minimal .xlsx workbook that Excel opens. */
export function buildXlsx(sheets: Record<string, (Cell[] | null)[]>, options: BookOptions = {}): Uint8Array {
  const { is1904 = false, formats = [], strings = [], extra = {} } = options
  const names = Object.keys(sheets)
  const cell = (value: Cell, row: number, column: number) => {
    const r = `r="${toColumnLetter(column)}${row}"`
    if (value === null) return ''
    if (typeof value === 'object') return value.xml.replace('<c', `<c ${r}`)
    if (typeof value === 'number') return `<c ${r}><v>${value}</v></c>`
    if (typeof value === 'boolean') return `<c ${r} t="b"><v>${Number(value)}</v></c>`
    return `<c ${r} t="inlineStr"><is><t>${escape(value)}</t></is></c>`
  }
  const sheet = (rows: (Cell[] | null)[]) =>
    `<?xml version="1.0"?><worksheet><sheetData>${rows
      .map(
        (row, i) =>
          row && `<row r="${i + 1}">${row.map((value, column) => cell(value, i + 1, column)).join('')}</row>`,
      )
      .join('')}</sheetData></worksheet>`
  const list = (text: (name: string, i: number) => string) => names.map(text).join('')
  return buildZip({
    'xl/workbook.xml': `<workbook xmlns:r="r"><workbookPr date1904="${Number(is1904)}"/><sheets>${list((name, i) => `<sheet name="${escape(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${list((_, i) => `<Relationship Id="rId${i + 1}" Target="worksheets/sheet${i + 1}.xml"/>`)}</Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts>${formats.map((code, i) => `<numFmt numFmtId="${170 + i}" formatCode="${code.replace(/"/g, '&quot;')}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, i) => `<xf numFmtId="${170 + i}"/>`).join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, i) => [`xl/worksheets/sheet${i + 1}.xml`, sheet(sheets[name] ?? [])]),
    ),
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si>${text.startsWith('<') ? text : `<t>${escape(text)}</t>`}</si>`).join('')}</sst>`,
    ...extra,
  })
}

/** The .xlsx workbook with a sheet that is hidden. */
export function hideSheet(book: Uint8Array, name: string): Uint8Array {
  const parts = unzipSync(book)
  const text = new TextDecoder().decode(parts['xl/workbook.xml'])
  return zipSync({
    ...parts,
    'xl/workbook.xml': utf8(text.replace(`name="${name}"`, `name="${name}" state="hidden"`)),
  })
}

/** An OLE container with a stream; its directory is after the first four kilobytes, as Excel writes it. */
function buildContainer(stream: string): Uint8Array {
  const bytes = new Uint8Array(512 * 40)
  bytes.set(toBytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'))
  const view = new DataView(bytes.buffer)
  view.setUint16(30, 9, true)
  view.setUint32(48, 30, true)
  bytes.set(utf16(stream), 512 * 31)
  return bytes
}

/** A workbook with a password, as Excel writes one, without the encrypted data. */
export const lockedBook = () => buildContainer('EncryptedPackage')

/** A workbook of the old format, .xls, without its sheets. */
export const xlsBook = () => buildContainer('Workbook')

interface DbfColumn {
  name: string
  type: string
  length: number
  decimals?: number
}

/** A dBASE table; cells are padded with blanks, bytes are written as they are. */
export function buildDbf(columns: DbfColumn[], rows: (string | Uint8Array)[][], driver = 0): Uint8Array {
  const length = columns.reduce((sum, column) => sum + column.length, 1)
  const head = 32 + columns.length * 32 + 1
  const bytes = new Uint8Array(head + rows.length * length + 1).fill(32, head)
  const view = new DataView(bytes.buffer)
  bytes[0] = 3
  view.setUint32(4, rows.length, true)
  view.setUint16(8, head, true)
  view.setUint16(10, length, true)
  bytes[29] = driver
  columns.forEach(({ name, type, length: size, decimals = 0 }, i) => {
    bytes.set(utf8(name), 32 + i * 32)
    bytes[32 + i * 32 + 11] = type.charCodeAt(0)
    bytes[32 + i * 32 + 16] = size
    bytes[32 + i * 32 + 17] = decimals
  })
  bytes[head - 1] = 0x0d
  rows.forEach((row, i) => {
    let at = head + i * length + 1
    columns.forEach((column, j) => {
      const cell = row[j] ?? ''
      bytes.set(typeof cell === 'string' ? utf8(cell) : cell, at)
      at += column.length
    })
  })
  bytes[bytes.length - 1] = 0x1a
  return bytes
}

/** A shape: `null` for a null shape, otherwise its type and its rings, lines or points. */
type ShapeInput = null | { type: number; parts: number[][][] }

/** A `.shp` with shapes of one type. */
export function buildShp(shapes: ShapeInput[], box = [0, 0, 1, 1]): Uint8Array {
  const records = shapes.map((shape) => buildRecord(shape))
  const size = 100 + records.reduce((sum, record) => sum + 8 + record.length, 0)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  view.setInt32(0, 9994)
  view.setInt32(24, size / 2)
  view.setInt32(28, 1000, true)
  view.setInt32(32, shapes.find(Boolean)?.type ?? 0, true)
  box.forEach((n, i) => view.setFloat64(36 + i * 8, n, true))
  let at = 100
  records.forEach((record, i) => {
    view.setInt32(at, i + 1)
    view.setInt32(at + 4, record.length / 2)
    bytes.set(record, at + 8)
    at += 8 + record.length
  })
  return bytes
}

function buildRecord(shape: ShapeInput): Uint8Array {
  if (!shape) return new Uint8Array(4)
  const { type, parts } = shape
  const points = parts.flat()
  const kind = type % 10
  const hasZ = type > 10 && type < 20
  const start = kind === 1 ? 4 : kind === 8 ? 40 : 44 + parts.length * 4
  const zs = hasZ ? (kind === 1 ? 16 : 32 + points.length * 16) : 0
  const bytes = new Uint8Array(start + points.length * 16 + zs)
  const view = new DataView(bytes.buffer)
  view.setInt32(0, type, true)
  if (kind === 8) view.setInt32(36, points.length, true)
  else if (kind !== 1) {
    view.setInt32(36, parts.length, true)
    view.setInt32(40, points.length, true)
    let from = 0
    parts.forEach((part, i) => {
      view.setInt32(44 + i * 4, from, true)
      from += part.length
    })
  }
  const zStart = start + points.length * 16 + (kind === 1 ? 0 : 16)
  points.forEach(([x = 0, y = 0, z = 0], i) => {
    view.setFloat64(start + i * 16, x, true)
    view.setFloat64(start + i * 16 + 8, y, true)
    if (hasZ) view.setFloat64(zStart + i * 8, z, true)
  })
  return bytes
}

/**
 * A field of a Protocol Buffers message: a number is a varint; text, bytes or a nested message has a length
 * prefix; `{ float }` is four bytes.
 */
type PbfValue = number | string | Uint8Array | { float: number }

/** Encodes a message from its fields by number, in order. */
export function buildPbf(fields: [number: number, value: PbfValue][]): Uint8Array {
  const out: number[] = []
  const varint = (value: number) => {
    let rest = BigInt.asUintN(64, BigInt(value))
    while (rest > 127n) {
      out.push(Number(rest & 127n) | 128)
      rest >>= 7n
    }
    out.push(Number(rest))
  }
  for (const [number, value] of fields) {
    if (typeof value === 'number') {
      varint(number * 8)
      varint(value)
    } else if (typeof value === 'object' && 'float' in value) {
      varint(number * 8 + 5)
      out.push(...new Uint8Array(Float32Array.of(value.float).buffer))
    } else {
      const bytes = typeof value === 'string' ? utf8(value) : value
      varint(number * 8 + 2)
      varint(bytes.length)
      out.push(...bytes)
    }
  }
  return Uint8Array.from(out)
}
