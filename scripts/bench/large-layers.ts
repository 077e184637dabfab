import { generateFlights } from './import-corpus.ts'

/** A flight of the generated rows as a layer has it: its columns, and its point. */
type Flight = ReturnType<typeof generateFlights> extends Generator<infer Row> ? Row : never

const texts = ['id', 'origin', 'state', 'kind', 'at'] as const
const numbers = ['delay', 'distance'] as const
const flag = 'late'
const pageBytes = 4096
/** Children of a page above the leaves; fewer than fit. */
const maxChildren = 300

const utf8 = new TextEncoder()

/** Yields the flights with their notes. */
function* withNotes(rows: number, generateNote: (n: number) => string): Generator<[Flight, string]> {
  let n = 0
  for (const flight of generateFlights(rows)) yield [flight, generateNote(n++)]
}

/** A varint of SQLite for a number below 2^28. */
function varint(value: number): number[] {
  const bytes = [value & 127]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    bytes.unshift((rest & 127) | 128)
  return bytes
}

type Value = null | number | string | Uint8Array

/** A cell of a table page: the row id, and the values with their types before them. */
function encodeCell(id: number, values: Value[]): Uint8Array {
  const types: number[] = []
  const bodies: Uint8Array[] = []
  for (const value of values) {
    if (value === null) types.push(0)
    else if (typeof value === 'number') {
      const body = new Uint8Array(4)
      new DataView(body.buffer).setInt32(0, value)
      types.push(4)
      bodies.push(body)
    } else {
      const body = typeof value === 'string' ? utf8.encode(value) : value
      types.push(...varint(12 + 2 * body.length + (typeof value === 'string' ? 1 : 0)))
      bodies.push(body)
    }
  }
  // Rows here have so few columns that the length of their head is one byte.
  const head = [types.length + 1, ...types]
  const size = bodies.reduce((sum, body) => sum + body.length, head.length)
  return Buffer.concat([Uint8Array.from([...varint(size), ...varint(id), ...head]), ...bodies])
}

/** A page of a table: its cells are at its end. `last`: the last child of a page above others. */
function encodePage(cells: readonly Uint8Array[], last: number | null, head = 0): Uint8Array {
  const page = new Uint8Array(pageBytes)
  const view = new DataView(page.buffer)
  const first = head + (last === null ? 8 : 12)
  let end = pageBytes
  cells.forEach((cell, i) => {
    end -= cell.length
    page.set(cell, end)
    view.setUint16(first + 2 * i, end)
  })
  if (end < first + 2 * cells.length) throw new Error('The cells do not fit into a page.')
  page[head] = last === null ? 13 : 5
  view.setUint16(head + 3, cells.length)
  view.setUint16(head + 5, end)
  if (last !== null) view.setUint32(head + 8, last)
  return page
}

const layer = 'flights'
const tables = {
  gpkg_spatial_ref_sys:
    'srs_name TEXT, srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER, definition TEXT',
  gpkg_contents: 'table_name TEXT, data_type TEXT, identifier TEXT, srs_id INTEGER',
  gpkg_geometry_columns:
    'table_name TEXT, column_name TEXT, geometry_type_name TEXT, srs_id INTEGER, z INTEGER, m INTEGER',
  [layer]: `fid INTEGER PRIMARY KEY, geom BLOB, ${texts.map((name) => `${name} TEXT`).join(', ')}, ${numbers
    .map((name) => `${name} INTEGER`)
    .join(', ')}, ${flag} BOOLEAN, notes TEXT`,
}
const degrees = ['WGS 84', 4326, 'EPSG', 4326, 'undefined']
const fixedRows = [degrees, [layer, 'features', layer, 4326], [layer, 'geom', 'POINT', 4326, 0, 0]]

/** The first page: the head of the file, and the tables with the pages where they begin. */
function encodeFirstPage(pages: number): Uint8Array {
  const cells = Object.entries(tables).map(([name, columns], i) =>
    encodeCell(i + 1, ['table', name, name, i + 2, `CREATE TABLE ${name} (${columns})`]),
  )
  const page = encodePage(cells, null, 100)
  page.set(utf8.encode('SQLite format 3\0'))
  const view = new DataView(page.buffer)
  view.setUint16(16, pageBytes)
  page.set([1, 1, 0, 64, 32, 32], 18)
  for (const [at, value] of [
    ...([
      [24, 1],
      [28, pages],
      [40, 1],
      [44, 4],
      [56, 1],
      [92, 1],
      [96, 3_040_000],
    ] as const),
    [68, 0x47504b47],
  ] as const)
    view.setUint32(at, value)
  return page
}

