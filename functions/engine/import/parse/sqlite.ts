import { UnreadableError } from '../row.ts'
import { InvalidValue } from './invalid-value.ts'
import { formatByteCount, type ReadLimits } from './caps.ts'
import type { Ranges } from './ranges.ts'

/** A value of a row. Integers beyond 2^53 are texts. */
export type SqliteValue = null | number | string | Uint8Array | InvalidValue

/** A table, by its `create table` statement. */
export interface SqliteTable {
  root: number
  columns: string[]
  /** The declared type of each column, in capitals; SQLite accepts any word. */
  types: string[]
  /** The column that is an alias of the row id, and is not stored in the row. */
  idColumn: string | null
}

const damaged = () => new UnreadableError('The file is an SQLite database that is damaged or breaks off.')

/**
 * Reads tables of an SQLite database file page by page: rows in the order of their ids, wherever their pages
 * are.
 */
export class SqliteFile {
  private decoder: TextDecoder
  /** The bytes of rows read so far: rows of a hostile file may all have the same location. */
  private spent = 0
  private tables = new Map<string, SqliteTable>()

  private constructor(
    private ranges: Ranges,
    private caps: ReadLimits,
    private pageSize: number,
    private usable: number,
    encoding: number,
    /** Whether recent changes may be in a write-ahead log beside the file. */
    readonly isLogged: boolean,
  ) {
    this.decoder = new TextDecoder(['utf-8', 'utf-8', 'utf-16le', 'utf-16be'][encoding] ?? 'utf-8', {
      fatal: true,
      ignoreBOM: true,
    })
  }

  /** Opens a database. Throws `UnreadableError` for other bytes, or if its list of tables is damaged. */
  static async open(ranges: Ranges, caps: ReadLimits): Promise<SqliteFile> {
    if (ranges.size < 512) throw damaged()
    const head = await ranges.read(0, 100)
    const view = new DataView(head.buffer, head.byteOffset, head.length)
    const size = view.getUint16(16)
    const pageSize = size === 1 ? 65_536 : size
    const usable = pageSize - view.getUint8(20)
    if (pageSize < 512 || usable < 480) throw damaged()
    const file = new SqliteFile(ranges, caps, pageSize, usable, view.getUint32(56), view.getUint8(18) === 2)
    const columns = ['type', 'name', 'tbl_name', 'rootpage', 'sql']
    const schema = { root: 1, columns, types: columns.map(() => 'TEXT'), idColumn: null }
    for await (const rows of file.read(schema, () => false))
      for (const [type, name, , root, sql] of rows)
        if (type === 'table' && typeof sql === 'string')
          file.tables.set(String(name).toLowerCase(), { root: Number(root), ...columnsIn(sql) })
    return file
  }

  /** Returns a table by name, case-insensitive; null without one. */
  table(name: string): SqliteTable | null {
    return this.tables.get(name.toLowerCase()) ?? null
  }

  /**
   * Yields the values of all rows of a table in the order of its columns, page by page. `isSkipped` is called
   * before each: such a row is not parsed. Throws `UnreadableError` if the table is damaged.
   */
  async *read(table: SqliteTable, isSkipped: () => boolean): AsyncGenerator<SqliteValue[][]> {
    const visitedPages = new Set<number>()
    const pages = [table.root]
    for (let number = pages.pop(); number !== undefined; number = pages.pop()) {
      if (visitedPages.has(number)) throw damaged()
      visitedPages.add(number)
      const page = await this.page(number)
      if (page.kind === 5) {
        const children = page.cells.map((at) => uint32(page.bytes, at))
        pages.push(page.last, ...children.reverse())
        continue
      }
      const rows: SqliteValue[][] = []
      for (const at of page.cells) if (!isSkipped()) rows.push(await this.row(page.bytes, at, table))
      yield rows
    }
  }

  /** Returns the rows of a small table by column; none if there is no such table. */
  async all(name: string): Promise<Record<string, SqliteValue>[]> {
    const table = this.table(name)
    const all: Record<string, SqliteValue>[] = []
    if (table)
      for await (const rows of this.read(table, () => false)) {
        for (const row of rows)
          all.push(Object.fromEntries(table.columns.map((column, i) => [column, row[i] ?? null])))
        if (all.length > this.caps.entries) throw damaged()
      }
    return all
  }

  /** Reads a page: its kind, the offsets of its cells, and its last child. Only table pages are supported. */
  private async page(
    number: number,
  ): Promise<{ bytes: Uint8Array; kind: number; cells: number[]; last: number }> {
    const start = (number - 1) * this.pageSize
    if (number < 1 || start + this.pageSize > this.ranges.size) throw damaged()
    const bytes = await this.ranges.read(start, start + this.pageSize)
    const head = number === 1 ? 100 : 0
    const kind = bytes[head]
    if (kind !== 5 && kind !== 13) throw damaged()
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const list = head + (kind === 5 ? 12 : 8)
    const count = view.getUint16(head + 3)
    if (list + 2 * count > bytes.length) throw damaged()
    const cells = Array.from({ length: count }, (_, i) => view.getUint16(list + 2 * i))
    return { bytes, kind, cells, last: kind === 5 ? view.getUint32(head + 8) : 0 }
  }

