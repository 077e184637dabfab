import { isCalendarDate, isGeometryType, type Field, type FieldSchema } from '#functions/shapes/field.ts'

/*
 * A column file has all records of a source, column by column: what a table needs for sorting, filtering and
 * searching without a database. It is read in parts: the header, then the columns that a request uses.
 *
 * 4 bytes   "CPC1"
 * 4 bytes   length of the header, little endian
 * header    JSON, `Head`
 * blocks    each compressed by itself (deflate-raw), at the offsets in the header
 *
 * A text column is a dictionary: the distinct texts in natural sort order (JSON), and for each record the
 * number of its text, 0 for none, so numbers sort like their texts. A number column has one number per
 * record; NaN, or the lowest integer, is none.
 */

/** How the values of a column are stored: `integer` and `day` (days since 1970) in 32 bits, `number` and `instant` (milliseconds) in 64. */
export type ColumnKind = 'text' | 'json' | 'number' | 'integer' | 'boolean' | 'day' | 'instant'

interface Block {
  offset: number
  bytes: number
}

/** A value of a column with the number of its records. */
export interface Choice {
  value: string
  count: number
}

/** The description of a column in the header. */
export interface ColumnHead {
  key: string
  kind: ColumnKind
  field: Field
  /** The distinct texts; only for `text` and `json`. */
  words?: Block
  values: Block
  /** Bytes of a value: 1, 2, 4 or 8. */
  width: 1 | 2 | 4 | 8
  empty: number
  /** The number of distinct values; only for texts. */
  distinct?: number
  /** Up to 50 texts, the most frequent first, equal counts in order; for booleans `true` and `false`; none for lists and maps. */
  choices?: Choice[]
  /** In the format of the API; absent where no record has a value. */
  min?: number | string
  max?: number | string
}

interface Head {
  /** The number of records in the file. */
  rows: number
  /**
   * The number of records in the source, where the file has only the first of them. Column statistics are then of all
   * records.
   */
  all?: number
  /** Whether the records have geometry: there are files with it then. */
  hasShapes: boolean
  /** The ids of the records, and then a column for each field but geometry of many points. */
  id: ColumnHead
  columns: ColumnHead[]
  /** The fields that have no column. */
  hidden: string[]
}

/** A source has a complete file up to this size of its values in memory. */
const maxDecodedBytes = 8 * 1024 * 1024
/** The most texts in the choices of a column. */
export const maxChoices = 50
const magic = 'CPC1'
const noInteger = -2_147_483_648
const dayLength = 86_400_000

/** How a field is stored; null for fields that no table shows. */
function chooseColumnKind(field: Field): ColumnKind | null {
  switch (field.type) {
    case 'text':
      return 'text'
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'date':
      return isCalendarDate(field) ? 'day' : 'instant'
    case 'array':
    case 'object':
    case 'point':
      return 'json'
    default:
      return null
  }
}

/** Statistics of a column over all records, where a file has only the first. */
export type WholeColumn = Pick<ColumnHead, 'empty' | 'distinct' | 'choices' | 'min' | 'max'>

/** Statistics of a source, where a file has only the first records. */
interface WholeSource {
  rows: number
  columns: ReadonlyMap<string, WholeColumn>
}

/** The statistics of a column in such a file: nothing that covers only the first values. */
const getCompleteStatistics = ({ empty }: ColumnHead, wholeColumn?: WholeColumn): WholeColumn => ({
  ...{ distinct: undefined, choices: undefined, min: undefined, max: undefined, empty },
  ...wholeColumn,
})

/** Writes a column file from records, one after the other. */
export class ColumnFileWriter {
  readonly #ids: TextColumn
  readonly #columns: (TextColumn | NumberColumn)[]
  readonly #hasShapes: boolean
  readonly #hidden: string[]
  readonly #most: number
  #rows = 0

