import type { ColumnMetaData, FileMetaData, SchemaElement, SchemaTree } from 'hyparquet'
import { parquetMetadata, parquetSchema } from 'hyparquet/src/metadata.js'
import { UnreadableError } from '../row.ts'
import { formatByteCount, type ReadLimits } from './caps.ts'
import { parquetCodecs } from './parquet-codecs.ts'
import type { Ranges } from './ranges.ts'
import { endOfThrift } from './thrift.ts'

/** The maximal nesting of columns. */
const deepest = 30

/** A stored column: values of one type, with their levels in lists and groups. */
export interface ParquetLeaf {
  /** From the root of the schema to itself. */
  path: SchemaTree[]
  element: SchemaElement
}

/** A column of the table, with its stored columns: itself, or the parts of a list, map or group. */
export interface ParquetColumn {
  tree: SchemaTree
  leaves: ParquetLeaf[]
}

/** The location of a stored column in a row group. */
export interface ParquetChunk {
  codec: string
  from: number
  to: number
}

/** Rows that were written together. `chunks`: of all stored columns, in their order. */
export interface ParquetGroup {
  rows: number
  chunks: ParquetChunk[]
}

export interface ParquetFile {
  columns: ParquetColumn[]
  groups: ParquetGroup[]
  /** The key-value metadata of the file. */
  words: Map<string, string>
}

export const damagedParquet = (problem: string) =>
  new UnreadableError(`The Parquet file is damaged: ${problem}.`)

/** Opens a file by its footer: its columns and their locations. Everything is validated against the file. */
export async function openParquet(ranges: Ranges, caps: ReadLimits): Promise<ParquetFile> {
  const cutOff = new UnreadableError('The Parquet file is cut off: it has no footer at its end.')
  if (ranges.size < 12) throw cutOff
  const tail = await ranges.read(ranges.size - 8, ranges.size)
  const mark = new TextDecoder('latin1').decode(tail.subarray(4))
  if (mark === 'PARE') throw locked
  if (mark !== 'PAR1') throw cutOff
  const length = new DataView(tail.buffer, tail.byteOffset, 8).getUint32(0, true)
  if (length > ranges.size - 12) throw damagedParquet('its footer would be longer than the file')
  if (length > caps.row) throw new UnreadableError(`The footer is larger than ${formatByteCount(caps.row)}.`)
  const footer = await ranges.read(ranges.size - 8 - length, ranges.size)
  const metadata = parseMetadata(footer, caps)
  const columns = buildColumns(metadata, caps)
  const leaves = columns.reduce((sum, { leaves: { length } }) => sum + length, 0)
  const groups = metadata.row_groups.map((group, i): ParquetGroup => {
    if (group.columns.length !== leaves)
      throw damagedParquet(`row group ${i + 1} has not as many columns as the file`)
    const chunks = group.columns.map(({ file_path, meta_data, crypto_metadata }) => {
      if (file_path) throw new UnreadableError('The rows lie in other files, which were not given.')
      if (crypto_metadata || !meta_data) throw locked
      return toChunk(meta_data, ranges.size)
    })
    return { rows: toWholeNumber(group.num_rows, 'a number of rows'), chunks }
  })
  const words = new Map(
    (metadata.key_value_metadata ?? []).map(({ key, value }): [string, string] => [key, value ?? '']),
  )
  return { columns, groups, words }
}

const locked = new UnreadableError('The Parquet file is encrypted: write it without a key.')

function parseMetadata(footer: Uint8Array, caps: ReadLimits): FileMetaData {
  const end = endOfThrift(footer, 0, caps.members)
  if (end === null)
    throw new UnreadableError(`The footer lists more than ${caps.members} things: write fewer row groups.`)
  if (typeof end !== 'number' || end > footer.length - 8) throw damagedParquet('its footer cannot be read')
  try {
    return parquetMetadata(footer, { geoparquet: false })
  } catch {
    throw damagedParquet('its footer cannot be read')
  }
}

/** The columns, after checking that their list is a tree of limited depth. */
function buildColumns({ schema, ...rest }: FileMetaData, caps: ReadLimits): ParquetColumn[] {
  const open: number[] = []
  for (const [i, element] of schema.entries()) {
    while (open.at(-1) === 0) open.pop()
    if (i > 0 && open.length === 0) throw damagedParquet('its columns make no tree')
    if (open.length > 0) open.push((open.pop() ?? 0) - 1)
    if (element.num_children) open.push(element.num_children)
    else if (i > 0 && !element.type) throw damagedParquet('a column has no type')
    if (open.length > deepest)
      throw new UnreadableError(`Columns lie more than ${deepest} deep in each other.`)
  }
  if (open.some((count) => count > 0)) throw damagedParquet('columns of its list are missing')
  if (schema.length < 2) throw new UnreadableError('The Parquet file has no columns.')
  if (schema.length > caps.columns)
    throw new UnreadableError(`The file has ${schema.length - 1} columns: at most ${caps.columns} are read.`)
  const elements = schema.map((element) => ({
    ...element,
    // Newer files may have only this type.
    ...(element.logical_type?.type === 'LIST' && { converted_type: 'LIST' as const }),
    ...(element.logical_type?.type === 'MAP' && { converted_type: 'MAP' as const }),
  }))
  const root = parquetSchema({ ...rest, schema: elements })
  return root.children.map((tree): ParquetColumn => {
    const leaves = collectLeaves(tree, [root])
    const paths = leaves.map(({ path }) => path.slice(1).map(({ element }) => element.name))
    if (leaves.length > 1 && new Set(paths.map((path) => path.join('.'))).size < paths.length)
      throw damagedParquet(`two parts of the column ${tree.element.name} have one name`)
    if (paths.some((path) => path.slice(1).includes('__proto__')))
      throw new UnreadableError(
        `A part of the column ${tree.element.name} has a name that no field can have.`,
      )
    return { tree, leaves }
  })
}

function collectLeaves(tree: SchemaTree, above: SchemaTree[]): ParquetLeaf[] {
  const path = [...above, tree]
  if (tree.children.length === 0) return [{ path, element: tree.element }]
  return tree.children.flatMap((child) => collectLeaves(child, path))
}

function toChunk(meta: ColumnMetaData, size: number): ParquetChunk {
  const name = meta.path_in_schema.join('.').slice(0, 100)
  const data = toWholeNumber(meta.data_page_offset, 'a place')
  const dictionary = meta.dictionary_page_offset ? toWholeNumber(meta.dictionary_page_offset, 'a place') : 0
  // Some writers omit the offset of a column without values.
  const from = dictionary > 0 && (data === 0 || dictionary < data) ? dictionary : data
  const to = from + toWholeNumber(meta.total_compressed_size, 'a length')
  if ((from < 4 && to > from) || to > size)
    throw damagedParquet(`the column ${name} would lie outside of the file`)
  if (!parquetCodecs.has(meta.codec))
    throw new UnreadableError(
      `The column ${name} is packed with ${meta.codec}, which is not read here: write the file with Snappy, gzip, Zstandard, LZ4 or without compression.`,
    )
  return { codec: meta.codec, from, to }
}

function toWholeNumber(value: bigint, subject: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number) || number < 0) throw damagedParquet(`${subject} in it is none`)
  return number
}
