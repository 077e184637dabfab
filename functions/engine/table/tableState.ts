import type { ColumnHead } from './columnFile.ts'

/** A condition that records of a table must meet. Texts are as they stand in the address. */
export type TableFilter =
  /** One of these values; of a boolean `true` and `false`. */
  | { key: string; kind: 'is'; values: string[] }
  /** Numbers and dates, both ends included; a date is `YYYY-MM-DD`. At least one end is there. */
  | { key: string; kind: 'range'; from?: string; to?: string }
  /** A text that has this in it, in any case. */
  | { key: string; kind: 'has'; text: string }
  /** No value. */
  | { key: string; kind: 'none' }

/** What a reader has chosen of a table. It stands in the address, so that it can be shared. */
export interface TableState {
  /** A part of any text of a record, in any case; '' is none. */
  search: string
  filters: TableFilter[]
  /** Null: the order of the source. */
  sort: { key: string; direction: 'asc' | 'desc' } | null
  /** The keys of the columns that are shown; null: all. */
  columns: string[] | null
  /** The key of the column by whose values the records are counted in a chart; null: there is none. */
  chart: string | null
  /** The page begins behind this record, or ends before it; both null: the first page. */
  after: string | null
  before: string | null
  /**
   * Of a source whose pages are asked for one after the other: what the pages before this one began behind, the last of them last; '' is
   * the first page. Empty where that is not known.
   */
  earlier: string[]
}

/** A part of an address that could not be followed, and why. */
export interface StateProblem {
  name: string
  value: string
  problem: 'unknownColumn' | 'noNumber' | 'noDate' | 'wrongKind' | 'tooMany'
}

export const wholeTable: TableState = {
  search: '',
  filters: [],
  sort: null,
  columns: null,
  chart: null,
  after: null,
  before: null,
  earlier: [],
}

/** What makes the first page of any state. */
export const firstPage = { after: null, before: null, earlier: [] } satisfies Partial<TableState>

/** What of a column its state is read by. */
export type StateColumn = Pick<ColumnHead, 'key' | 'kind'>

const longestText = 200
const mostFilters = 20
const mostValues = 50
/** Of more that cannot be followed nothing is said. */
const mostProblems = 20
/** An address names so many pages to go back to: the first page is always there. */
const mostEarlier = 8
const longestPlace = 800

const isDate = (text: string) => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
const isNumber = (text: string) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text)
const isTimed = (kind: ColumnHead['kind']) => kind === 'day' || kind === 'instant'

/** Whether records can be put in order by a column. */
export const isSortable = ({ kind }: StateColumn) => kind !== 'json'

/**
 * The state in an address. What cannot be followed is left out and named; parameters of other names are nobody's here (an address may
 * be tracked). Empty values are no conditions: a form sends all its fields.
 */
export function readTableState(
  params: URLSearchParams,
  columns: readonly StateColumn[],
): { state: TableState; problems: StateProblem[] } {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const problems: StateProblem[] = []
  const filters = new Map<string, TableFilter>()
  const state: TableState = { ...wholeTable, search: (params.get('q') ?? '').trim().slice(0, longestText) }
  for (const [name, text] of params) {
    const value = text.trim().slice(0, longestText)
    const refuse = (problem: StateProblem['problem']) => {
      if (problems.length < mostProblems) problems.push({ name, value, problem })
    }
    const [, condition = '', key = ''] = /^(is|from|to|has|none)\.(.+)$/.exec(name) ?? []
    if (condition === '' || value === '') continue
    const column = byKey.get(key)
    if (!column) {
      refuse('unknownColumn')
      continue
    }
    const problem = problemOf(condition, column, value)
    if (problem) {
      refuse(problem)
      continue
    }
    const existing = filters.get(`${key} ${condition === 'to' ? 'from' : condition}`)
    if (!existing && filters.size >= mostFilters) refuse('tooMany')
    else if (condition === 'is' && existing?.kind === 'is') {
      if (existing.values.length >= mostValues) refuse('tooMany')
      else if (!existing.values.includes(value)) existing.values.push(value)
    } else if (existing?.kind === 'range') existing[condition as 'from' | 'to'] = value
    else filters.set(`${key} ${condition === 'to' ? 'from' : condition}`, filterOf(condition, key, value))
  }
  state.filters = [...filters.values()]
  readOrder(params, byKey, state, problems)
  const chart = params.get('chart') ?? ''
  const chartColumn = byKey.get(chart)
  if (chartColumn && isSortable(chartColumn)) state.chart = chart
  else if (chart)
    problems.push({
      name: 'chart',
      value: chart.slice(0, longestText),
      problem: chartColumn ? 'wrongKind' : 'unknownColumn',
    })
  const placeOf = (name: string) => (params.get(name) ?? '').slice(0, longestPlace) || null
  state.after = placeOf('after')
  state.before = state.after === null ? placeOf('before') : null
  const earlier = state.after === null ? null : params.get('earlier')
  if (earlier !== null)
    state.earlier = earlier
      .split('~')
      .slice(-mostEarlier)
      .map((text) => text.slice(0, longestPlace))
  return { state, problems }
}

