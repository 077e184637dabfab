import type { ColumnHead } from './column-file.ts'

/** A filter of a table. Values are texts as in the URL. */
export type TableFilter =
  /** One of these values; of a boolean `true` and `false`. */
  | { key: string; kind: 'is'; values: string[] }
  /** Numbers and dates, both ends included; a date is `YYYY-MM-DD`. At least one end is there. */
  | { key: string; kind: 'range'; from?: string; to?: string }
  /** A text that has this in it, in any case. */
  | { key: string; kind: 'has'; text: string }
  /** No value. */
  | { key: string; kind: 'none' }

/** The state of a table. It is stored in the URL, so that it can be shared. */
export interface TableState {
  /** A search text for any text of a record, case-insensitive; '': none. */
  search: string
  filters: TableFilter[]
  /** An area of a boundary set, by its code, that the records lie in; null: anywhere. */
  within: { set: string; area: string } | null
  /** Null: the order of the source. */
  sort: { key: string; direction: 'asc' | 'desc' } | null
  /** The keys of the columns that are shown; null: all. */
  columns: string[] | null
  /** The key of the column that the chart groups by; null: no chart. */
  chart: string | null
  /** The page begins after this record, or ends before it; both null: the first page. */
  after: string | null
  before: string | null
  /**
   * Where a source is paged by tokens: the cursors of the earlier pages, the last page last; '' is the first page. Empty
   * where they are unknown.
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
  within: null,
  sort: null,
  columns: null,
  chart: null,
  after: null,
  before: null,
  earlier: [],
}

/** Resets a state to its first page. */
export const firstPage = { after: null, before: null, earlier: [] } satisfies Partial<TableState>

/** The properties of a column that parsing its state needs. */
export type StateColumn = Pick<ColumnHead, 'key' | 'kind'>

const longestText = 200
const maxFilters = 20
const maxValues = 50
/** Further problems are not reported. */
const maxProblems = 20
/** The most earlier pages in a URL: the first page is always reachable. */
const maxEarlier = 8
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
 * Parses the state in a URL. Invalid parts are left out and reported; other parameters are ignored (such as tracking).
 * Empty values are no filters: a form sends all its fields.
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
      if (problems.length < maxProblems) problems.push({ name, value, problem })
    }
    const [, condition = '', key = ''] = /^(is|from|to|has|none)\.(.+)$/.exec(name) ?? []
    if (condition === '' || value === '') continue
    const column = byKey.get(key)
    if (!column) {
      refuse('unknownColumn')
      continue
    }
    const problem = findProblem(condition, column, value)
    if (problem) {
      refuse(problem)
      continue
    }
    const existing = filters.get(`${key} ${condition === 'to' ? 'from' : condition}`)
    if (!existing && filters.size >= maxFilters) refuse('tooMany')
    else if (condition === 'is' && existing?.kind === 'is') {
      if (existing.values.length >= maxValues) refuse('tooMany')
      else if (!existing.values.includes(value)) existing.values.push(value)
    } else if (existing?.kind === 'range') existing[condition as 'from' | 'to'] = value
    else filters.set(`${key} ${condition === 'to' ? 'from' : condition}`, buildFilter(condition, key, value))
  }
  state.filters = [...filters.values()]
  const { set, area } = readWithin(params)
  if (set !== '' && area !== '') state.within = { set, area }
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
  const getCursorParam = (name: string) => (params.get(name) ?? '').slice(0, longestPlace) || null
  state.after = getCursorParam('after')
  state.before = state.after === null ? getCursorParam('before') : null
  const earlier = state.after === null ? null : params.get('earlier')
  if (earlier !== null)
    state.earlier = earlier
      .split('~')
      .slice(-maxEarlier)
      .map((text) => text.slice(0, longestPlace))
  return { state, problems }
}

/** The area that is asked for, as it stands in a URL: its set, and its name or code; '' where one is missing. */
export function readWithin(params: URLSearchParams): { set: string; area: string } {
  const getTextParam = (name: string) => (params.get(name) ?? '').trim().slice(0, longestText)
  return { set: getTextParam('set'), area: getTextParam('area') }
}

function findProblem(
  condition: string,
  { kind }: StateColumn,
  value: string,
): StateProblem['problem'] | null {
  if (condition === 'none') return null
  if (condition === 'is') return kind === 'text' || kind === 'boolean' ? null : 'wrongKind'
  if (condition === 'has') return kind === 'text' ? null : 'wrongKind'
  if (isTimed(kind)) return isDate(value) ? null : 'noDate'
  if (kind !== 'number' && kind !== 'integer') return 'wrongKind'
  return isNumber(value) ? null : 'noNumber'
}

function buildFilter(condition: string, key: string, value: string): TableFilter {
  if (condition === 'is') return { key, kind: 'is', values: [value] }
  if (condition === 'has') return { key, kind: 'has', text: value }
  if (condition === 'none') return { key, kind: 'none' }
  return { key, kind: 'range', [condition]: value }
}

/** Parses the sort order and the visible columns. */
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
  for (const key of paramNames.filter((key) => !byKey.has(key)).slice(0, maxProblems - problems.length))
    problems.push({ name: 'columns', value: key.slice(0, longestText), problem: 'unknownColumn' })
  const keys = [...byKey.keys()].filter((key) => paramNames.includes(key))
  if (keys.length > 0 && keys.length < byKey.size) state.columns = keys
}

/** Serialises a state for a URL, in a fixed order and without defaults. */
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
  if (state.within) {
    params.set('set', state.within.set)
    params.set('area', state.within.area)
  }
  if (state.sort) params.set('sort', `${state.sort.direction === 'desc' ? '-' : ''}${state.sort.key}`)
  if (state.columns) params.set('columns', state.columns.join(','))
  if (state.chart !== null) params.set('chart', state.chart)
  if (state.after !== null) params.set('after', state.after)
  else if (state.before !== null) params.set('before', state.before)
  if (state.after !== null && state.earlier.length > 0)
    params.set('earlier', state.earlier.slice(-maxEarlier).join('~'))
  return params
}