/** A point as GeoPackages have it: their own head, and its binary geometry. */
function encodePoint({ longitude, latitude }: Flight): Uint8Array {
  const bytes = new Uint8Array(29)
  const view = new DataView(bytes.buffer)
  bytes.set([0x47, 0x50, 0, 1])
  view.setUint32(4, 4326, true)
  bytes[8] = 1
  view.setUint32(9, 1, true)
  view.setFloat64(13, Number(longitude), true)
  view.setFloat64(21, Number(latitude), true)
  return bytes
}

function* leaves(
  rows: number,
  generateNote: (n: number) => string,
): Generator<{ cells: Uint8Array[]; last: number }> {
  let cells: Uint8Array[] = []
  let size = 8
  let id = 0
  for (const [flight, notes] of withNotes(rows, generateNote)) {
    const values = [
      ...[null, encodePoint(flight), ...texts.map((name) => flight[name] ?? null)],
      ...[...numbers.map((name) => flight[name]), flight[flag] ? 1 : 0, notes],
    ]
    const cell = encodeCell(id + 1, values)
    if (size + cell.length + 2 > pageBytes) {
      yield { cells, last: id }
      cells = []
      size = 8
    }
    id += 1
    cells.push(cell)
    size += cell.length + 2
  }
  yield { cells, last: id }
}

/** A page above others, by their numbers and the last row ids in them. */
function pageAbove(children: { page: number; last: number }[]): Uint8Array {
  const cells = children.slice(0, -1).map(({ page, last }) => {
    const number = new Uint8Array(4)
    new DataView(number.buffer).setUint32(0, page)
    return Buffer.concat([number, Uint8Array.from(varint(last))])
  })
  return encodePage(cells, children.at(-1)?.page ?? 0)
}

/** A GeoPackage with one layer of points, page by page, as its programs write it. */
export function* gpkgChunks(rows: number, generateNote: (n: number) => string): Generator<Uint8Array> {
  const lasts: number[] = []
  for (const { last } of leaves(rows, generateNote)) lasts.push(last)
  const groups = Math.ceil(lasts.length / maxChildren)
  const root = 1 + Object.keys(tables).length
  const firstLeaf = root + 1 + groups
  yield encodeFirstPage(firstLeaf + lasts.length - 1)
  for (const values of fixedRows) yield encodePage([encodeCell(1, values as Value[])], null)
  const leafGroups = Array.from({ length: groups }, (_, i) =>
    lasts
      .slice(i * maxChildren, (i + 1) * maxChildren)
      .map((last, j) => ({ page: firstLeaf + i * maxChildren + j, last })),
  )
  yield pageAbove(leafGroups.map((group, i) => ({ page: root + 1 + i, last: group.at(-1)?.last ?? 0 })))
  for (const group of leafGroups) yield pageAbove(group)
  for (const { cells } of leaves(rows, generateNote)) yield encodePage(cells, null)
}

/** A field of a table of FlatBuffers: its number, and a number of so many bytes, a text, a table or tables. */
type FlatField = [
  field: number,
  value: { number: number; bytes: 1 | 2 | 4 | 8 } | string | FlatField[] | FlatField[][],
]