  private async row(
    page: Uint8Array,
    at: number,
    { columns, idColumn }: SqliteTable,
  ): Promise<SqliteValue[]> {
    const [size, afterSize] = varint(page, at)
    const [id, start] = varint(page, afterSize)
    const values = this.values(await this.payload(page, start, size))
    return columns.map((column, i) => (column === idColumn ? id : (values[i] ?? null)))
  }

  /** Reads the bytes of a row, including those on overflow pages. */
  private async payload(bytes: Uint8Array, start: number, size: number): Promise<Uint8Array> {
    const most = this.usable - 35
    this.spent += size
    if (this.spent > 8 * this.ranges.size) throw damaged()
    if (size <= most) return slice(bytes, start, size)
    if (size > this.ranges.size) throw damaged()
    if (size > this.caps.row)
      throw new UnreadableError(`A row of the database is larger than ${formatByteCount(this.caps.row)}.`)
    const least = Math.floor(((this.usable - 12) * 32) / 255) - 23
    const localSize = least + ((size - least) % (this.usable - 4))
    const local = localSize <= most ? localSize : least
    const payload = new Uint8Array(size)
    payload.set(slice(bytes, start, local))
    let page = uint32(bytes, start + local)
    for (let length = local; length < size;) {
      const at = (page - 1) * this.pageSize
      const part = Math.min(size - length, this.usable - 4)
      if (page < 1 || at + 4 + part > this.ranges.size) throw damaged()
      const next = await this.ranges.read(at, at + 4 + part)
      payload.set(next.subarray(4), length)
      length += part
      page = uint32(next, 0)
    }
    return payload
  }

  private values(payload: Uint8Array): SqliteValue[] {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
    const [head, first] = varint(payload, 0)
    const values: SqliteValue[] = []
    let body = head
    for (let at = first; at < head;) {
      const [type, next] = varint(payload, at)
      at = next
      const length = type >= 12 ? Math.floor((type - 12) / 2) : (lengths[type] ?? 0)
      if (body + length > payload.length) throw damaged()
      values.push(this.value(type, view, payload.subarray(body, body + length), body))
      body += length
    }
    return values
  }

  private value(type: number, view: DataView, bytes: Uint8Array, at: number): SqliteValue {
    if (type >= 12) return type % 2 ? this.text(bytes) : bytes
    if (type === 0 || type > 9) return null
    if (type === 7) return view.getFloat64(at)
    if (type > 7) return type - 8
    if (type === 6) {
      const integer = view.getBigInt64(at)
      return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer.toString()
    }
    let value = (bytes[0] ?? 0) > 127 ? -1 : 0
    for (const byte of bytes) value = value * 256 + byte
    return value
  }

  private text(bytes: Uint8Array): string | InvalidValue {
    try {
      return this.decoder.decode(bytes)
    } catch {
      return new InvalidValue('The bytes are no text in the encoding of the database.')
    }
  }
}

/** Decodes a varint of SQLite, and returns its end. */
function varint(bytes: Uint8Array, at: number): [value: number, end: number] {
  let value = 0
  for (let i = 0; i < 9; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) throw damaged()
    if (i === 8) return [value * 256 + byte, at + 9]
    value = value * 128 + (byte & 127)
    if (byte < 128) return [value, at + i + 1]
  }
  throw damaged()
}

function uint32(bytes: Uint8Array, at: number): number {
  const [a, b, c, d] = bytes.subarray(at, at + 4)
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw damaged()
  return a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
}

function slice(bytes: Uint8Array, start: number, length: number): Uint8Array {
  if (start + length > bytes.length) throw damaged()
  return bytes.subarray(start, start + length)
}

/** The bytes of a value by its serial type. */
const lengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

/** Parses the columns of a `create table` statement, and the alias of the row id. */
function columnsIn(sql: string): Omit<SqliteTable, 'root'> {
  const columns: string[] = []
  const types: string[] = []
  let idColumn: string | null = null
  for (const part of splitColumns(sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')')))) {
    const [, quoted, ticked, bracketed, bare, rest = ''] =
      /^\s*(?:"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^\s(]+))(.*)$/s.exec(part) ?? []
    if (bare && /^(primary|foreign|unique|check|constraint)$/i.test(bare)) continue
    const name = quoted?.replaceAll('""', '"') ?? ticked ?? bracketed ?? bare
    if (name === undefined) continue
    columns.push(name)
    types.push(/^\s*(\w*)/.exec(rest)?.[1]?.toUpperCase() ?? '')
    if (/^\s+integer\b.*\bprimary\s+key\b/is.test(rest)) idColumn = name
  }
  return { columns, types, idColumn }
}

/** Splits a list at the commas outside of brackets and quotes. */
function splitColumns(text: string): string[] {
  const parts: string[] = ['']
  let depth = 0
  let quote = ''
  for (const character of text) {
    if (quote) quote = character === quote ? '' : quote
    else if (character === '"' || character === "'" || character === '`') quote = character
    else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    if (character === ',' && depth === 0 && !quote) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}
