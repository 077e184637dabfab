import { sql } from 'kysely'
import { toStream } from './job/objects.ts'
import { rejectsPrefix } from './job/run.ts'
import { maxKeptRejects } from './job/staging.ts'
import { capLimit } from '#functions/domain/noun/paging.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { findById, wants } from './jobs.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { csvCells, csvHead, csvLine } from '#functions/engine/export/csv.ts'
import { Download } from '#functions/shapes/download.ts'
import { maxRejects, type JobReject, type RejectOptions } from '#functions/shapes/job.ts'

/** The default page size of a list. */
const defaultLimit = 100
/** Rows of a file that are read at a time. */
const fileRows = 5000

/** The start of a page: a number in the list, or a line of an object in the bucket. */
type PageStart = { n: number } | { piece: string; line: number }

/**
 * The issues of a run's rows, in the order in which they were found: as a list, or as CSV on request, where values that
 * a spreadsheet would take for a formula are prefixed with an apostrophe. A CSV has all of them unless a limit or a page
 * is requested, and breaks off with an error where some are lost. The first 1,000 are in the database, the others in the
 * bucket. Undefined when there is no such run.
 */
export async function rejects(ctx: Context, request: NounRequest<RejectOptions>) {
  const job = await findById(ctx, request)
  if (!job) return undefined
  const { next, format } = request.options
  const isCsv = format === 'csv' || (!format && wants('text/csv', ctx.request.headers.get('accept')))
  const isWhole = isCsv && next === undefined && request.options.limit === undefined
  const usualLimit = isWhole ? fileRows : isCsv ? maxRejects : defaultLimit
  const { limit, capped } = capLimit(request.options.limit ?? usualLimit, maxRejects)
  const page = await readPage(ctx, job.id, parsePageStart(next), limit)
  if (isCsv) {
    const body = isWhole ? toStream(streamCompleteCsv(ctx, job.id, page)) : toCsv(page.rows)
    return new Download('text/csv; charset=utf-8', body, 'refused-rows.csv')
  }
  const results = page.rows
  const total = await countRejects(ctx, job.id)
  const more = page.next !== null && { next: page.next }
  return { results, meta: { results: results.length, total, ...more, ...capped } }
}

/** `n.100`: the hundredth of the list. Otherwise the name of an object and the number of its lines to skip. */
function parsePageStart(next = 'n.0'): PageStart {
  const [piece = '', count = '0'] = next.split('.')
  return piece === 'n' ? { n: Number(count) } : { piece, line: Number(count) }
}

/** The total number: those in the bucket are counted when they are found. */
async function countRejects({ db }: Context, jobId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select greatest((select count(*) from import_reject where job_id = ${jobId}),
      coalesce((select (cursor->>'rejects')::bigint from job where id = ${jobId}), 0))::float8 as total`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

interface Page {
  rows: JobReject[]
  next: string | null
}

/**
 * The complete file, page by page; the first page is read before the response begins, so that errors are still reported
 * by its status.
 */
async function* streamCompleteCsv(ctx: Context, jobId: string, first: Page): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(csvLine(csvHead(columns)))
  for (
    let page = first;
    ;
    page = await readPage(ctx, jobId, parsePageStart(page.next ?? undefined), fileRows)
  ) {
    if (page.rows.length > 0) yield encoder.encode(toLines(page.rows))
    if (page.next === null) return
  }
}

async function readPage(ctx: Context, jobId: string, begin: PageStart, limit: number): Promise<Page> {
  if (!('n' in begin)) return piecesFrom(ctx, jobId, begin.piece, begin.line, limit)
  const first = await listStoredRejects(ctx, jobId, begin.n, limit + 1)
  if (first.length > limit) return { rows: first.slice(0, limit), next: `n.${begin.n + limit}` }
  if (begin.n + first.length < maxKeptRejects) return { rows: first, next: null }
  // Everything in the database: the objects begin with the same issues.
  const past = Math.max(maxKeptRejects, begin.n)
  const rest = await piecesFrom(ctx, jobId, '', past, limit - first.length)
  return { rows: [...first, ...rest.rows], next: rest.next }
}

async function listStoredRejects(
  { db }: Context,
  jobId: string,
  n: number,
  limit: number,
): Promise<JobReject[]> {
  return db
    .selectFrom('importReject')
    .select([sql<number>`row::float8`.as('row'), sql<number | null>`line::float8`.as('line')])
    .select(['entry', 'sheet', 'url', 'field', 'message', 'value', 'isTaken'])
    .where('jobId', '=', jobId)
    .where('n', '>=', n)
    .orderBy('n')
    .limit(limit)
    .execute()
}

/** Lines of the objects from one on, without the first `skip` of them; `next`: the position after the last one. */
async function piecesFrom({ files }: Context, jobId: string, piece: string, skip: number, limit: number) {
  const rows: JobReject[] = []
  const prefix = rejectsPrefix(jobId)
  let cursor: string | undefined
  do {
    const listing = await files.list({ prefix, ...(cursor && { cursor }) })
    for (const { key } of listing.objects) {
      const name = key.slice(prefix.length).replace('.ndjson', '')
      if (name < piece) continue
      const object = await files.get(key)
      if (!object)
        throw new Failure('unavailable', { message: 'Some of these rows have just gone. Ask again.' })
      const lines = (await object.text()).split('\n').filter(Boolean)
      const from = Math.min(skip, lines.length)
      skip -= from
      const room = limit - rows.length
      rows.push(...lines.slice(from, from + room).map(rejectIn))
      if (lines.length > from + room) return { rows, next: `${name}.${from + room}` }
    }
    cursor = listing.truncated ? listing.cursor : undefined
  } while (cursor)
  return { rows, next: null }
}

function rejectIn(line: string): JobReject {
  const reject = JSON.parse(line) as Partial<JobReject> & Pick<JobReject, 'row' | 'message'>
  return {
    line: null,
    entry: null,
    sheet: null,
    url: null,
    field: null,
    value: null,
    isTaken: false,
    ...reject,
  }
}

const columns = (
  ['row', 'line', 'entry', 'sheet', 'url', 'field', 'message', 'value', 'isTaken'] as const
).map((key) => ({
  ...{ key, head: key, type: key === 'row' || key === 'line' ? 'number' : 'text' },
}))

const toLines = (rows: JobReject[]) => rows.map((row) => csvLine(csvCells(columns, row, true))).join('')
const toCsv = (rows: JobReject[]) => csvLine(csvHead(columns)) + toLines(rows)
