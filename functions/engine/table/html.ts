import type { Geometry } from 'geojson'
import { escapeHtml } from '#functions/shapes/html-text.ts'
import { formatValue, axisTitle } from '#functions/engine/chart/format.ts'
import { recordDecimals } from '#functions/engine/chart/measure.ts'
import type { Field } from '#functions/shapes/field.ts'
import type { EdgeTexts, TableTexts } from '#functions/shapes/language/edge.ts'
import { formatBytes } from '#functions/shapes/format-bytes.ts'
import { formatTag, type Locale } from '#functions/shapes/locale.ts'
import { plural } from '#functions/shapes/plural.ts'
import type { Choice, ColumnKind } from './column-file.ts'
import { recordTable, type RecordTable } from './record-table.ts'
import { renderWithinChoice, formatWithin, withSet, type WithinView } from './within-html.ts'
import {
  firstPage,
  isSortable,
  writeTableState,
  type StateProblem,
  type TableFilter,
  type TableState,
} from './table-state.ts'

/** A column before its values are read. */
interface ViewColumn {
  key: string
  kind: ColumnKind
  field: Field
  empty?: number
  choices?: Choice[]
  /** The number of distinct values; absent: as many as there are choices. */
  distinct?: number
  min?: number | string
  max?: number | string
}

export interface ViewRecord {
  id: string
  data: Record<string, unknown>
  /** Its location; only for a record that was requested by itself. */
  geometry?: Geometry | null
}

/** A table page: its records, and what they were selected by. */
export interface TableView {
  /** The name of the source. */
  name: string
  /** The path of the table without its state. */
  path: string
  columns: ViewColumn[]
  state: TableState
  problems: StateProblem[]
  records: ViewRecord[]
  /** The number of matching records, and of those before the first shown one; null where that was not counted. */
  total: number | null
  before: number | null
  /** The total is an estimate. */
  isEstimate?: boolean
  /** The parameters of the previous and next page, or of the first one where the previous is unknown; null: none. */
  previous: URLSearchParams | null
  next: URLSearchParams | null
  first?: URLSearchParams | null
  /**
   * A chart of the records by the values of a column: a drawing for wide and for narrow screens, and a sentence. Null:
   * none is selected.
   */
  chart?: { wide: string; narrow: string; sentence: string } | null
  /** The choice of an area; absent where the records have no place. */
  within?: WithinView | undefined
  /** Whether a chart can be chosen. */
  hasCharts: boolean
  /** Why no records are shown; absent: they are. */
  rejection?: keyof TableTexts['refused']
  /** Downloads of these records, and the URL for programs. */
  files: TableFile[]
  request: string
}

/** A download of the selected records. `size`: in bytes; null: unknown. */
interface TableFile {
  label: string
  href: string
  size: { bytes: number; isEstimate: boolean } | null
}

/** The locale, time zone and texts by which values are formatted. */
export interface TableReading {
  locale: Locale
  timeZone: string
  words: EdgeTexts
}

/**
 * The number of texts offered in the lists of all columns together, and the minimum of one list; others are found by
 * search. With this limit a table of twenty columns fits into one round trip.
 */
const maxOptions = 120
const minOptions = 10

/** The number of texts in each list: with few lists all that there are. */
function optionsEach(columns: ViewColumn[]): number {
  const lists = columns.filter(({ kind, choices = [] }) => kind === 'text' && choices.length > 0).length
  return Math.max(minOptions, Math.floor(maxOptions / Math.max(1, lists)))
}

const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)

/** The table with all that it is chosen by, as HTML. Every text of the data is escaped here. */
export function tableHtml(view: TableView, reading: TableReading): string {
  const { words } = reading
  const { table } = words
  const columns = getVisibleColumns(view)
  const schema = Object.fromEntries(columns.map(({ key, field }) => [key, field]))
  const texts = recordTable(schema, view.records, reading)
  const pages = renderPageLinks(view, words)
  return `${renderProblems(view, table)}${renderForm(view, reading)}${renderActiveFilters(view, reading)}
<p class="table-count" role="status">${escapeHtml(formatRecordCount(view, reading))}</p>${renderChart(view, reading)}
${
  view.rejection
    ? renderRejection(view.path, view.rejection, reading)
    : view.records.length === 0
      ? `<p class="table-empty">${escapeHtml(table.noRecord)}</p>`
      : `<div class="table-box" tabindex="0" role="region" aria-label="${escapeHtml(fill(table.title, { name: view.name }))}"><table>
<thead><tr>${columns.map((column, i) => renderHeaderCell(view, column, texts.columns[i]?.isNumber, reading)).join('')}</tr></thead>
<tbody>${renderRows(view, texts, reading)}</tbody></table></div>`
}${pages ? `<nav class="search-pages" aria-label="${escapeHtml(table.pages)}"><ul>${pages}</ul></nav>` : ''}
<section class="table-take"><h2>${escapeHtml(table.download)}</h2>${renderDownloads(view, reading)}<h2>${escapeHtml(table.api)}</h2><pre tabindex="0"><code>${escapeHtml(view.request)}</code></pre></section>`
}

