import { ImmutableCache } from '#functions/platform/cache/immutable.ts'
import { columnFileKey, preparedFormats, stateName } from '#functions/engine/export/prepared/manifest.ts'
import {
  openColumnFile,
  type Column,
  type ColumnFile,
  type TextValues,
} from '#functions/engine/table/columnFile.ts'
import { recordHtml, tableHtml, type TableReading } from '#functions/engine/table/html.ts'
import { readTableState, writeTableState } from '#functions/engine/table/tableState.ts'
import { fileView, recordOf, type TablePlace } from '#functions/engine/table/view.ts'
import { exportFiles } from '#functions/shapes/exportFormat.ts'
import { languages } from '#functions/shapes/language/index.ts'
import type { Locale } from '#functions/engine/address/locales.ts'
import { lastPlaceState } from './place-state.ts'

/** A table, or one of its records, by its path without a language. */
export interface TableAddress {
  /** The path of the page of its source. */
  source: string
  sourceId: string
  /** Null: the table. */
  recordId: string | null
  /** What follows the path of the source. */
  rest: string
}

const tablePath = /^(\/domains\/[\w-]+\/source\/([\w-]{1,64}))(\/data(?:\/([^/]{1,800}))?)$/

/** What table a path is of; null for other paths. */
export function tableIn(path: string): TableAddress | null {
  const [, source, sourceId, rest, record] = tablePath.exec(path) ?? []
  if (source === undefined || sourceId === undefined || rest === undefined) return null
  try {
    return { source, sourceId, rest, recordId: record === undefined ? null : decodeURIComponent(record) }
  } catch {
    return null
  }
}

export interface TableServices {
  hubs: R2Bucket
  files: R2Bucket
  /** Where `/v1` is, with its host. */
  origin: string
}

/** What of a table goes into the stored page. */
export interface TableContent {
  status: number
  html: string
  title: string
  isWhole: boolean
}

/**
 * A table, or a record of it, from the file of its columns: without the database. Null where there is no such file: the records are too
 * many, or it is being made.
 */
export async function tableContent(
  { sourceId, recordId }: TableAddress,
  params: URLSearchParams,
  { name, path, placeId, locale }: { name: string; path: string; placeId: string; locale: Locale },
  { hubs, files, origin }: TableServices,
): Promise<TableContent | null> {
  const known = await lastPlaceState(hubs, placeId)
  const source = known && Object.hasOwn(known.sources, sourceId) ? known.sources[sourceId] : undefined
  const dataTypeVersion = source && known?.dataTypes[source.dataType]
  if (!known || !source || dataTypeVersion === undefined) return null
  const file = await fileOf(files, sourceId, stateName(source.version, dataTypeVersion, known.timeZone))
  if (!file) return null
  const words = languages[locale].edge
  const reading: TableReading = { locale, timeZone: known.timeZone, words }
  const choice = readTableState(params, file.columns)
  if (recordId === null) {
    const place: TablePlace = {
      name,
      path,
      api: `${origin}/v1/places/${placeId}/sources/${sourceId}`,
      formats: preparedFormats
        .filter((format) => format !== 'geojson' || file.hasShapes)
        .map((format) => exportFiles[format]),
      timeZone: known.timeZone,
    }
    return {
      status: choice.problems.length > 0 ? 400 : 200,
      html: tableHtml(await fileView(file, choice, place), reading),
      title: words.table.title.replace('{name}', () => name),
      isWhole: writeTableState(choice.state).toString() === '',
    }
  }
  const record = await recordOf(file, recordId)
  const fill = (text: string) => text.replace('{id}', () => recordId)
  if (!record) return { status: 404, html: '', title: fill(words.table.missing), isWhole: false }
  const html = recordHtml({ path, columns: file.columns, state: choice.state, record }, reading)
  return { status: 200, html, title: fill(words.table.recordOf), isWhole: false }
}

/** Files that were opened, by their key, and the columns of them that were read; together at most so many bytes as they are in memory. */
const opened = new ImmutableCache<ColumnFile>({ cost: 200, costOf: () => 1 })
const columns = new ImmutableCache<Column>({ cost: 20 * 1024 * 1024, costOf: bytesOf })
const idColumns = new ImmutableCache<TextValues>({ cost: 4 * 1024 * 1024, costOf: bytesOf })

const bytesOfWord = 24
function bytesOf(column: Column): number {
  if (!('at' in column)) return column.numbers.byteLength
  return column.words.reduce((all, { length }) => all + bytesOfWord + 2 * length, column.at.byteLength)
}

async function fileOf(files: R2Bucket, sourceId: string, state: string): Promise<ColumnFile | null> {
  const key = columnFileKey(sourceId, state)
  const file = await opened.read(key, async () => {
    // An empty file says that the records are too many for one.
    if (!(await files.head(key))?.size) return null
    return openColumnFile(async (offset, length) => {
      const part = await files.get(key, { range: { offset, length } })
      if (!part) throw new Error(`The columns of ${sourceId} are gone.`)
      return new Uint8Array(await part.arrayBuffer())
    })
  })
  if (!file) return null
  return {
    ...file,
    read: async (name) =>
      (await columns.read(`${key} ${name}`, async () => (await file.read(name)) ?? null)) ?? undefined,
    readIds: async () => (await idColumns.read(key, file.readIds)) ?? file.readIds(),
  }
}
