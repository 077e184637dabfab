import { answeredPage, pageQuestion, type AnsweredPage } from '#functions/engine/table/api-page.ts'
import type { ColumnFile } from '#functions/engine/table/column-file.ts'
import type { TableView, ViewRecord } from '#functions/engine/table/html.ts'
import type { TableState } from '#functions/engine/table/table-state.ts'
import { tablePageSize } from '#functions/engine/table/view.ts'

/** Requests a path of `/v1` with its query; cached answers need no database. */
export type AskApi = (path: string) => Promise<Response>

/** The source whose records are requested. */
interface TableSource {
  /** The path of the source in `/v1`. */
  api: string
  timeZone: string
}

/** Headers with the date of an answer that did not come from the database. */
const ageHeaders = ['x-snapshot-date', 'age', 'warning']

/** A page of the table as it is shown, or why it cannot be. */
type PageAnswer = Pick<TableView, 'records' | 'total' | 'before' | 'isEstimate' | 'rejection'> &
  Pick<TableView, 'previous' | 'next' | 'first'> & { status: number; headers: Record<string, string> }

/**
 * Whether the requested page is in the column file: where that holds the first records of a source only without a
 * filter and an order, and with the whole page among those records; within an area where its outline is at hand.
 */
export async function isInFile(file: ColumnFile, state: TableState): Promise<boolean> {
  if (state.within && !file.isInside) return false
  if (file.all === undefined) return true
  const { search, filters, sort, after } = state
  if (search !== '' || filters.length > 0 || sort !== null) return false
  if (after === null) return true
  const at = await placeIn(file, after)
  return at !== null && at + 1 + tablePageSize <= file.rows
}

/** The index of a record in the file by its id; null where it is not in it. */
async function placeIn(file: ColumnFile, id: string): Promise<number | null> {
  const ids = await file.readIds()
  const number = ids.words.indexOf(id) + 1
  const at = number === 0 ? -1 : ids.at.indexOf(number)
  return at < 0 ? null : at
}

/** Requests a page of a large source from `/v1`. An error has a reason (`rejection`) and no records. */
export async function askPage(
  file: ColumnFile,
  state: TableState,
  { api, timeZone }: TableSource,
  ask: AskApi,
): Promise<PageAnswer> {
  const isPlain =
    state.search === '' && state.filters.length === 0 && state.sort === null && state.within === null
  const at = isPlain && state.after !== null ? await placeIn(file, state.after) : null
  const offset = at === null ? 0 : at + 1
  const question = pageQuestion(state, file.columns, { timeZone, offset, hidden: file.hidden })
  const response = await ask(`${api}/data?${question.toString()}`)
  const headers = pick(response.headers, ageHeaders)
  if (response.status === 200) {
    const page = answeredPage(await response.json<AnsweredPage>(), state, file.columns)
    // The page before the first one after the file is the last page of the file.
    if (offset > 0 && state.earlier.length === 0) {
      const ids = await file.readIds()
      const before = offset - tablePageSize - 1
      const behind = before < 0 ? null : (ids.words[(ids.at[before] ?? 0) - 1] ?? null)
      const to = new URLSearchParams(page.first ?? undefined)
      if (behind !== null) to.set('after', behind)
      return { ...page, first: null, previous: to, status: 200, headers }
    }
    return { ...page, status: 200, headers }
  }
  const none = { records: [], total: null, before: null, previous: null, next: null, first: null }
  const reason = await readRejection(response, state)
  const status = response.status >= 500 ? 503 : response.status
  return { ...none, rejection: reason, status, headers: pick(response.headers, ['retry-after']) }
}

/** A record of a large source; null where there is none, or the reason why it cannot be shown. */
export async function askRecord(
  id: string,
  { api }: TableSource,
  ask: AskApi,
): Promise<{ record: ViewRecord } | { refused: NonNullable<TableView['rejection']>; status: number } | null> {
  // Ids of records are numbers; nothing else is requested.
  if (!/^\d{1,19}$/.test(id)) return null
  const response = await ask(`${api}/data/${id}`)
  if (response.status === 404 || response.status === 400) return null
  if (response.status !== 200) {
    const reason = response.status === 429 ? 'busy' : 'away'
    return { refused: reason, status: response.status === 429 ? 429 : 503 }
  }
  const { data, geometry } = await response.json<ViewRecord>()
  return { record: { id, data, geometry: geometry ?? null } }
}

/** The reason for an error response of `/v1`. */
async function readRejection(
  response: Response,
  { after }: TableState,
): Promise<NonNullable<TableView['rejection']>> {
  const body = await response
    .json<{ error?: { kind?: string; fields?: { path?: unknown[] }[] } }>()
    .catch(() => null)
  const { kind, fields = [] } = body?.error ?? {}
  if (response.status === 429) return 'busy'
  if (kind === 'tooSlow') return 'slow'
  if (kind !== 'invalid') return 'away'
  return after !== null && fields.some(({ path }) => path?.[0] === 'next') ? 'page' : 'costly'
}

const pick = (headers: Headers, names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