/** The downloads of the selected records, with their number and size as far as known. */
function renderDownloads(view: TableView, { locale, words: { table } }: TableReading): string {
  const { total, isEstimate } = view
  const rows =
    total === null ? '' : plural(isEstimate ? table.about : table.records, total, formatTag(locale))
  const items = view.files.map(({ label, href, size }) => {
    const bytes = size && formatBytes(size.bytes, formatTag(locale))
    const text = bytes === null || !size?.isEstimate ? bytes : fill(table.aboutSize, { size: bytes })
    return `<li><a href="${escapeHtml(href)}" rel="nofollow">${escapeHtml(label)}</a>${text ? ` <span class="muted">${escapeHtml(text)}</span>` : ''}</li>`
  })
  return `${rows ? `<p class="table-rows">${escapeHtml(rows)}</p>` : ''}<ul class="table-files">${items.join('')}</ul>`
}

/** Why records are not shown, with the way to those that are always there. */
export function renderRejection(
  path: string,
  reason: NonNullable<TableView['rejection']>,
  { words: { table } }: TableReading,
): string {
  return `<p class="table-refused">${escapeHtml(table.refused[reason])} <a href="${escapeHtml(path)}">${escapeHtml(table.first)}</a></p>`
}

/** A record page. `map`: its location as SVG; null without one. */
type RecordView = Pick<TableView, 'path' | 'columns' | 'state'> & {
  record: ViewRecord
  map: string | null
}

/** One record with its place and all its fields, as HTML. */
export function recordHtml(
  { path, columns, state, record, map }: RecordView,
  { locale, timeZone, words }: TableReading,
): string {
  const fields = columns.map(({ key, field }) => {
    const value = formatValue(record.data[key], field, {
      locale,
      timeZone,
      decimals: field.type === 'number' ? recordDecimals([record.data[key]], field) : undefined,
    })
    const notes = field.notes ? `<p class="muted">${escapeHtml(field.notes)}</p>` : ''
    return `<div><dt>${escapeHtml(field.name)}${notes}</dt><dd>${escapeHtml(value)}</dd></div>`
  })
  return `<p><a href="${escapeHtml(buildAddress(path, writeTableState(state)))}">${escapeHtml(words.table.back)}</a></p>
${map === null ? '' : `<div class="record-map">${map}</div>`}<dl class="record-fields">${fields.join('')}</dl>`
}

/** A URL with its state; without parameters it has no question mark. */
function buildAddress(path: string, params: URLSearchParams): string {
  const text = params.toString()
  return text ? `${path}?${text}` : path
}

const getVisibleColumns = ({ columns, state }: TableView) =>
  state.columns ? columns.filter(({ key }) => state.columns?.includes(key)) : columns

/** The first page of a changed state. */
const buildChangedHref = ({ path, state }: TableView, change: Partial<TableState>) =>
  escapeHtml(buildAddress(path, writeTableState({ ...state, ...firstPage, ...change })))

function renderProblems({ problems, columns }: TableView, { problems: texts }: TableTexts): string {
  if (problems.length === 0) return ''
  const getColumnName = (name: string) => {
    const key = name.replace(/^\w+\./, '')
    return columns.find((column) => column.key === key)?.field.name ?? key
  }
  const items = problems.map(({ name, value, problem }) => {
    const isNamed = name === 'columns' || name === 'sort' || name === 'chart'
    return `<li>${escapeHtml(fill(texts[problem], { name: getColumnName(isNamed ? value.replace(/^-/, '') : name), value }))}</li>`
  })
  return `<ul class="table-problems" role="alert">${[...new Set(items)].join('')}</ul>`
}