  constructor(schema: FieldSchema, most = maxDecodedBytes) {
    this.#most = most
    this.#hasShapes = Object.values(schema).some(({ type }) => isGeometryType(type))
    this.#hidden = Object.keys(schema).filter((key) => schema[key] && chooseColumnKind(schema[key]) === null)
    this.#ids = new TextColumn('id', 'text', { name: 'Id', type: 'text' } as Field)
    this.#columns = Object.entries(schema).flatMap(([key, field]) => {
      const kind = chooseColumnKind(field)
      if (kind === null) return []
      return [
        kind === 'text' || kind === 'json'
          ? new TextColumn(key, kind, field)
          : new NumberColumn(key, kind, field),
      ]
    })
  }

  /** False: the size limit is exceeded, and no file is written. */
  add(id: string, data: Record<string, unknown>): boolean {
    this.#ids.add(id)
    for (const column of this.#columns) column.add(data[column.key])
    this.#rows += 1
    return this.decodedBytes <= this.#most
  }

  /** The size of all columns in memory, in bytes. */
  get decodedBytes(): number {
    return this.#columns.reduce((all, column) => all + column.decodedBytes, this.#ids.decodedBytes)
  }

  /** Returns the file. `wholeSource`: the statistics of a source whose first records these are. */
  async finish(wholeSource?: WholeSource): Promise<Uint8Array> {
    const blocks: Uint8Array[] = []
    let offset = 0
    const store = async (bytes: Uint8Array): Promise<Block> => {
      const packed = await deflate(bytes)
      blocks.push(packed)
      const block = { offset, bytes: packed.length }
      offset += packed.length
      return block
    }
    const id = await this.#ids.store(store)
    const columns: ColumnHead[] = []
    for (const column of this.#columns) {
      const storedHead = await column.store(store)
      columns.push(
        wholeSource
          ? { ...storedHead, ...getCompleteStatistics(storedHead, wholeSource.columns.get(column.key)) }
          : storedHead,
      )
    }
    const head = new TextEncoder().encode(
      JSON.stringify({
        rows: this.#rows,
        ...(wholeSource && { all: wholeSource.rows }),
        ...{ hasShapes: this.#hasShapes, id, columns, hidden: this.#hidden },
      } satisfies Head),
    )
    const file = new Uint8Array(8 + head.length + offset)
    file.set(new TextEncoder().encode(magic))
    new DataView(file.buffer).setUint32(4, head.length, true)
    file.set(head, 8)
    let at = 8 + head.length
    for (const block of blocks) {
      file.set(block, at)
      at += block.length
    }
    return file
  }
}

type StoreBlock = (bytes: Uint8Array) => Promise<Block>

class TextColumn {
  readonly #numbers = new Map<string, number>()
  readonly #counts: number[] = []
  readonly #at: number[] = []
  #letters = 0
  #empty = 0

  constructor(
    readonly key: string,
    readonly kind: 'text' | 'json',
    readonly field: Field,
  ) {}

  add(value: unknown) {
    const text = this.kind === 'json' && value !== null && value !== undefined ? JSON.stringify(value) : value
    if (typeof text !== 'string') {
      this.#empty += 1
      this.#at.push(0)
      return
    }
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = this.#numbers.size + 1
      this.#numbers.set(text, number)
      this.#counts.push(0)
      this.#letters += text.length
    }
    this.#counts[number - 1] = (this.#counts[number - 1] ?? 0) + 1
    this.#at.push(number)
  }

  /** Texts are two bytes a letter and some for the object around them. */
  get decodedBytes(): number {
    return this.#letters * 2 + this.#numbers.size * 24 + this.#at.length * 4
  }

  async store(store: StoreBlock): Promise<ColumnHead> {
    const texts = [...this.#numbers.keys()]
    const order = texts.map((_, i) => i)
    const getTextAt = (i: number) => texts[i] ?? ''
    order.sort(
      (a, b) => byLetter.compare(getTextAt(a), getTextAt(b)) || (getTextAt(a) < getTextAt(b) ? -1 : 1),
    )
    const sorted = new Uint32Array(texts.length + 1)
    order.forEach((i, at) => (sorted[i + 1] = at + 1))
    const distinct = texts.length
    const width = distinct < 0xff ? 1 : distinct < 0xffff ? 2 : 4
    const numbers = width === 1 ? Uint8Array : width === 2 ? Uint16Array : Uint32Array
    const all = order.map((i) => ({ value: getTextAt(i), count: this.#counts[i] ?? 0 }))
    return {
      key: this.key,
      kind: this.kind,
      field: this.field,
      words: await store(new TextEncoder().encode(JSON.stringify(all.map(({ value }) => value)))),
      values: await store(planes(numbers.from(this.#at.map((number) => sorted[number] ?? 0)))),
      width,
      empty: this.#empty,
      distinct,
      ...(this.kind === 'text' && { choices: pickChoices(all) }),
    }
  }
}

/** Letters before their case and accents, numbers in texts as numbers. Decided once for all readers, who share the file. */
const byLetter = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Where all values are unique there is nothing to choose by. */
const pickChoices = (all: Choice[]): Choice[] =>
  all
    .filter(({ count }) => count > 1 || all.length <= maxChoices)
    .sort((a, b) => b.count - a.count)
    .slice(0, maxChoices)

class NumberColumn {
  readonly #values: number[] = []
  #empty = 0
  #min = Infinity
  #max = -Infinity
  #isInteger = true

  constructor(
    readonly key: string,
    readonly kind: Exclude<ColumnKind, 'text' | 'json'>,
    readonly field: Field,
  ) {}

  add(value: unknown) {
    const number = this.#read(value)
    this.#values.push(number)
    if (Number.isNaN(number)) {
      this.#empty += 1
      return
    }
    this.#min = Math.min(this.#min, number)
    this.#max = Math.max(this.#max, number)
    this.#isInteger &&= Number.isInteger(number) && Math.abs(number) < 2 ** 31 && !Object.is(number, -0)
  }

  /** NaN: no value. */
  #read(value: unknown): number {
    if (value === null || value === undefined || value === '') return NaN
    if (this.kind === 'boolean') return value === true ? 1 : value === false ? 0 : NaN
    if (this.kind === 'number') return Number(value)
    const instant = value instanceof Date ? value.getTime() : Date.parse(String(value))
    return this.kind === 'day' ? Math.floor(instant / dayLength) : instant
  }

  #truths(): Choice[] {
    const [yes, no] = [1, 0].map((truth) => this.#values.filter((value) => value === truth).length)
    return [
      { value: 'true', count: yes ?? 0 },
      { value: 'false', count: no ?? 0 },
    ]
  }

  get decodedBytes(): number {
    return this.#values.length * (this.#isInteger && this.kind !== 'instant' ? 4 : 8)
  }

  async store(store: StoreBlock): Promise<ColumnHead> {
    const kind = this.kind === 'number' && this.#isInteger ? 'integer' : this.kind
    const isSmall = kind === 'integer' || kind === 'day' || kind === 'boolean'
    const values = isSmall
      ? Int32Array.from(this.#values, (value) => (Number.isNaN(value) ? noInteger : value))
      : Float64Array.from(this.#values)
    const hasSome = this.#max >= this.#min
    return {
      key: this.key,
      kind,
      field: this.field,
      values: await store(planes(values)),
      width: isSmall ? 4 : 8,
      empty: this.#empty,
      ...(kind === 'boolean' && { choices: this.#truths() }),
      ...(hasSome && { min: wireValue(kind, this.#min), max: wireValue(kind, this.#max) }),
    }
  }
}

/** A number of a column in the format of the API. */
function wireValue(kind: ColumnKind, value: number): number | string {
  if (kind === 'day') return new Date(value * dayLength).toISOString().slice(0, 10)
  return kind === 'instant' ? new Date(value).toISOString() : value
}

/**
 * Transposes bytes: the first bytes of all values, then the second, …. Similar numbers give long runs, which
 * compress far better.
 */
function planes(values: Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array): Uint8Array {
  const width = values.BYTES_PER_ELEMENT
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const split = new Uint8Array(bytes.length)
  for (let plane = 0, to = 0; plane < width; plane += 1)
    for (let from = plane; from < bytes.length; from += width, to += 1) split[to] = bytes[from] ?? 0
  return split
}

function joinPlanes(split: Uint8Array, width: number): ArrayBuffer {
  const bytes = new Uint8Array(split.length)
  for (let plane = 0, from = 0; plane < width; plane += 1)
    for (let to = plane; to < bytes.length; to += width, from += 1) bytes[to] = split[from] ?? 0
  return bytes.buffer
}

const through = async (bytes: Uint8Array, stream: CompressionStream | DecompressionStream) => {
  const packed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
const deflate = (bytes: Uint8Array) => through(bytes, new CompressionStream('deflate-raw'))
const inflate = (bytes: Uint8Array) => through(bytes, new DecompressionStream('deflate-raw'))

/** A text column: 0 for no value, otherwise the number of the text, from 1. */
export interface TextValues {
  head: ColumnHead
  words: string[]
  at: Uint8Array | Uint16Array | Uint32Array
}

/** A column that was read. */
export type Column = TextValues | { head: ColumnHead; numbers: Int32Array | Float64Array }

/** Reads a part of a file. Fewer bytes only at its end. */
export type ReadPart = (offset: number, length: number) => Promise<Uint8Array>

/** A file whose columns can be read. */
export interface ColumnFile extends Head {
  /** Returns undefined for a key without a column. */
  read(key: string): Promise<Column | undefined>
  /** The ids of the records; a field may have that key as well. */
  readIds(): Promise<TextValues>
  /** Whether a point is in the area that is asked for; absent where none is, or its outline is not at hand. */
  isInside?: (lon: number, lat: number) => boolean
}

/**
 * Whether the places of all records are points of one column, so that the file alone tells which of them are in an area.
 */
export const hasOnlyPoints = ({ all, hidden, columns }: Head): boolean =>
  all === undefined &&
  hidden.length === 0 &&
  columns.filter(({ field: { type, items, schema } }) =>
    type === 'array'
      ? items !== undefined && items.type !== 'text'
      : type === 'point' || schema !== undefined,
  ).length === 1 &&
  columns.some(({ field }) => field.type === 'point')

const firstPart = 64 * 1024

/** Opens a file by its header. Throws for anything else. */
export async function openColumnFile(readPart: ReadPart): Promise<ColumnFile> {
  const start = await readPart(0, firstPart)
  const length = start.length > 8 ? new DataView(start.buffer, start.byteOffset).getUint32(4, true) : 0
  if (new TextDecoder().decode(start.subarray(0, 4)) !== magic || length === 0)
    throw new Error('This is no column file.')
  const inFirst = start.subarray(8, 8 + length)
  const text = inFirst.length === length ? inFirst : await readPart(8, length)
  const head = JSON.parse(new TextDecoder().decode(text)) as Head
  const blocks = 8 + length
  const readBlock = async ({ offset, bytes }: Block) => inflate(await readPart(blocks + offset, bytes))
  const readColumnValues = async (about: ColumnHead) => joinPlanes(await readBlock(about.values), about.width)
  const readTexts = async (about: ColumnHead): Promise<TextValues> => {
    const texts = about.words ? await readBlock(about.words) : new TextEncoder().encode('[]')
    const Numbers = about.width === 1 ? Uint8Array : about.width === 2 ? Uint16Array : Uint32Array
    const words = JSON.parse(new TextDecoder().decode(texts)) as string[]
    return { head: about, words, at: new Numbers(await readColumnValues(about)) }
  }
  const read = async (about: ColumnHead): Promise<Column> => {
    if (about.words) return readTexts(about)
    const values = await readColumnValues(about)
    return { head: about, numbers: about.width === 4 ? new Int32Array(values) : new Float64Array(values) }
  }
  return {
    ...head,
    async read(key) {
      const about = head.columns.find((column) => column.key === key)
      return about && read(about)
    },
    readIds: () => readTexts(head.id),
  }
}

/** Whether a record has no value in a column. */
export function isEmptyAt(column: Column, row: number): boolean {
  if ('at' in column) return column.at[row] === 0
  const value = column.numbers[row] ?? NaN
  return Number.isNaN(value) || (column.head.width === 4 && value === noInteger)
}

/** The value of a record in the format of the API; null where there is none. */
export function valueAt(column: Column, row: number): unknown {
  if (isEmptyAt(column, row)) return null
  const { kind } = column.head
  if ('at' in column) {
    const word = column.words[(column.at[row] ?? 0) - 1] ?? null
    return kind === 'json' && word !== null ? (JSON.parse(word) as unknown) : word
  }
  const value = column.numbers[row] ?? NaN
  return kind === 'boolean' ? value === 1 : wireValue(kind, value)
}
