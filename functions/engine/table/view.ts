import { valueAt, type ColumnFile } from './columnFile.ts'
import type { TableView, ViewRecord } from './html.ts'
import { selectRows } from './select.ts'
import { questionOf } from './tableQuery.ts'
import { firstPage, writeTableState, type StateProblem, type TableState } from './tableState.ts'

/** Records on a page. */
export const tablePageSize = 50

/** Where a table is, and where its records are asked for. */
export interface TablePlace {
  name: string
  /** The address of the table on its hub. */
  path: string
  /** The address of the source in `/v1`, with its host. */
  api: string
  formats: TableFormat[]
  timeZone: string
}

/** A format that records are given in. `bytes`: of the prepared file with all of them; null without one. */
export interface TableFormat {
  label: string
  extension: string
  bytes: number | null
}

/**
 * What is chosen of a file of columns, as it is shown. Reads the columns that are asked for and shown, and no others. Of a file that has
 * the first records of a source only these, and how many there are in all: whoever asks has made sure that nothing is chosen.
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
  const changedState = (change: Partial<TableState>) => writeTableState({ ...state, ...firstPage, ...change })
  const isFirst = before <= tablePageSize
  return {
    ...viewOf(file, { state, problems }, place, file.all ?? total),
    records,
    total: file.all ?? total,
    before,
    previous: before === 0 ? null : changedState(isFirst ? {} : { before: records[0]?.id ?? null }),
    next:
      before + rows.length < (file.all ?? total) ? changedState({ after: records.at(-1)?.id ?? null }) : null,
  }
}

/**
 * What a table has whatever its records are. `total`: how many records are chosen, by which the size of a file is about known; null: nobody
 * counted.
 */
export function viewOf(
  { columns, rows, all }: Pick<ColumnFile, 'columns' | 'rows' | 'all'>,
  { state, problems }: { state: TableState; problems: StateProblem[] },
  { name, path, api, formats, timeZone }: TablePlace,
  total: number | null,
): Pick<TableView, 'name' | 'path' | 'columns' | 'state' | 'problems' | 'files' | 'request' | 'hasCharts'> {
  const question = questionOf(state, columns, timeZone)
  const text = question.toString()
  // The prepared file is what is given where nothing is asked; how wide some of the columns are nobody knows.
  const sizeOf = (bytes: number) => {
    if (text === '') return { bytes, isEstimate: false }
    const records = all ?? rows
    // Of few records a file is mostly what every file has.
    if (!total || state.columns !== null || records === 0) return null
    return { bytes: Math.round((bytes * total) / records), isEstimate: true }
  }
  const files = formats.map(({ label, extension, bytes }) => ({
    label,
    href: `${new URL(api).pathname}/export.${extension}${text ? `?${text}` : ''}`,
    size: bytes === null ? null : sizeOf(bytes),
  }))
  const listed = new URLSearchParams([...question].filter(([key]) => key !== 'fields'))
  listed.set('limit', '100')
  const request = `curl '${api}/data?${listed.toString()}'`
  return { name, path, columns, state, problems, files, request, hasCharts: all === undefined }
}

/** The record of an id, with all columns; null where there is none. */
export async function recordOf(file: ColumnFile, id: string): Promise<ViewRecord | null> {
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