function formatRecordCount(view: TableView, { locale, words: { table } }: TableReading): string {
  const { total, before, records, isEstimate, rejection: refusal } = view
  if (refusal) return table.notShown
  const tag = formatTag(locale)
  if (total === null) return ''
  if (isEstimate) return plural(table.about, total, tag)
  if (before === null || records.length === 0 || records.length === total)
    return plural(table.records, total, tag)
  const number = new Intl.NumberFormat(tag)
  return fill(table.range, {
    from: number.format(before + 1),
    to: number.format(before + records.length),
    total: number.format(total),
  })
}

function renderHeaderCell(
  view: TableView,
  column: ViewColumn,
  isNumber: boolean | undefined,
  { words: { table } }: TableReading,
): string {
  const { key, field } = column
  const { sort } = view.state
  const title = escapeHtml(axisTitle(field))
  const sorted = sort?.key === key ? sort.direction : null
  const attributes = `scope="col"${isNumber ? ' class="is-number"' : ''}${
    sorted ? ` aria-sort="${sorted === 'asc' ? 'ascending' : 'descending'}"` : ''
  }`
  if (!isSortable(column)) return `<th ${attributes}>${title}</th>`
  const next = sorted === null ? 'asc' : sorted === 'asc' ? 'desc' : null
  const label = next === null ? table.unsorted : next === 'asc' ? table.sortUp : table.sortDown
  const href = buildChangedHref(view, { sort: next === null ? null : { key, direction: next } })
  const mark = sorted ? `<span aria-hidden="true"> ${sorted === 'asc' ? '↑' : '↓'}</span>` : ''
  return `<th ${attributes}><a class="table-sort" id="${escapeHtml(`sort.${key}`)}" rel="nofollow" href="${href}" title="${escapeHtml(
    fill(label, { name: field.name }),
  )}">${title}${mark}</a></th>`
}

function renderRows(
  { records, path, state }: TableView,
  table: RecordTable,
  { words }: TableReading,
): string {
  const classes = table.columns.map(({ isNumber, isShort }) => {
    const name = [isNumber && 'is-number', isShort && 'is-short'].filter(Boolean).join(' ')
    return name ? ` class="${name}"` : ''
  })
  return records
    .map(({ id }, row) => {
      const href = escapeHtml(buildAddress(`${path}/${encodeURIComponent(id)}`, writeTableState(state)))
      const label = escapeHtml(fill(words.table.record, { id }))
      const cells = classes.map((tag, i) => {
        const text = escapeHtml(table.rows[row]?.[i] ?? '')
        return i === 0
          ? `<th scope="row"${tag}><a rel="nofollow" href="${href}" title="${label}">${text}</a></th>`
          : `<td${tag}>${text}</td>`
      })
      return `<tr>${cells.join('')}</tr>`
    })
    .join('')
}

function renderPageLinks({ path, previous, next, first }: TableView, { search, table }: EdgeTexts): string {
  const link = (params: URLSearchParams, rel: string, name: string) =>
    `<li><a rel="${rel} nofollow" href="${escapeHtml(buildAddress(path, params))}">${escapeHtml(name)}</a></li>`
  return [
    first ? link(first, 'first', table.first) : '',
    previous ? link(previous, 'prev', search.previous) : '',
    next ? link(next, 'next', search.next) : '',
  ].join('')
}

/** The active filters, each with a link that removes it. */
function renderActiveFilters(view: TableView, reading: TableReading): string {
  const { state } = view
  const { table } = reading.words
  const filters = state.filters.map((filter) => ({
    text: describeFilter(view, filter, reading),
    href: buildChangedHref(view, { filters: state.filters.filter((each) => each !== filter) }),
  }))
  const searchChips = state.search
    ? [{ text: `“${state.search}”`, href: buildChangedHref(view, { search: '' }) }]
    : []
  const place = formatWithin(state, view.within, reading.words)
  const withinChips = place === null ? [] : [{ text: place, href: buildChangedHref(view, { within: null }) }]
  const all = [...searchChips, ...withinChips, ...filters]
  if (all.length === 0) return ''
  const items = all.map(
    ({ text, href }) =>
      `<li><a rel="nofollow" href="${href}" aria-label="${escapeHtml(fill(table.remove, { name: text }))}">${escapeHtml(text)} <span aria-hidden="true">×</span></a></li>`,
  )
  const none = `<li><a rel="nofollow" href="${buildChangedHref(view, { search: '', filters: [], within: null })}">${escapeHtml(table.removeAll)}</a></li>`
  return `<ul class="table-chosen">${items.join('')}${all.length > 1 ? none : ''}</ul>`
}

