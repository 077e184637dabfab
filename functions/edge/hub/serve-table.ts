import { findManifest } from '#functions/edge/files/manifests.ts'
import { ImmutableCache } from '#functions/platform/cache/immutable.ts'
import type { Geometry } from 'geojson'
import { columnFileKey, preparedFormats, stateName } from '#functions/engine/export/prepared/manifest.ts'
import {
  hasOnlyPoints,
  openColumnFile,
  type Column,
  type ColumnFile,
  type TextValues,
} from '#functions/engine/table/column-file.ts'
import {
  recordHtml,
  renderRejection,
  tableHtml,
  type TableReading,
  type TableView,
  type ViewRecord,
} from '#functions/engine/table/html.ts'
import {
  readTableState,
  readWithin,
  writeTableState,
  type TableState,
} from '#functions/engine/table/table-state.ts'
import { fileView, findRecord, buildTableView, type TablePlace } from '#functions/engine/table/view.ts'
import { exportFiles } from '#functions/shapes/export-format.ts'
import { escapeHtml } from '#functions/shapes/html-text.ts'
import type { EdgeTexts } from '#functions/shapes/language/edge.ts'
import { languages } from '#functions/shapes/language/index.ts'
import type { Locale } from '#functions/engine/address/locales.ts'
import { askPage, askRecord, isInFile, type AskApi } from './api-table.ts'
import { readLastPlaceState } from './place-state.ts'
import { chooseWithin, createAreaTest } from './table-within.ts'
import { pointsExtent } from '#functions/engine/table/select.ts'

/** The path of a table or one of its records, without a language. */
interface TableAddress {
  /** The path of the source's page. */
  source: string
  sourceId: string
  /** Null for the table. */
  recordId: string | null
  /** The rest of the path after that of the source. */
  rest: string
}

const tablePath = /^(\/domains\/[\w-]+\/source\/([\w-]{1,64}))(\/data(?:\/([^/]{1,800}))?)$/

/** Parses the path of a table or record; null for other paths. */
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
  /** The bucket of boundaries, for the map of a record. */
  tiles: R2Bucket
  /** The basemap archive in the operator's settings. */
  basemap?: string | undefined
  /** The origin of `/v1`. */
  origin: string
  /** Requests `/v1`, for sources that are too large for a complete column file. */
  ask: AskApi
}

/** The content of a table, for the stored page. */
export interface TableContent {
  status: number
  html: string
  title: string
  isWhole: boolean
  /** Headers with the date of the data, or when to retry. */
  headers?: Record<string, string>
}

/**
 * A table, or one of its records, from the source's column file, without the database. For a source that is
 * too large, the file has the first pages; other pages and filters are requested from `/v1`, and its errors
 * are shown. Null where there is no file: it is being prepared, or the records are too long.
 */
export async function tableContent(
  { sourceId, recordId }: TableAddress,
  params: URLSearchParams,
  { name, path, placeId, locale }: { name: string; path: string; placeId: string; locale: Locale },
  { hubs, files, origin, ask, ...land }: TableServices,
): Promise<TableContent | null> {
  const placeState = await readLastPlaceState(hubs, placeId)
  const source =
    placeState && Object.hasOwn(placeState.sources, sourceId) ? placeState.sources[sourceId] : undefined
  const dataTypeVersion = source && placeState?.dataTypes[source.dataType]
  if (!placeState || !source || dataTypeVersion === undefined) return null
  const state = stateName(source.version, dataTypeVersion, placeState.timeZone)
  const file = await findColumnFile(files, sourceId, state)
  if (!file) return null
  const words = languages[locale].edge
  const reading: TableReading = { locale, timeZone: placeState.timeZone, words }
  const choice = readTableState(params, file.columns)
  const question = { api: `/v1/places/${placeId}/sources/${sourceId}`, timeZone: placeState.timeZone }
  if (recordId === null) {
    const sizes = (await findManifest(files, sourceId, state))?.files ?? {}
    const place: TablePlace = {
      name,
      path,
      api: origin + question.api,
      formats: preparedFormats
        .filter((format) => format !== 'geojson' || file.hasShapes)
        .map((format) => ({ ...exportFiles[format], bytes: sizes[format]?.bytes ?? null })),
      timeZone: placeState.timeZone,
    }
    const within = file.hasShapes
      ? await chooseWithin(params, {
          ...{ tiles: land.tiles, placeState, locale, words },
          extent: asksForArea(params) && hasOnlyPoints(file) ? await pointsExtent(file) : null,
        })
      : null
    choice.state.within = within?.within ?? null
    if (choice.state.within && hasOnlyPoints(file)) {
      const isInside = await createAreaTest(choice.state.within, { tiles: land.tiles, placeState })
      if (isInside) file.isInside = isInside
    }
    const page = (await isInFile(file, choice.state))
      ? null
      : await askPage(file, choice.state, question, ask)
    const view = page
      ? { ...buildTableView(file, choice, place, page.total), ...page, hasCharts: false }
      : await fileView(file, choice, place)
    const isFaulty = choice.problems.length > 0 || Boolean(within?.view.problem)
    const chart = page ? null : await chartIn(file, choice.state, reading)
    return {
      status: page && page.status !== 200 ? page.status : isFaulty ? 400 : 200,
      html: tableHtml({ ...view, chart, within: within?.view }, reading),
      title: words.table.title.replace('{name}', () => name),
      isWhole: !isFaulty && !params.has('set') && writeTableState(choice.state).toString() === '',
      ...(page && { headers: page.headers }),
    }
  }
  const fill = (text: string) => text.replace('{id}', () => recordId)
  const inFile = await findRecord(file, recordId)
  const content =
    inFile || file.all === undefined ? inFile && { record: inFile } : await askRecord(recordId, question, ask)
  if (content && 'refused' in content) {
    const html = renderRejection(path, content.refused, reading)
    return { status: content.status, html, title: fill(words.table.recordTitle), isWhole: false }
  }
  const record = content?.record
  if (!record) return { status: 404, html: '', title: fill(words.table.missing), isWhole: false }
  const map = await renderMap(file, record, {
    ask: () => askRecord(recordId, question, ask),
    ...{ land, words, locale },
  })
  const report = `${path.replace(/\/data$/, '/report')}?record=${encodeURIComponent(recordId)}`
  const html = `${recordHtml({ path, columns: file.columns, state: choice.state, record, map }, reading)}<p><a href="${escapeHtml(report)}" rel="nofollow">${escapeHtml(languages[locale].trust.reportError)}</a></p>`
  return { status: 200, html, title: fill(words.table.recordTitle), isWhole: false }
}

