import { Unreadable } from '../import/row.ts'

/** A value of a row. Whole numbers beyond 2^53 lose their last digits. */
export type SqliteValue = null | number | string | Uint8Array
export type SqliteRow = Record<string, SqliteValue>

const damaged = () => new Unreadable('The file is an SQLite database that is damaged or breaks off.')

/** Tables of a database file of SQLite, read only: rows in the order of their ids, whatever their pages are. */
export class SqliteFile {
  private view: DataView
  private pageSize: number
  private usable: number
  private decoder: TextDecoder
  /** How many bytes of rows were read: rows of a hostile file may all stand in one place. */
  private spent = 0
  private tables = new Map<string, { root: number; columns: string[]; idColumn: string | null }>()

  /** Throws `Unreadable` where the bytes are no database, or its list of tables is damaged. */
  constructor(private bytes: Uint8Array) {
    if (bytes.length < 512) throw damaged()
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const size = this.view.getUint16(16)
    this.pageSize = size === 1 ? 65_536 : size
    this.usable = this.pageSize - (bytes[20] ?? 0)
    if (this.pageSize < 512 || this.usable < 480) throw damaged()
    this.decoder = new TextDecoder(
      ['utf-8', 'utf-8', 'utf-16le', 'utf-16be'][this.view.getUint32(56)] ?? 'utf-8',
    )
    const schema = ['type', 'name', 'tbl_name', 'rootpage', 'sql']
    for (const row of this.read({ root: 1, columns: schema, idColumn: null }))
      if (row.type === 'table' && typeof row.sql === 'string')
        this.tables.set(String(row.name).toLowerCase(), { root: Number(row.rootpage), ...columnsIn(row.sql) })
  }

  /** The rows of a table; none where there is no such table. Throws `Unreadable` where it is damaged. */
  *rows(table: string): Generator<SqliteRow> {
    const known = this.tables.get(table.toLowerCase())
    if (known) yield* this.read(known)
  }

  private *read(table: { root: number; columns: string[]; idColumn: string | null }): Generator<SqliteRow> {
    const seen = new Set<number>()
    const pages = [table.root]
    for (let page = pages.pop(); page !== undefined; page = pages.pop()) {
      if (seen.has(page)) throw damaged()
      seen.add(page)
      const { kind, cells, last } = this.page(page)
      if (kind === 5) {
        const children = cells.map((at) => this.uint32(at))
        pages.push(last, ...children.reverse())
        continue
      }
      for (const at of cells) yield this.row(at, table)
    }
  }

  /** The kind of a page, where its cells are, and its last child. Only pages of tables are read. */
  private page(number: number): { kind: number; cells: number[]; last: number } {
    const start = (number - 1) * this.pageSize
    const head = start + (number === 1 ? 100 : 0)
    const kind = this.bytes[head]
    if (number < 1 || start + this.pageSize > this.bytes.length || (kind !== 5 && kind !== 13))
      throw damaged()
    const list = head + (kind === 5 ? 12 : 8)
    const cells = Array.from(
      { length: this.view.getUint16(head + 3) },
      (_, i) => start + this.view.getUint16(list + 2 * i),
    )
    return { kind, cells, last: kind === 5 ? this.uint32(head + 8) : 0 }
  }

  private row(at: number, { columns, idColumn }: { columns: string[]; idColumn: string | null }): SqliteRow {
    const [size, afterSize] = this.varint(this.bytes, at)
    const [id, start] = this.varint(this.bytes, afterSize)
    const values = this.values(this.payload(start, size))
    const row: SqliteRow = {}
    columns.forEach((column, i) => (row[column] = column === idColumn ? id : (values[i] ?? null)))
    return row
  }

  /** The bytes of a row, with those that lie on pages of their own. */
  private payload(start: number, size: number): Uint8Array {
    const most = this.usable - 35
    this.spent += size
    if (this.spent > 8 * this.bytes.length) throw damaged()
    if (size <= most) return this.cut(start, size)
    if (size > this.bytes.length) throw damaged()
    const least = Math.floor(((this.usable - 12) * 32) / 255) - 23
    const wanted = least + ((size - least) % (this.usable - 4))
    const local = wanted <= most ? wanted : least
    const whole = new Uint8Array(size)
    whole.set(this.cut(start, local))
    let page = this.uint32(start + local)
    for (let filled = local; filled < size;) {
      const at = (page - 1) * this.pageSize
      const part = Math.min(size - filled, this.usable - 4)
      whole.set(this.cut(at + 4, part), filled)
      filled += part
      page = this.uint32(at)
    }
    return whole
  }

  private values(payload: Uint8Array): SqliteValue[] {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
    const [head, first] = this.varint(payload, 0)
    const values: SqliteValue[] = []
    let body = head
    for (let at = first; at < head;) {
      const [type, next] = this.varint(payload, at)
      at = next
      const length = type >= 12 ? Math.floor((type - 12) / 2) : (lengths[type] ?? 0)
      if (body + length > payload.length) throw damaged()
      values.push(this.value(type, view, payload.subarray(body, body + length), body))
      body += length
    }
    return values
  }

  private value(type: number, view: DataView, bytes: Uint8Array, at: number): SqliteValue {
    if (type >= 12) return type % 2 ? this.decoder.decode(bytes) : bytes
    if (type === 0 || type > 9) return null
    if (type === 7) return view.getFloat64(at)
    if (type > 7) return type - 8
    let value = (bytes[0] ?? 0) > 127 ? -1 : 0
    for (const byte of bytes) value = value * 256 + byte
    return value
  }

  /** A number of SQLite's own form, and where it ends. */
  private varint(bytes: Uint8Array, at: number): [value: number, end: number] {
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

  private uint32(at: number): number {
    if (at < 0 || at + 4 > this.bytes.length) throw damaged()
    return this.view.getUint32(at)
  }

  private cut(start: number, length: number): Uint8Array {
    if (start < 0 || start + length > this.bytes.length) throw damaged()
    return this.bytes.subarray(start, start + length)
  }
}

/** How many bytes a number takes, by its type. */
const lengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

/** The columns that a `create table` names, and the one that is the id of a row and stands in none. */
function columnsIn(sql: string): { columns: string[]; idColumn: string | null } {
  const columns: string[] = []
  let idColumn: string | null = null
  for (const part of splitColumns(sql.slice(sql.indexOf('(') + 1, sql.lastIndexOf(')')))) {
    const [, quoted, ticked, bracketed, bare, rest = ''] =
      /^\s*(?:"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|([^\s(]+))(.*)$/s.exec(part) ?? []
    if (bare && /^(primary|foreign|unique|check|constraint)$/i.test(bare)) continue
    const name = quoted?.replaceAll('""', '"') ?? ticked ?? bracketed ?? bare
    if (name === undefined) continue
    columns.push(name)
    if (/^\s+integer\b.*\bprimary\s+key\b/is.test(rest)) idColumn = name
  }
  return { columns, idColumn }
}

/** The parts of a list between commas that stand in no brackets and no quotes. */
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
