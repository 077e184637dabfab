import type { ColumnHead } from './column-file.ts'
import type { TableView, ViewRecord } from './html.ts'
import { toQueryParams } from './table-query.ts'
import { firstPage, writeTableState, type TableState } from './table-state.ts'
import { tablePageSize } from './view.ts'

/*
 * Pages of a table that are requested from `/v1`, because its source is too large for a column file. `/v1` pages by a
 * token (`next`), and only forward: the tokens of earlier pages are stored in the URL.
 */

/** The parts of a column that a page query depends on. */
type PageColumn = Pick<ColumnHead, 'key' | 'kind' | 'empty'>

/** Prefixes a token, or stands alone, in the part with the records that have no value in the sorted column. */
const emptyMark = 'none'

/**
 * Whether records without a value are requested after all others: `/v1` lists them first in descending order, a table
 * always last. A filter on the column leaves none of them, or only them.
 */
function hasTwoParts({ sort, filters }: TableState, columns: readonly PageColumn[]): boolean {
  if (sort?.direction !== 'desc') return false
  const column = columns.find(({ key }) => key === sort.key)
  return column !== undefined && column.empty > 0 && !filters.some(({ key }) => key === sort.key)
}

/**
 * The `/v1` parameters of a page. `offset`: the number of records before it, where the page continues those of a column
 * file; `hidden`: fields that no table shows. The chosen columns do not change the query, so that its response is cached
 * once for all of them.
 */
export function pageQuestion(
  state: TableState,
  columns: readonly PageColumn[],
  { timeZone, offset, hidden }: { timeZone: string; offset: number; hidden: readonly string[] },
): URLSearchParams {
  const isEmptyPart = state.after?.startsWith(emptyMark) ?? false
  const isFirstPart = !isEmptyPart && hasTwoParts(state, columns)
  const sort = isEmptyPart ? null : state.sort
  const question = toQueryParams({ ...state, sort, columns: null }, columns, timeZone)
  if (state.sort && (isEmptyPart || isFirstPart)) {
    const own = { [`data.${state.sort.key}`]: isEmptyPart ? null : { $not: null } }
    const filterText = question.get('filters')
    question.set('filters', JSON.stringify(filterText ? { $and: [JSON.parse(filterText), own] } : own))
    question.set('count', 'none')
  }
  question.set('limit', String(tablePageSize))
  // Lines and areas are long, and no table shows them.
  question.set('exclusions', ['geometry', ...hidden.map((key) => `data.${key}`)].join(','))
  if (offset > 0) question.set('offset', String(offset))
  else {
    const token = isEmptyPart ? state.after?.slice(emptyMark.length) : state.after
    if (token) question.set('next', token)
  }
  return question
}

/** What `/v1` answers of a page of records. */
export interface AnsweredPage {
  results: ViewRecord[]
  meta: { total?: number; estimated?: true; next?: string }
}

/** A response as a page of the table: its records, their total, and the links to the neighbouring pages. */
export function answeredPage(
  { results, meta }: AnsweredPage,
  state: TableState,
  columns: readonly PageColumn[],
): Pick<TableView, 'records' | 'total' | 'before' | 'isEstimate' | 'previous' | 'next' | 'first'> {
  const isEmptyPart = state.after?.startsWith(emptyMark) ?? false
  const to = (place: Partial<TableState>) => writeTableState({ ...state, ...firstPage, ...place })
  const after =
    meta.next !== undefined
      ? (isEmptyPart ? emptyMark : '') + meta.next
      : !isEmptyPart && hasTwoParts(state, columns)
        ? emptyMark
        : null
  const last = state.earlier.at(-1)
  const isBehind = state.after !== null
  return {
    records: results.map(({ id, data }) => ({ id, data })),
    total: meta.total ?? null,
    // Where the page is the first and the last, its records are all there are.
    before: isBehind ? null : 0,
    ...(meta.estimated && { isEstimate: true }),
    previous:
      isBehind && last !== undefined
        ? to({ after: last || null, earlier: last ? state.earlier.slice(0, -1) : [] })
        : null,
    next: after === null ? null : to({ after, earlier: [...state.earlier, state.after ?? ''] }),
    first: isBehind && last === undefined ? to({}) : null,
  }
}