/** The bytes of a table of FlatBuffers, which begin with where it is. Each field has eight bytes. */
function encodeFlatBuffer(fields: FlatField[]): Buffer {
  const out = Buffer.alloc(16_384)
  let end = 4
  const reserve = (bytes: number) => {
    const at = Math.ceil(end / 8) * 8
    end = at + bytes
    return at
  }
  const table = (list: FlatField[]): number => {
    const most = Math.max(...list.map(([field]) => field))
    const kinds = reserve(4 + 2 * (most + 1))
    const at = reserve(8 + 8 * list.length)
    out.writeUInt16LE(4 + 2 * (most + 1), kinds)
    out.writeUInt16LE(8 + 8 * list.length, kinds + 2)
    out.writeInt32LE(at - kinds, at)
    list.forEach(([field, value], i) => {
      const slot = at + 8 + 8 * i
      out.writeUInt16LE(slot - at, kinds + 4 + 2 * field)
      if (typeof value === 'object' && 'number' in value) {
        if (value.bytes === 8) out.writeBigUInt64LE(BigInt(value.number), slot)
        else out.writeUIntLE(value.number, slot, value.bytes)
      } else out.writeUInt32LE(writeChild(value) - slot, slot)
    })
    return at
  }
  const writeChild = (value: string | FlatField[] | FlatField[][]): number => {
    if (typeof value === 'string') {
      const at = reserve(5 + value.length)
      out.writeUInt32LE(value.length, at)
      out.write(value, at + 4)
      return at
    }
    if (!Array.isArray(value[0]?.[0])) return table(value as FlatField[])
    const at = reserve(4 + 4 * value.length)
    out.writeUInt32LE(value.length, at)
    ;(value as FlatField[][]).forEach((one, i) => {
      const slot = at + 4 + 4 * i
      out.writeUInt32LE(table(one) - slot, slot)
    })
    return at
  }
  out.writeUInt32LE(table(fields), 0)
  return out.subarray(0, end)
}

const withLength = (bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** The types of columns in FlatGeobuf. */
const fgbTypes = { flag: 2, integer: 5, text: 11 }
const fgbColumns = [
  ...texts.map((name) => [name, fgbTypes.text] as const),
  ...numbers.map((name) => [name, fgbTypes.integer] as const),
  [flag, fgbTypes.flag] as const,
  ['notes', fgbTypes.text] as const,
]

/** A feature with a point: the tables before the properties are the same in each. */
function encodeFeature(flight: Flight, notes: string): Buffer {
  const head = Buffer.alloc(68)
  // Where the table is; what a feature has: its geometry and properties; the table.
  for (const [at, value] of [
    [0, 12],
    [12, 8],
    [16, 16],
    [20, 44],
  ] as const)
    head.writeUInt32LE(value, at)
  for (const [at, value] of [
    [4, 8],
    [6, 12],
    [8, 4],
    [10, 8],
  ] as const)
    head.writeUInt16LE(value, at)
  // What a geometry has: positions; the table; the positions.
  for (const [at, value] of [
    [24, 8],
    [26, 8],
    [28, 0],
    [30, 4],
  ] as const)
    head.writeUInt16LE(value, at)
  for (const [at, value] of [
    [32, 8],
    [36, 8],
    [44, 2],
  ] as const)
    head.writeUInt32LE(value, at)
  head.writeDoubleLE(Number(flight.longitude), 48)
  head.writeDoubleLE(Number(flight.latitude), 56)
  const parts: Buffer[] = []
  fgbColumns.forEach(([name, type], i) => {
    const value = name === 'notes' ? notes : (flight[name] ?? '')
    const column = Buffer.alloc(2)
    column.writeUInt16LE(i)
    const body =
      type === fgbTypes.text ? withLength(utf8.encode(String(value))) : Buffer.alloc(type === 2 ? 1 : 4)
    if (type === fgbTypes.integer) body.writeInt32LE(Number(value))
    if (type === fgbTypes.flag) body.writeUInt8(value ? 1 : 0)
    parts.push(column, body)
  })
  const properties = Buffer.concat(parts)
  head.writeUInt32LE(properties.length, 64)
  return withLength(Buffer.concat([head, properties]))
}

/** A FlatGeobuf file of points without an index, feature by feature. */
export function* fgbChunks(rows: number, generateNote: (n: number) => string): Generator<Uint8Array> {
  yield Buffer.from([0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0])
  const columns = fgbColumns.map(([name, type]): FlatField[] => [
    [0, name],
    [1, { number: type, bytes: 1 }],
  ])
  yield withLength(
    encodeFlatBuffer([
      [0, layer],
      [2, { number: 1, bytes: 1 }],
      [7, columns],
      [8, { number: rows, bytes: 8 }],
      [9, { number: 0, bytes: 2 }],
      [
        10,
        [
          [0, 'EPSG'],
          [1, { number: 4326, bytes: 4 }],
        ],
      ],
    ]),
  )
  let some: Buffer[] = []
  for (const [flight, notes] of withNotes(rows, generateNote)) {
    some.push(encodeFeature(flight, notes))
    if (some.length < 200) continue
    yield Buffer.concat(some)
    some = []
  }
  yield Buffer.concat(some)
}
