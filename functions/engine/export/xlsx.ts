import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { isCalendarDate } from '#functions/shapes/field.ts'
import { cellText, getCoordinates, heads } from './cell.ts'
import { UnfitRowsError, type FileColumn, type FileOptions, type FileRow, type FileSource } from './file.ts'
import { xmlText } from './xml.ts'
import { getFileTime, zipFiles } from './zip.ts'
import { createClock, type Clock } from './zone.ts'

/** "Total number of rows and columns on a worksheet: 1,048,576 rows by 16,384 columns": one row is the head. */
const maxSheetRows = 1_048_575
const maxSheetColumns = 16_384
/** "Total number of characters that a cell can contain: 32,767 characters". */
const maxCell = 32_767

/**
 * A workbook with one sheet (ECMA-376, SpreadsheetML). Texts are inline strings and never formulas; numbers are numbers,
 * dates are days since 1899-12-30 with a style. Times are local times in `timeZone`, which the column header names,
 * since cells have no zone.
 */
export async function* xlsxFile(source: FileSource, options: FileOptions): AsyncIterable<Uint8Array> {
  if (source.count > maxSheetRows)
    throw new UnfitRowsError(`A sheet holds ${maxSheetRows} rows; CSV holds all.`)
  if (sheetColumns(source.columns) > maxSheetColumns)
    throw new UnfitRowsError(`A sheet holds ${maxSheetColumns} columns; CSV holds all.`)
  const sheet = { name: 'xl/worksheets/sheet1.xml', pieces: sheetXml(source, options) }
  const parts = Object.entries(fixed).map(([name, xml]) => ({ name, pieces: [xmlHead + xml] }))
  yield* zipFiles([...parts, sheet], getFileTime(source.about.updatedAt))
}

function sheetColumns(columns: FileColumn[]): number {
  return heads(columns.map(({ key, type }) => ({ head: key, type }))).length
}

async function* sheetXml(source: FileSource, { names, timeZone }: FileOptions): AsyncIterable<string> {
  const { columns } = source
  const heading = heads(
    columns.map((column) => ({ head: formatHeader(column, names, timeZone), type: column.type })),
  )
  const letters = heading.map((_, i) => columnName(i))
  const clock = createClock(timeZone)
  const open = `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
  yield `${open}<row r="1">${heading.map((head, i) => textCell(`${letters[i]}1`, head, 2)).join('')}</row>`
  let row = 1
  for await (const records of source.pages('fields')) {
    yield records.map((record) => rowXml(record, columns, letters, (row += 1), clock)).join('')
  }
  yield '</sheetData></worksheet>'
}

/** The header of a column; for times with their time zone. */
function formatHeader(column: FileColumn, names: boolean, timeZone: string): string {
  const head = names ? column.name : column.key
  return column.type === 'date' && !isCalendarDate(column) ? `${head} (${timeZone})` : head
}

function rowXml(
  { data }: FileRow,
  columns: FileColumn[],
  letters: string[],
  row: number,
  clock: Clock,
): string {
  let column = 0
  let xml = `<row r="${row}">`
  const buildNextReference = () => `${letters[column++]}${row}`
  for (const each of columns) {
    const value = getOwnProperty(data, each.key)
    xml += cellXml(buildNextReference(), value, each, clock)
    if (each.type !== 'point') continue
    for (const degrees of getCoordinates(value))
      xml += cellXml(buildNextReference(), degrees, { type: 'number' }, clock)
  }
  return `${xml}</row>`
}

function cellXml(
  at: string,
  value: unknown,
  column: Pick<FileColumn, 'type' | 'precision' | 'items'>,
  clock: Clock,
): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`
  if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`
  if (column.type === 'date' && typeof value === 'string') {
    const isCalendar = isCalendarDate(column)
    const day = toSerialDay(value, isCalendar ? null : clock)
    if (day !== null) return `<c r="${at}" s="${isCalendar ? 3 : 1}"><v>${day}</v></c>`
  }
  return textCell(at, cellText(value, column, clock.text))
}

const dayMs = 86_400_000
/** 1970-01-01 as a sheet counts it. */
const epochDay = 25_569

/**
 * Days since 1899-12-30 in local time; null before 1900-03-01, where spreadsheets disagree by a day, and without a valid
 * local time. Fractions that are not exact are rounded up: programs that truncate to milliseconds would otherwise show
 * one too few.
 */
function toSerialDay(iso: string, clock: Clock | null): number | null {
  const instant = Date.parse(iso)
  const ahead = clock ? clock.offset(instant) : 0
  if (ahead === null) return null
  const wall = instant + ahead
  const day = wall / dayMs + epochDay
  if (day < 61) return null
  return Math.floor((day - epochDay) * dayMs) === wall ? day : day + Math.max(day, epochDay) * Number.EPSILON
}

/** A text that is too long is replaced by a note instead of truncated. */
function textCell(at: string, text: string, style = 0): string {
  const message =
    text.length > maxCell ? `(${text.length} characters: too long for a cell; the CSV has them)` : text
  const styled = style === 0 ? '' : ` s="${style}"`
  return `<c r="${at}"${styled} t="inlineStr"><is><t xml:space="preserve">${escape(message)}</t></is></c>`
}

/**
 * Escapes text for a cell: characters that XML cannot represent become `_xHHHH_`, and text that looks like that is
 * escaped (ECMA-376, 22.4.2.4).
 */
function escape(text: string): string {
  const isPlain = !/_x[\dA-Fa-f]{4}_|[\p{Cc}\uFFFE\uFFFF]/u.test(text)
  if (isPlain) return xmlText(text)
  const code = (mark: string) => `_x${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
  return xmlText(
    text
      .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
      .replace(/[\p{Cc}\uFFFE\uFFFF]/gu, (mark) => (mark === '\n' || mark === '\t' ? mark : code(mark))),
  )
}

/** A, B … Z, AA, AB … */
function columnName(index: number): string {
  const first = Math.floor(index / 26)
  return (first > 0 ? columnName(first - 1) : '') + String.fromCharCode(65 + (index % 26))
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageNames = 'http://schemas.openxmlformats.org/package/2006'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const fixed: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="${packageNames}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packageNames}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packageNames}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
}
