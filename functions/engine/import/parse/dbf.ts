import { UnreadableError } from '../row.ts'
import type { ByteReader } from './byte-reader.ts'
import { standardName } from './encoding.ts'
import { hex } from './decode.ts'
import { buildColumnNames } from './header.ts'
import type { Fault, Sink } from './sink.ts'

interface Column {
  name: string
  type: string
  length: number
}

/** The supported encodings of dBASE by the language driver in the header. */
const drivers: Record<number, string> = {
  0x02: 'cp850',
  0x01: 'cp437',
  0x03: 'windows-1252',
  0x57: 'windows-1252',
  0x58: 'windows-1252',
  0x59: 'windows-1252',
  0x13: 'shift_jis',
  0x7b: 'shift_jis',
  0x4d: 'gbk',
  0x7a: 'gbk',
  0x4e: 'euc-kr',
  0x79: 'euc-kr',
  0x4f: 'big5',
  0x78: 'big5',
  0x26: 'ibm866',
  0x65: 'ibm866',
  0x64: 'cp852',
  0x7c: 'windows-874',
  0x7d: 'windows-1255',
  0x7e: 'windows-1256',
  0xc8: 'windows-1250',
  0xc9: 'windows-1251',
  0xca: 'windows-1254',
  0xcb: 'windows-1253',
  0xcc: 'windows-1257',
}

/** The encoding named by a `.cpg` file: `UTF-8`, `1252`, `ANSI 1252`, `ISO 88591`; null for an unknown one. */
export function encodingByCpg(text: string): string | null {
  const name = text.trim().toLowerCase()
  const page = /^(?:ansi |cp|windows-|)(\d{3,5})$/.exec(name)?.[1]
  if (page === '65001') return 'utf-8'
  if (page) return standardName(page === '866' ? 'ibm866' : `windows-${page}`)
  const iso = /^iso[ _-]?8859[ _-]?(\d+)$/.exec(name)?.[1]
  return standardName(iso ? `iso-8859-${iso}` : name)
}

interface DbfRow {
  properties: Record<string, unknown>
  faults: Fault[]
  isDeleted: boolean
}

/** The rows of a dBASE table of a Shapefile: columns of type C, N, F, D and L. */
export class DbfTable {
  private decoder: TextDecoder
  private isGuess = false

  private constructor(
    private reader: ByteReader,
    readonly count: number,
    private length: number,
    private columns: Column[],
    private encoding: string,
    private sink: Sink,
  ) {
    this.decoder = new TextDecoder(encoding, { fatal: true })
  }

  /** Parses the header. `cpg`: the encoding named by the file next to it. */
  static async open(reader: ByteReader, cpg: string | null, sink: Sink): Promise<DbfTable> {
    const head = await reader.read(32)
    const view = new DataView(head.buffer, head.byteOffset, head.length)
    if (head.length < 32) throw new UnreadableError('The table of the shapefile (.dbf) is cut off.')
    const count = view.getUint32(4, true)
    if (view.getUint16(8, true) < 33) throw new UnreadableError('The head of the table (.dbf) is damaged.')
    const rest = await reader.read(view.getUint16(8, true) - 32)
    const length = view.getUint16(10, true)
    const driver = head[29] ?? 0
    const encoding = cpg ?? standardName(drivers[driver])
    if (!encoding && drivers[driver])
      sink.notice(
        'warn',
        `The table is in ${drivers[driver]}, which is not known here: it is read as another.`,
      )
    const columns: Column[] = []
    for (let at = 0; at + 32 <= rest.length && rest[at] !== 0x0d; at += 32) {
      const bytes = rest.subarray(at, at + 11)
      const end = bytes.indexOf(0)
      const name = new TextDecoder(encoding ?? 'utf-8').decode(bytes.subarray(0, end < 0 ? 11 : end)).trim()
      columns.push({ name, type: String.fromCharCode(rest[at + 11] ?? 0), length: rest[at + 16] ?? 0 })
    }
    // Names are limited to ten characters, so two may be equal: without numbering the value of the first
    // would be lost.
    const names = buildColumnNames(
      columns.map(({ name }) => name),
      sink,
      columns.length,
    )
    columns.forEach((column, i) => (column.name = names[i] ?? column.name))
    const sum = columns.reduce((all, column) => all + column.length, 1)
    if (!columns.length || sum !== length)
      throw new UnreadableError('The head of the table (.dbf) is damaged.')
    for (const { name, type } of columns)
      if (!'CNFDL'.includes(type)) sink.notice('warn', `The column "${name}" of type ${type} is left out.`)
    const table = new DbfTable(reader, count, length, columns, encoding ?? 'utf-8', sink)
    table.isGuess = !encoding
    return table
  }

  /** The next row; null where the table ends, early or not. */
  async next(): Promise<DbfRow | null> {
    const bytes = await this.reader.read(this.length)
    if (bytes.length < this.length || bytes[0] === 0x1a) return null
    const properties: [string, unknown][] = []
    const faults: Fault[] = []
    let at = 1
    for (const { name, type, length } of this.columns) {
      const cell = bytes.subarray(at, at + length)
      at += length
      if (!'CNFDL'.includes(type)) continue
      const text = this.decodeText(cell)
      if (text === null) {
        const message = `The bytes ${hex(cell.filter((byte) => byte >= 0x80).subarray(0, 4))} cannot be read as ${this.encoding.toUpperCase()}.`
        faults.push({ field: name, message })
        continue
      }
      const value =
        type === 'C' ? text.replace(/[\0 ]+$/, '') : parseTypedValue(type, text.replace(/\0/g, ' ').trim())
      if (value === undefined)
        faults.push({ field: name, message: `This is no ${words[type] ?? 'value'}.`, value: text.trim() })
      else properties.push([name, value])
    }
    return { properties: Object.fromEntries(properties), faults, isDeleted: bytes[0] === 0x2a }
  }

  private decodeText(cell: Uint8Array): string | null {
    try {
      return this.decoder.decode(cell)
    } catch {
      if (!this.isGuess) return null
      this.isGuess = false
      const bytes = hex(cell.filter((byte) => byte >= 0x80).subarray(0, 1))
      const message = `The table names no encoding and ${bytes} is not UTF-8: it is read as windows-1252 from there on.`
      this.sink.notice('warn', message)
      this.encoding = 'windows-1252'
      this.decoder = new TextDecoder('windows-1252')
      return this.decoder.decode(cell)
    }
  }
}

const words: Record<string, string> = { N: 'number', F: 'number', D: 'date', L: 'yes or no' }

function parseTypedValue(type: string, text: string): unknown {
  if (type === 'L')
    return /^[TtYy]$/.test(text)
      ? true
      : /^[FfNn]$/.test(text)
        ? false
        : /^\??$/.test(text)
          ? null
          : undefined
  if (text === '') return null
  if (type === 'D') return parseDate(text)
  const number = Number(text)
  if (!Number.isFinite(number)) return undefined
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? text : number
}

function parseDate(text: string): string | null | undefined {
  if (/^0+$/.test(text)) return null
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? []
  const iso = `${year}-${month}-${day}`
  return year && new Date(`${iso}T00:00:00Z`).toJSON()?.startsWith(iso) ? iso : undefined
}
