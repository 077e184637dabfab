import { sql } from 'kysely'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { findImporter } from './of-source.ts'
import {
  sortBy,
  listPage,
  listRows,
  whereFiltered,
  whereSearched,
  type Sort,
} from '#functions/domain/noun/paging.ts'
import type { Context } from '#functions/context.ts'
import type { ListFilter } from '#functions/shapes/list-filter.ts'
import { Download } from '#functions/shapes/download.ts'
import type { jobStages } from '#functions/shapes/job-status.ts'
import { logLevels, maxLogLines, type JobOptions, type LogOptions } from '#functions/shapes/job.ts'

type JobStage = (typeof jobStages)[number]

const columns = [
  'job.id',
  'job.importerId',
  'job.sourceId',
  'job.placeId',
  'job.status',
  'job.trigger',
  'job.queuedAt',
  'job.startedAt',
  'job.finishedAt',
  'job.heartbeatAt',
  'job.kind',
  'job.counts',
  'job.error',
  'job.undoes',
  'job.undoneBy',
  'job.dataVersion',
  'job.comparedWith',
  'job.heldUntil',
  'job.createdBy',
  sql<JobStage | null>`case when job.kind <> 'rollback' then job.cursor->>'stage' end`.as('stage'),
  sql<number>`coalesce((job.cursor->>'skipped')::float8, 0)`.as('leftOut'),
] as const

/** Lines in the order in which they were written. */
const asWritten: Sort = {
  list: 'jobLog',
  keys: [{ name: 'id', value: sql.ref('jobLog.id'), type: 'integer', direction: 'asc' }],
}

/** The default number of log lines. */
const defaultLines = 1000
/** Plain text cannot say that it is truncated: by default it is complete, with the last lines beyond the limit of a run. */
const wholeText = maxLogLines + 1000

/** The runs of an importer, the last first; undefined when there is no such importer that the actor may see. */
export async function find(ctx: Context, request: NounRequest<JobOptions>) {
  const importer = await findImporter(ctx, request)
  if (!importer) return undefined
  const query = ctx.db.selectFrom('job').select(columns).where('job.importerId', '=', importer.id)
  const listing = { table: 'job', order: [sortBy('queuedAt', 'desc', 'date')], searchColumns: ['job.error'] }
  return listRows(ctx, query, listing, request.options)
}

/** One run; undefined when the importer has none with this id. */
export async function findById(ctx: Context, request: NounRequest) {
  const importer = await findImporter(ctx, request)
  return (
    importer &&
    ctx.db
      .selectFrom('job')
      .select(columns)
      .where('job.id', '=', param(request, 'jobId'))
      .where('job.importerId', '=', importer.id)
      .executeTakeFirst()
  )
}

/** The last run of each importer that has one, if it meets the condition. */
export async function listLastJobs(ctx: Context, importerIds: string[], condition?: ListFilter) {
  if (!importerIds.length) return []
  const last = ctx.db
    .selectFrom('job')
    .select(columns)
    .distinctOn('job.importerId')
    .where('job.importerId', 'in', importerIds)
    .orderBy('job.importerId')
    .orderBy('job.queuedAt', 'desc')
    .orderBy('job.id', 'desc')
  return ctx.db.selectFrom(last.as('job')).selectAll().where(whereFiltered(condition, 'job')).execute()
}

/**
 * The log of a run, in order: as a list, or as plain text, a line each, for clients that prefer it to JSON. Undefined
 * when there is no such run.
 */
export async function logs(ctx: Context, request: NounRequest<LogOptions>) {
  const job = await findById(ctx, request)
  if (!job) return undefined
  const isText = wants('text/plain', ctx.request.headers.get('accept'))
  const { search, filters, level, offset, next, limit = isText ? wholeText : defaultLines } = request.options
  const query = ctx.db
    .selectFrom('jobLog')
    .select(['jobLog.at', 'jobLog.level', 'jobLog.message', 'jobLog.row', 'jobLog.url', 'jobLog.data'])
    .where('jobLog.jobId', '=', job.id)
    .where(whereSearched(search, ['jobLog.message']))
    .where(whereFiltered(filters, 'jobLog'))
    .$if(level !== undefined, (q) =>
      q.where('jobLog.level', 'in', logLevels.slice(logLevels.indexOf(level ?? 'debug'))),
    )
  const { results: lines, meta } = await listPage(ctx, query, asWritten, { offset, next, limit }, wholeText)
  const results = lines.map(({ row, url, data, ...line }) => ({
    ...line,
    ...(row !== null && { row: Number(row) }),
    ...(url !== null && { url }),
    ...(data !== null && { data }),
  }))
  if (!isText) return { results, meta }
  return new Download('text/plain; charset=utf-8', results.map(asLine).join(''))
}

function asLine({ at, level, message, row, url }: Line): string {
  const where = [row === undefined ? '' : ` (row ${row})`, url === undefined ? '' : ` ${url}`].join('')
  return `${at.toISOString()} ${level.toUpperCase().padEnd(5)} ${escapeControlCharacters(`${message}${where}`)}\n`
}

interface Line {
  at: Date
  level: string
  message: string
  row?: number
  url?: string
}

/** Messages of remote servers may contain anything: this keeps them on one line and without control sequences for terminals. */
function escapeControlCharacters(text: string): string {
  return text.replaceAll('\n', '\\n').replace(/\p{Cc}/gu, '�')
}

/** Whether a content type is named before JSON. */
export function wants(contentType: string, accept: string | null): boolean {
  const inputs = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase())
  return inputs.find((type) => type === contentType || type === 'application/json') === contentType
}
