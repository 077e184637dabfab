import { UnreadableError } from '../row.ts'
import { formatByteCount, type ReadLimits } from './caps.ts'
import type { PartEvents } from './excel-book.ts'
import type { CellValue, SheetRow } from './excel-sheet.ts'

export interface OdsSheet {
  name: string
  isHidden: boolean
}

/** A row as stored: once, with its number of repetitions, and the same for its cells. */
export interface OdsRow {
  number: number
  times: number
  cells: { column: number; times: number; value: CellValue }[]
  faults: SheetRow['faults']
}

/** Callbacks while the sheets of a workbook are read. */
interface OdsSheetEvents {
  sheet(sheet: OdsSheet): void
  row(row: OdsRow): void
  end(): void
}

/** The repetitions of an element; an invalid number counts as one. */
function countRepetitions(attributes: Record<string, string>, name: string): number {
  const times = Number(attributes[name] ?? 1)
  return Number.isSafeInteger(times) && times > 0 ? times : 1
}

/** Maximum number of blanks of one element. */
const maxBlanks = 1000

/** Elements in a cell whose texts are not part of it: notes, drawings, phonetic guides. */
const besides: ReadonlySet<string> = new Set(
  (
    'annotation frame custom-shape rect ellipse circle line polyline polygon regular-polygon path g connector caption measure ' +
    'control object image table ruby-text detective'
  ).split(' '),
)

/** Parses sheets, rows and cells of an OpenDocument workbook. Ignores notes, drawings and merged-away cells. */
export function odsEvents(caps: ReadLimits, to: OdsSheetEvents): PartEvents {
  /** Styles of sheets that hide them. */
  const hiding = new Set<string>()
  let style = ''
  let tables = 0
  let row: OdsRow = emptyRow(1)
  let column = 0
  let cell: OdsCell | null = null
  /** Open elements within a cell whose texts are not part of it. */
  let aside = 0

  function openCell(attributes: Record<string, string>, isCovered: boolean) {
    cell = {
      ...getCellAttributes(attributes),
      isCovered,
      text: '',
      paragraphs: 0,
      times: countRepetitions(attributes, 'table:number-columns-repeated'),
    }
  }

  function closeCell() {
    if (!cell) return
    const { times, isCovered, text } = cell
    const value = isCovered ? null : cellValue(cell, caps)
    cell = null
    if (value !== null && value !== '') {
      if (column + times > caps.columns)
        throw new UnreadableError(`The sheet has more than ${caps.columns} columns.`)
      if (typeof value === 'object')
        row.faults.push({ column, message: value.fault, value: text.slice(0, 200) })
      else row.cells.push({ column, times, value })
    }
    column += times
  }

  return {
    open(name, attributes) {
      if (aside > 0 || (cell && besides.has(name))) {
        aside += 1
        return
      }
      if (name === 'style') style = attributes['style:name'] ?? ''
      else if (name === 'table-properties' && attributes['table:display'] === 'false') hiding.add(style)
      else if (name === 'table') {
        if (++tables > 1) return
        row = emptyRow(1)
        to.sheet({
          name: attributes['table:name'] ?? '',
          isHidden:
            hiding.has(attributes['table:style-name'] ?? '') || attributes['table:display'] === 'false',
        })
      } else if (tables !== 1) return
      else if (name === 'table-row') {
        row = { ...emptyRow(row.number), times: countRepetitions(attributes, 'table:number-rows-repeated') }
        column = 0
      } else if (name === 'table-cell' || name === 'covered-table-cell')
        openCell(attributes, name === 'covered-table-cell')
      else if (cell) addElement(cell, name, attributes)
    },
    text(part) {
      if (cell && aside === 0 && cell.paragraphs > 0 && cell.text.length <= caps.cell) cell.text += part
    },
    close(name) {
      if (aside > 0) aside -= 1
      else if (name === 'table') {
        tables -= 1
        if (tables === 0) to.end()
      } else if (tables === 1 && (name === 'table-cell' || name === 'covered-table-cell')) closeCell()
      else if (tables === 1 && name === 'table-row') {
        to.row(row)
        row = emptyRow(row.number + row.times)
      }
    },
  }
}

const emptyRow = (number: number): OdsRow => ({ number, times: 1, cells: [], faults: [] })

interface OdsCell {
  type: string
  value: string | undefined
  isError: boolean
  isCovered: boolean
  text: string
  paragraphs: number
  times: number
}

function getCellAttributes(attributes: Record<string, string>): Pick<OdsCell, 'type' | 'value' | 'isError'> {
  const type = attributes['office:value-type'] ?? ''
  const valueAttributes = {
    date: 'date-value',
    time: 'time-value',
    boolean: 'boolean-value',
    string: 'string-value',
  }
  const name = Object.hasOwn(valueAttributes, type)
    ? valueAttributes[type as keyof typeof valueAttributes]
    : 'value'
  return { type, value: attributes[`office:${name}`], isError: attributes['calcext:value-type'] === 'error' }
}

/** The text of elements: paragraphs are lines, blanks and tabs are expanded. */
function addElement(cell: OdsCell, name: string, attributes: Record<string, string>) {
  if (name === 'p' && cell.paragraphs++ > 0) cell.text += '\n'
  else if (name === 's') cell.text += ' '.repeat(Math.min(maxBlanks, countRepetitions(attributes, 'text:c')))
  else if (name === 'tab') cell.text += '\t'
  else if (name === 'line-break') cell.text += '\n'
}

/** The value of a cell; null for an empty one. */
function cellValue({ type, value, text, isError }: OdsCell, caps: ReadLimits): CellValue | { fault: string } {
  if (isError) return { fault: `The cell shows the error ${text.slice(0, 40)}.` }
  if (text.length > caps.cell || (value?.length ?? 0) > caps.cell)
    return { fault: `The cell is longer than ${formatByteCount(caps.cell)}.` }
  if (type === '') return text === '' ? null : text
  // Paragraphs are the displayed text; the attribute is used without them.
  if (type === 'string') return value ?? text
  if (value === undefined) return { fault: `The cell says it is a ${type} and has no value.` }
  if (type === 'boolean') return value === 'true'
  if (type === 'date') return trimDate(value)
  if (type === 'time') return toClockTime(value) ?? { fault: 'The cell is not a time.' }
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return { fault: 'The cell is not a number.' }
  if (Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(value)) return value
  return number
}

/** A day without its midnight, which some programs add; nanoseconds are truncated to three digits. */
const trimDate = (value: string) => value.replace(/T00:00:00(?:\.0+)?$/, '').replace(/(\.\d{3})\d+$/, '$1')

/** `PT27H30M00S` as `27:30:00`, like times of Excel; null for an invalid one. */
function toClockTime(value: string): string | null {
  const parts = /^PT(?:(\d{1,6})H)?(?:(\d{1,2})M)?(?:(\d{1,2})(?:\.(\d{1,9}))?S)?$/.exec(value)
  if (!parts || value === 'PT') return null
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = parts
  const millis = fraction.padEnd(3, '0').slice(0, 3)
  const clock = [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':')
  return Number(millis) > 0 ? `${clock}.${millis}` : clock
}