function problemOf(condition: string, { kind }: StateColumn, value: string): StateProblem['problem'] | null {
  if (condition === 'none') return null
  if (condition === 'is') return kind === 'text' || kind === 'boolean' ? null : 'wrongKind'
  if (condition === 'has') return kind === 'text' ? null : 'wrongKind'
  if (isTimed(kind)) return isDate(value) ? null : 'noDate'
  if (kind !== 'number' && kind !== 'integer') return 'wrongKind'
  return isNumber(value) ? null : 'noNumber'
}

function filterOf(condition: string, key: string, value: string): TableFilter {
  if (condition === 'is') return { key, kind: 'is', values: [value] }
  if (condition === 'has') return { key, kind: 'has', text: value }
  if (condition === 'none') return { key, kind: 'none' }
  return { key, kind: 'range', [condition]: value }
}

/** Reads by what the table is sorted, and which columns it shows. */
function readOrder(
  params: URLSearchParams,
  byKey: ReadonlyMap<string, StateColumn>,
  state: TableState,
  problems: StateProblem[],
) {
  const sort = params.get('sort') ?? ''
  const sorted = byKey.get(sort.replace(/^-/, ''))
  if (sorted && isSortable(sorted)) {
    state.sort = { key: sorted.key, direction: sort.startsWith('-') ? 'desc' : 'asc' }
  } else if (sort)
    problems.push({
      name: 'sort',
      value: sort.slice(0, longestText),
      problem: sorted ? 'wrongKind' : 'unknownColumn',
    })
  const paramNames = params
    .getAll('columns')
    .flatMap((text) => text.split(','))
    .filter(Boolean)
  for (const key of paramNames.filter((key) => !byKey.has(key)).slice(0, mostProblems - problems.length))
    problems.push({ name: 'columns', value: key.slice(0, longestText), problem: 'unknownColumn' })
  const keys = [...byKey.keys()].filter((key) => paramNames.includes(key))
  if (keys.length > 0 && keys.length < byKey.size) state.columns = keys
}

/** A state as it stands in an address, always in the same order, without what is as it is anyway. */
export function writeTableState(state: TableState): URLSearchParams {
  const params = new URLSearchParams()
  if (state.search) params.set('q', state.search)
  for (const filter of state.filters) {
    if (filter.kind === 'is') for (const value of filter.values) params.append(`is.${filter.key}`, value)
    if (filter.kind === 'has') params.set(`has.${filter.key}`, filter.text)
    if (filter.kind === 'none') params.set(`none.${filter.key}`, '1')
    if (filter.kind === 'range') {
      if (filter.from !== undefined) params.set(`from.${filter.key}`, filter.from)
      if (filter.to !== undefined) params.set(`to.${filter.key}`, filter.to)
    }
  }
  if (state.sort) params.set('sort', `${state.sort.direction === 'desc' ? '-' : ''}${state.sort.key}`)
  if (state.columns) params.set('columns', state.columns.join(','))
  if (state.chart !== null) params.set('chart', state.chart)
  if (state.after !== null) params.set('after', state.after)
  else if (state.before !== null) params.set('before', state.before)
  if (state.after !== null && state.earlier.length > 0)
    params.set('earlier', state.earlier.slice(-mostEarlier).join('~'))
  return params
}
