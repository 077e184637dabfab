import type { Batch } from '../row.ts'
import { InvalidValue } from './invalid-value.ts'
import { parquetType } from './parquet-types.ts'
import type { ReadLimits } from './caps.ts'
import { buildColumnNames } from './header.ts'
import { ColumnReader, ParquetBudget } from './parquet-column.ts'
import { openParquet, type ParquetColumn, type ParquetFile, type ParquetGroup } from './parquet-file.ts'
import { findGeoColumns, geoProjection, geometryIn, isWkb, wkbType } from './parquet-geo.ts'
import type { Ranges } from './ranges.ts'
import type { ParsedSource } from './reading.ts'
import { batches, Sink, type Fault } from './sink.ts'
import { openBinary } from './binary.ts'

/** Rows per step; fewer where columns have lists. */
const stride = 500
const nestedStride = 50

/**
 * Reads the rows of a Parquet file in order, by row group and by pages of each column. Geometry columns
 * (GeoParquet) are projected to longitude and latitude. When resuming, earlier row groups are not read.
 */
export function readParquet(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  const { caps, from } = reading
  async function* steps() {
    const ranges = await openBinary(reading)
    const file = await openParquet(ranges, caps)
    const table = buildTableColumns(file, caps, sink)
    const budget = new ParquetBudget(caps)
    for (const group of file.groups) {
      if (from && sink.count + group.rows <= from.rows) sink.count += group.rows
      else yield* readGroup(group, table, ranges, budget, sink)
    }
    if (!file.groups.length) sink.notice('info', 'The Parquet file has no rows.')
  }
  return batches(sink, steps())
}

/** A column of the table. */
interface TableColumn {
  name: string
  column: ParquetColumn
  /** The index of its first stored column among those of the file. */
  first: number
  types: ReturnType<typeof parquetType>[]
  /** Finishes a value: geometries are projected to longitude and latitude. */
  finish: (value: unknown) => unknown
}

function buildTableColumns(file: ParquetFile, caps: ReadLimits, sink: Sink): TableColumn[] {
  const geo = findGeoColumns(file, caps)
  const names = buildColumnNames(
    file.columns.map(({ tree }) => tree.element.name),
    sink,
    caps.columns,
  )
  let next = 0
  return file.columns.flatMap((column, i): TableColumn[] => {
    const name = names[i] as string
    const first = next
    next += column.leaves.length
    const { element } = column.tree
    if (geo.boxes.has(element.name)) {
      sink.notice('info', `The column ${name} has the box of each geometry and is left out.`)
      return []
    }
    if (element.logical_type?.type === 'VARIANT') {
      sink.notice(
        'warn',
        `The column ${name} has values of any type (variant), which is not read: it is left out.`,
      )
      return []
    }
    const lost = () =>
      sink.notice('warn', `The column ${name} holds bytes that are no text: they are left out.`)
    const own = geo.columns.get(element.name)
    const types = column.leaves.map(({ element }) =>
      own && isWkb(own, element) ? wkbType(caps) : parquetType(element, caps, lost),
    )
    if (!own)
      return [{ name, column, first, types, finish: column.tree.children.length ? toPlainJson : asItIs }]
    const { projection, words } = geoProjection(name, own)
    if (words) sink.notice('info', words)
    return [
      { name, column, first, types, finish: (value) => geometryIn(value, own, projection, sink.isLoose) },
    ]
  })
}

const asItIs = (value: unknown) => value ?? null

/** Lists and groups as JSON: missing values are null. An invalid nested value rejects the row. */
function toPlainJson(value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (typeof value !== 'object' || value instanceof InvalidValue) return value
  if (Array.isArray(value)) {
    const list = value.map(toPlainJson)
    return list.find((each) => each instanceof InvalidValue) ?? list
  }
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, toPlainJson(each)])
  return entries.find(([, each]) => each instanceof InvalidValue)?.[1] ?? Object.fromEntries(entries)
}

async function* readGroup(
  group: ParquetGroup,
  table: TableColumn[],
  ranges: Ranges,
  budget: ParquetBudget,
  sink: Sink,
) {
  const readers = table.map(({ column, first, types }) => {
    const chunks = group.chunks.slice(first, first + column.leaves.length)
    return new ColumnReader(column, chunks, types, ranges, budget)
  })
  const most = table.some(({ column }) => column.tree.children.length) ? nestedStride : stride
  for (let remaining = group.rows; remaining > 0;) {
    const rows = Math.min(remaining, most)
    const columns: ArrayLike<unknown>[] = []
    for (const reader of readers) columns.push(await reader.readRows(rows))
    for (let i = 0; i < rows; i++) addRow(table, columns, i, sink)
    remaining -= rows
    yield
  }
  for (const reader of readers) reader.close()
}

function addRow(table: TableColumn[], columns: ArrayLike<unknown>[], i: number, sink: Sink) {
  const row: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [n, { name, finish }] of table.entries()) {
    const value = finish(columns[n]?.[i])
    if (value instanceof InvalidValue)
      faults.push({
        field: name,
        message: value.message,
        ...(value.value !== undefined && { value: value.value }),
      })
    else row[name] = value
  }
  if (faults.length) sink.reject(faults)
  else sink.row(row)
}