/** A filter as text. */
function describeFilter({ columns }: TableView, filter: TableFilter, reading: TableReading): string {
  const { table } = reading.words
  const field = columns.find(({ key }) => key === filter.key)?.field
  const name = field?.name ?? filter.key
  const write = (value: unknown) => formatValue(value, field, { ...reading, unit: undefined })
  switch (filter.kind) {
    case 'none':
      return fill(table.none, { name })
    case 'has':
      return fill(table.has, { name, value: filter.text })
    case 'is': {
      const values = filter.values.map((value) => write(field?.type === 'boolean' ? value === 'true' : value))
      return fill(table.is, { name, value: values.join(', ') })
    }
    case 'range': {
      const isNumber = field?.type === 'number'
      // The ends of a range keep all their digits; a day of an instant is shown as a day.
      const end = (text: string | undefined) =>
        text === undefined ? '' : isNumber ? text.replace('-', '−') : dayText(text, reading)
      const ends = { name, from: end(filter.from), to: end(filter.to) }
      if (filter.from === undefined) return fill(table.to, ends)
      return fill(filter.to === undefined ? table.from : table.between, ends)
    }
  }
}

const dayField = { name: '', type: 'date', precision: 'day' } as Field
const dayText = (day: string, { locale, timeZone }: TableReading) =>
  formatValue(day, dayField, { locale, timeZone })

/** The form for filters and columns. Uses GET, so that the URL contains the state, with scripts and without. */
function renderForm(view: TableView, reading: TableReading): string {
  const { path, state, columns } = view
  const { table } = reading.words
  const most = optionsEach(columns)
  const filters = columns.map((column) => renderFilterFields(column, state, { reading, most })).join('')
  const ticks = columns
    .map(({ key, field }) => {
      const isShown = state.columns === null || state.columns.includes(key)
      return `<label><input type="checkbox" name="columns" value="${escapeHtml(key)}"${isShown ? ' checked' : ''}> ${escapeHtml(field.name)}</label>`
    })
    .join('')
  const sort = writeTableState(state).get('sort')
  const plainState = writeTableState({ ...state, ...firstPage, within: null })
  const within = view.within
    ? renderWithinChoice(
        view.within,
        (choice) => escapeHtml(buildAddress(path, withSet(plainState, choice))),
        reading.words,
      )
    : ''
  return `<form class="table-form" action="${escapeHtml(path)}" method="get" role="search" aria-label="${escapeHtml(table.search)}">
<div class="table-search"><label for="q">${escapeHtml(table.search)}</label><input id="q" type="search" name="q" value="${escapeHtml(state.search)}" maxlength="200"><button class="button" type="submit">${escapeHtml(table.apply)}</button></div>
<details class="table-choices"><summary>${escapeHtml(table.filters)}</summary><div class="table-filters">${filters}</div><button class="button" type="submit">${escapeHtml(table.apply)}</button></details>
${within}<details class="table-choices"><summary>${escapeHtml(table.columns)}</summary><div class="table-columns">${ticks}</div><button class="button" type="submit">${escapeHtml(table.apply)}</button></details>
${renderChartChoice(view, reading)}${sort ? `<input type="hidden" name="sort" value="${escapeHtml(sort)}">` : ''}</form>`
}

/** By which column the records are counted in a chart. */
function renderChartChoice(
  { columns, state, hasCharts }: TableView,
  { words: { table } }: TableReading,
): string {
  if (!hasCharts) return ''
  const options = columns
    .filter(isSortable)
    .map(
      ({ key, field }) =>
        `<option value="${escapeHtml(key)}"${state.chart === key ? ' selected' : ''}>${escapeHtml(field.name)}</option>`,
    )
  return `<details class="table-choices"><summary>${escapeHtml(table.chart)}</summary><div class="table-chart-choice"><label for="chart">${escapeHtml(table.chartBy)}</label><select id="chart" name="chart"><option value="">${escapeHtml(table.noChart)}</option>${options.join('')}</select><button class="button" type="submit">${escapeHtml(table.apply)}</button></div></details>`
}

/** The selected chart, with a link that removes it. */
function renderChart(view: TableView, { words: { table } }: TableReading): string {
  const { chart, state, columns } = view
  if (!chart || state.chart === null) return ''
  const name = columns.find(({ key }) => key === state.chart)?.field.name ?? state.chart
  const title = escapeHtml(fill(table.chartTitle, { name }))
  return `<figure class="table-chart" aria-labelledby="chart-title"><figcaption><h2 id="chart-title">${title}</h2><p>${escapeHtml(chart.sentence)}</p></figcaption><div class="table-chart-wide">${chart.wide}</div><div class="table-chart-narrow">${chart.narrow}</div><p><a rel="nofollow" href="${buildChangedHref(view, { chart: null })}">${escapeHtml(table.withoutChart)}</a></p></figure>`
}