const asksForArea = (params: URLSearchParams) => Object.values(readWithin(params)).some(Boolean)

/**
 * The chart that the address requests, where all records are in the column file; null without one. The
 * charting code is loaded only then.
 */
async function chartIn(
  file: ColumnFile,
  state: TableState,
  { locale, timeZone, words: { table } }: TableReading,
): Promise<TableView['chart']> {
  const field = file.columns.find(({ key }) => key === state.chart)?.field
  if (!field || state.chart === null || file.all !== undefined) return null
  const [{ stateChart }, { chartSpec }, { chartSvg }, { chartSentence }, { chartWidths }] = await Promise.all(
    [
      import('#functions/engine/table/state-chart.ts'),
      import('#functions/engine/chart/spec.ts'),
      import('#functions/engine/chart/svg.ts'),
      import('#functions/engine/chart/sentence.ts'),
      import('#functions/engine/chart/frame.ts'),
    ],
  )
  const title = table.chartTitle.replace('{name}', () => field.name)
  const how = { timeZone, locale, title, measured: table.counted }
  const input = await stateChart(file, state, state.chart, how)
  if (!input) return null
  const sentence = chartSentence(input)
  const draw = async (width: number, id: string) => {
    const spec = chartSpec({ ...input, width })
    return spec ? chartSvg(spec, { id, title, description: sentence }) : ''
  }
  const [wide, narrow] = await Promise.all([
    draw(chartWidths.wide, 'chart-wide'),
    draw(chartWidths.narrow, 'chart-narrow'),
  ])
  return wide === '' ? null : { wide, narrow, sentence }
}

/**
 * The map of a record, from its point; lines and areas, which are not in columns, are requested from `/v1`.
 * Null without a geometry, and where the request fails.
 */
async function renderMap(
  { columns, hidden }: ColumnFile,
  { data, geometry }: ViewRecord,
  {
    ask,
    land,
    words,
    locale,
  }: {
    ask: () => ReturnType<typeof askRecord>
    land: Pick<TableServices, 'tiles' | 'basemap'>
    words: EdgeTexts
    locale: Locale
  },
): Promise<string | null> {
  const point = columns.find(({ key, field }) => field.type === 'point' && data[key])
  const recordGeometry = geometry ?? (point ? (data[point.key] as Geometry) : null)
  const question = recordGeometry || hidden.length === 0 ? null : await ask()
  const place = recordGeometry ?? (question && 'record' in question ? question.record.geometry : null)
  if (!place) return null
  const { recordMap } = await import('./record-map.ts')
  return recordMap(land, place, { label: words.table.place, locale })
}

/** Opened column files by key, and columns read from them, limited by their size in memory. */
const openFiles = new ImmutableCache<ColumnFile>({ cost: 200, estimateCost: () => 1 })
const columns = new ImmutableCache<Column>({ cost: 20 * 1024 * 1024, estimateCost: countBytes })
const idColumns = new ImmutableCache<TextValues>({ cost: 4 * 1024 * 1024, estimateCost: countBytes })

const bytesOfWord = 24
function countBytes(column: Column): number {
  if (!('at' in column)) return column.numbers.byteLength
  return column.words.reduce((all, { length }) => all + bytesOfWord + 2 * length, column.at.byteLength)
}

async function findColumnFile(files: R2Bucket, sourceId: string, state: string): Promise<ColumnFile | null> {
  const key = columnFileKey(sourceId, state)
  const file = await openFiles.read(key, async () => {
    // An empty file means that the records do not fit into one.
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
