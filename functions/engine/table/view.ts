import { valueAt, type ColumnFile } from './column-file.ts'
import type { TableView, ViewRecord } from './html.ts'
import { selectRows } from './select.ts'
import { toQueryParams } from './table-query.ts'
import { firstPage, writeTableState, type StateProblem, type TableState } from './table-state.ts'

/** Records on a page. */
export const tablePageSize = 50

/** The path of a table, and that of its API. */
export interface TablePlace {
  name: string
  /** The address of the table on its hub. */
  path: string
  /** The address of the source in `/v1`, with its host. */
  api: string
  formats: TableFormat[]
  timeZone: string
}

/** A download format. `bytes`: the size of the prepared file with all records; null without one. */
interface TableFormat {
  label: string
  extension: string
  bytes: number | null
}

/**
 * The view of a column file for a state. Reads only the columns that are used or shown. A file with the first records of
 * a source shows these and the total number: the caller must have checked that nothing is filtered.
 */
export async function fileView(
  file: ColumnFile,
  { state, problems }: { state: TableState; problems: StateProblem[] },
  place: TablePlace,
): Promise<TableView> {
  const { rows, total, before } = await selectRows(file, state, {
    timeZone: place.timeZone,
    pageSize: tablePageSize,
  })
  const columns = file.columns.filter(({ key }) => state.columns === null || state.columns.includes(key))
  const records = await recordsAt(file, columns, rows)
  const buildChangedState = (change: Partial<TableState>) =>
    writeTableState({ ...state, ...firstPage, ...change })
  const isFirst = before <= tablePageSize
  return {
    ...buildTableView(file, { state, problems }, place, file.all ?? total),
    records,
    total: file.all ?? total,
    before,
    previous: before === 0 ? null : buildChangedState(isFirst ? {} : { before: records[0]?.id ?? null }),
    next:
      before + rows.length < (file.all ?? total)
        ? buildChangedState({ after: records.at(-1)?.id ?? null })
        : null,
  }
}

/**
 * The parts of a view that do not depend on its records. `total`: the number of selected records, from which file sizes
 * are estimated; null: unknown.
 */
export function buildTableView(
  { columns, rows, all }: Pick<ColumnFile, 'columns' | 'rows' | 'all'>,
  { state, problems }: { state: TableState; problems: StateProblem[] },
  { name, path, api, formats, timeZone }: TablePlace,
  total: number | null,
): Pick<TableView, 'name' | 'path' | 'columns' | 'state' | 'problems' | 'files' | 'request' | 'hasCharts'> {
  const question = toQueryParams(state, columns, timeZone)
  const text = question.toString()
  // The prepared file is used where nothing is filtered; the size for a subset of columns is unknown.
  const estimateSize = (bytes: number) => {
    if (text === '') return { bytes, isEstimate: false }
    const records = all ?? rows
    // The size of a file with few records is mostly its header.
    if (!total || state.columns !== null || records === 0) return null
    return { bytes: Math.round((bytes * total) / records), isEstimate: true }
  }
  const files = formats.map(({ label, extension, bytes }) => ({
    label,
    href: `${new URL(api).pathname}/export.${extension}${text ? `?${text}` : ''}`,
    size: bytes === null ? null : estimateSize(bytes),
  }))
  const listParams = new URLSearchParams([...question].filter(([key]) => key !== 'fields'))
  listParams.set('limit', '100')
  const request = `curl '${api}/data?${listParams.toString()}'`
  return { name, path, columns, state, problems, files, request, hasCharts: all === undefined }
}

/** The record with an id, with all columns; null where there is none. */
export async function findRecord(file: ColumnFile, id: string): Promise<ViewRecord | null> {
  const ids = await file.readIds()
  const number = ids.words.indexOf(id) + 1
  const row = number === 0 ? -1 : ids.at.indexOf(number)
  return row < 0 ? null : ((await recordsAt(file, file.columns, [row]))[0] ?? null)
}

async function recordsAt(
  file: ColumnFile,
  columns: readonly { key: string }[],
  rows: number[],
): Promise<ViewRecord[]> {
  const ids = await file.readIds()
  const records = rows.map((row): ViewRecord => ({ id: String(valueAt(ids, row)), data: {} }))
  for (const { key } of columns) {
    const column = await file.read(key)
    if (column)
      rows.forEach((row, i) => Object.assign(records[i]?.data ?? {}, { [key]: valueAt(column, row) }))
  }
  return records
}
