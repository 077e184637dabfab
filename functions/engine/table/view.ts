import { valueAt, type ColumnFile } from './columnFile.ts'
import type { TableView, ViewColumn, ViewRecord } from './html.ts'
import { selectRows } from './select.ts'
import { questionOf } from './tableQuery.ts'
import { writeTableState, type StateProblem, type TableState } from './tableState.ts'

/** Records on a page. */
export const tablePageSize = 50

/** Where a table is, and where its records are asked for. */
export interface TablePlace {
  name: string
  /** The address of the table on its hub. */
  path: string
  /** The address of the source in `/v1`, with its host. */
  api: string
  formats: { label: string; extension: string }[]
  timeZone: string
}

/** What is chosen of a file of columns, as it is shown. Reads the columns that are asked for and shown, and no others. */
export async function fileView(
  file: ColumnFile,
  { state, problems }: { state: TableState; problems: StateProblem[] },
  place: TablePlace,
): Promise<TableView> {
  const { rows, total, before } = await selectRows(file, state, {
    timeZone: place.timeZone,
    pageSize: tablePageSize,
  })
  const shown = file.columns.filter(({ key }) => state.columns === null || state.columns.includes(key))
  const records = await recordsAt(file, shown, rows)
  const turned = (change: Partial<TableState>) =>
    writeTableState({ ...state, after: null, before: null, ...change })
  const isFirst = before <= tablePageSize
  return {
    ...viewOf(file.columns, { state, problems }, place),
    records,
    total,
    before,
    previous: before === 0 ? null : turned(isFirst ? {} : { before: records[0]?.id ?? null }),
    next: before + rows.length < total ? turned({ after: records.at(-1)?.id ?? null }) : null,
  }
}

/** What a table has whatever its records are. */
export function viewOf(
  columns: ViewColumn[],
  { state, problems }: { state: TableState; problems: StateProblem[] },
  { name, path, api, formats, timeZone }: TablePlace,
): Pick<TableView, 'name' | 'path' | 'columns' | 'state' | 'problems' | 'files' | 'request'> {
  const question = questionOf(state, columns, timeZone)
  const text = question.toString()
  const files = formats.map(({ label, extension }) => ({
    label,
    href: `${new URL(api).pathname}/export.${extension}${text ? `?${text}` : ''}`,
  }))
  const listed = new URLSearchParams([...question].filter(([key]) => key !== 'fields'))
  listed.set('limit', '100')
  return { name, path, columns, state, problems, files, request: `curl '${api}/data?${listed.toString()}'` }
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