/** The form fields of a column. */
function renderFilterFields(
  column: ViewColumn,
  state: TableState,
  { reading, most }: { reading: TableReading; most: number },
): string {
  const { key, kind, field } = column
  const { table } = reading.words
  const findFilter = <Kind extends TableFilter['kind']>(filterKind: Kind) =>
    state.filters.find((filter) => filter.key === key && filter.kind === filterKind) as
      | Extract<TableFilter, { kind: Kind }>
      | undefined
  const id = (name: string) => escapeHtml(`${name}.${key}`)
  const none = column.empty
    ? `<label class="table-none"><input type="checkbox" name="${id('none')}" value="1"${findFilter('none') ? ' checked' : ''}> ${escapeHtml(table.noneChoice)}</label>`
    : ''
  const legend = `<legend>${escapeHtml(axisTitle(field))}</legend>`
  const input = (name: 'from' | 'to' | 'has', label: string, value: string, more: string) =>
    `<label>${escapeHtml(label)} <input name="${id(name)}" value="${escapeHtml(value)}" ${more}></label>`
  if (kind === 'json') return none && `<fieldset>${legend}${none}</fieldset>`
  if (kind === 'text' || kind === 'boolean') {
    const has = findFilter('has')?.text ?? ''
    const text = kind === 'text' ? input('has', table.contains, has, 'type="text" maxlength="200"') : ''
    return `<fieldset>${legend}${renderChoices(column, findFilter('is')?.values ?? [], { reading, most })}${text}${none}</fieldset>`
  }
  const range = findFilter('range')
  const isDate = kind === 'day' || kind === 'instant'
  const [earliest, latest] = [column.min, column.max].map((end) =>
    end === undefined ? '' : isDate ? String(end).slice(0, 10) : String(end),
  )
  const hint = (end: string | undefined) =>
    isDate
      ? `type="date"${earliest ? ` min="${escapeHtml(earliest)}"` : ''}${latest ? ` max="${escapeHtml(latest)}"` : ''}`
      : `type="text" inputmode="decimal" placeholder="${escapeHtml(end ?? '')}"`
  // An instant late in a day may be the next day in the time zone of the place, so the ends of the data are
  // no bounds for the input.
  const bounds = (end: string | undefined) => (kind === 'instant' ? 'type="date"' : hint(end))
  return `<fieldset>${legend}<div class="table-range">${input('from', table.lower, range?.from ?? '', bounds(earliest))}${input(
    'to',
    table.upper,
    range?.to ?? '',
    bounds(latest),
  )}</div>${none}</fieldset>`
}

/** The most frequent values with their counts; selected ones are always included. */
function renderChoices(
  { key, kind, field, choices = [], distinct = choices.length }: ViewColumn,
  values: string[],
  { reading: { locale, timeZone, words }, most }: { reading: TableReading; most: number },
): string {
  const countIn = (value: string) => choices.find((each) => each.value === value)?.count ?? null
  const defaultChoices =
    kind === 'boolean'
      ? ['true', 'false'].map((value) => ({ value, count: countIn(value) }))
      : choices.slice(0, most)
  const options = [
    ...values
      .filter((value) => !defaultChoices.some((each) => each.value === value))
      .map((value) => ({ value, count: countIn(value) })),
    ...defaultChoices,
  ]
  if (options.length === 0) return ''
  const number = new Intl.NumberFormat(formatTag(locale))
  const ticks = options.map(({ value, count }) => {
    const text = formatValue(kind === 'boolean' ? value === 'true' : value, field, { locale, timeZone })
    const isChosen = values.includes(value) ? ' checked' : ''
    const times = count === null ? '' : ` <span class="count">${number.format(count)}</span>`
    return `<label><input type="checkbox" name="${escapeHtml(`is.${key}`)}" value="${escapeHtml(value)}"${isChosen}> <bdi>${escapeHtml(text)}</bdi>${times}</label>`
  })
  const isCut = kind !== 'boolean' && defaultChoices.length > 0 && distinct > defaultChoices.length
  const frequent = fill(words.table.frequent, { n: number.format(defaultChoices.length) })
  return `${isCut ? `<p class="muted">${escapeHtml(frequent)}</p>` : ''}<div class="table-values">${ticks.join('')}</div>`
}
