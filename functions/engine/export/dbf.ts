import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { isCalendarDate } from '#functions/shapes/field.ts'
import { cellText } from './cell.ts'
import { type FileColumn } from './file.ts'
import type { Clock } from './zone.ts'

/** A field of a dBASE table: names have 10 characters at most, texts 254 bytes. */
export interface DbfField {
  column: FileColumn
  name: string
  kind: 'C' | 'N' | 'L' | 'D'
  /** In bytes. Texts are as wide as the longest one; known once all rows were measured. */
  width: number
  /** The number of texts that were truncated. */
  cut: number
}

const maxText = 254
const encoder = new TextEncoder()

/** The fields of a table with these columns; no two names are alike, whatever their case. */
export function dbfFields(columns: FileColumn[]): DbfField[] {
  const usedNames = new Set<string>()
  return columns.map((column) => {
    const base = column.key.replace(/[^A-Za-z0-9_]/g, '_')
    let name = base.slice(0, 10)
    for (let n = 1; usedNames.has(name.toUpperCase()); n++) {
      const mark = `_${n}`
      name = base.slice(0, 10 - mark.length) + mark
    }
    usedNames.add(name.toUpperCase())
    const kind = getFieldKind(column)
    return { column, name, kind, width: widths[kind], cut: 0 }
  })
}

/** dBASE has only dates without a time: calendar dates use them, instants are text with an offset. */
function getFieldKind(column: FileColumn): DbfField['kind'] {
  if (isCalendarDate(column)) return 'D'
  return column.type === 'number' ? 'N' : column.type === 'boolean' ? 'L' : 'C'
}

const widths = { N: 24, D: 8, L: 1, C: 1 }

/** Widens the fields for a row, and counts the texts that are too long. */
export function measure(fields: DbfField[], data: Record<string, unknown>, clock: Clock): void {
  for (const field of fields) {
    if (field.kind !== 'C') continue
    const length = encoder.encode(formatCell(field, data, clock)).length
    if (length > maxText) field.cut += 1
    field.width = Math.max(field.width, Math.min(length, maxText))
  }
}

/** The bytes of one record. */
export const recordBytes = (fields: DbfField[]) => fields.reduce((sum, { width }) => sum + width, 1)

/** The header of the file (dBASE III). `at`: its creation time. */
export function dbfHead(fields: DbfField[], count: number, at: Date): Uint8Array {
  const size = 32 + fields.length * 32 + 1
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  bytes.set([3, at.getUTCFullYear() - 1900, at.getUTCMonth() + 1, at.getUTCDate()])
  view.setUint32(4, count, true)
  view.setUint16(8, size, true)
  view.setUint16(10, recordBytes(fields), true)
  fields.forEach(({ name, kind, width }, i) => {
    const start = 32 + i * 32
    bytes.set(encoder.encode(name), start)
    bytes[start + 11] = kind.charCodeAt(0)
    bytes[start + 16] = width
    bytes[start + 17] = kind === 'N' ? 15 : 0
  })
  bytes[size - 1] = 0x0d
  return bytes
}

/** The records of some rows. */
export function dbfRecords(fields: DbfField[], rows: Record<string, unknown>[], clock: Clock): Uint8Array {
  const size = recordBytes(fields)
  const bytes = new Uint8Array(rows.length * size).fill(0x20)
  rows.forEach((data, row) => {
    let offset = row * size + 1
    for (const field of fields) {
      const text = formatCell(field, data, clock)
      const start = field.kind === 'N' ? offset + field.width - text.length : offset
      bytes.set(pad(encoder.encode(text), field.width), start)
      offset += field.width
    }
  })
  return bytes
}

/** The end-of-file marker. */
export const dbfEnd = new Uint8Array([0x1a])

function formatCell({ column, kind }: DbfField, data: Record<string, unknown>, clock: Clock): string {
  const value = getOwnProperty(data, column.key)
  if (kind === 'L') return value === true ? 'T' : value === false ? 'F' : '?'
  const text = cellText(value, column, clock.text)
  return kind === 'D' ? text.replaceAll('-', '') : text
}

/** Truncates a text to whole characters and pads it. */
function pad(bytes: Uint8Array, width: number): Uint8Array {
  if (bytes.length <= width) return bytes
  let end = width
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end)
}
