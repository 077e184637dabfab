import { sql } from 'kysely'
import { prepareRecordSubject, type RecordSubject } from '#functions/domain/records/change.ts'
import { checkedRows, createChecker, type BatchReport, type Checker } from './check-batch.ts'
import { rewindCursor, nothingYet } from './cursor.ts'
import { mergeMedia, checkMedia } from './check-media.ts'
import { mergeNoPlaceCounts, describeNoPlaces } from './no-places.ts'
import { RunRefusal } from './errors.ts'
import { findMissingColumns } from './missing-columns.ts'
import { streamObject, createRanges, removeUnder } from './objects.ts'
import { advance, isOver, rejectsPrefix, type LogLine, type Run } from './run.ts'
import { clearStaged, storeRejects, maxKeptRejects, stageRows, type Refusal } from './staging.ts'
import { complete, fieldAt } from '#functions/engine/import/map/index.ts'
import { needsPlaces } from '#functions/engine/import/map/evaluate.ts'
import {
  mergeConversions,
  conversionLines,
  createEmptyConversions,
} from '#functions/engine/import/map/conversions.ts'
import { splitKeyPath } from '#functions/shapes/importer-mapping.ts'
import { parse } from '#functions/engine/import/parse/index.ts'
import {
  endWhereNothingSelected,
  type Batch,
  type Cursor,
  type Place,
  type Reject,
} from '#functions/engine/import/row.ts'

/** Rows by which it shows that a mapping or a data type is not of this source. */
const firstRows = 1000
/** The number of rows that are read and checked together. */
const rowsAtOnce = 1000

/**
 * Reads the fetched pages from the run's cursor on. Each batch is checked and stored in one transaction with the new cursor, its faults
 * and its counts. True when all is read; false where the step's time is over.
 */
export async function readRows(run: Run): Promise<boolean> {
  const subject = await subjectFor(run)
  const checker = await createChecker(run, subject)
  await restartIfSetsChanged(run, checker)
  for (let n = run.cursor.object; n < run.cursor.objects; n = run.cursor.object) {
    if (!(await readObject(run, n, checker))) return false
    // Stored with the next batch; after an interruption before that, the end of the page is found again.
    run.cursor = {
      ...run.cursor,
      object: n + 1,
      base: run.cursor.base + (run.cursor.from?.rows ?? 0),
      from: null,
    }
  }
  if (run.counts.read < firstRows) requireGood(run.cursor.early, run.counts.read)
  const { skipped } = run.cursor
  const missingColumns = await findMissingColumns(run, subject, checker.columns)
  const line: LogLine = {
    level: 'info',
    message: `Read ${run.counts.read} rows, of which ${run.counts.rejected} were refused.${skipped ? ` ${skipped} more say nothing and were left out.` : ''}`,
  }
  const fields = Object.keys(complete(run.plan.mapping, subject.schema)).map((key) => ({
    key,
    name: fieldAt(subject.schema, splitKeyPath(key))?.name ?? key,
  }))
  const conversions = conversionLines(run.cursor.conversions ?? createEmptyConversions(), fields).map(
    (each): LogLine => ({ level: 'info', ...each }),
  )
  const noPlaces = describeNoPlaces(run.cursor.noPlaces, needsPlaces(run.plan.mapping))
  const media = run.cursor.media?.length ? await checkMedia(run, run.cursor.media) : []
  await advance(run, {
    cursor: { stage: 'commit', media: null },
    lines: [...(missingColumns ? [missingColumns] : []), line, ...noPlaces, ...media, ...conversions],
  })
  return true
}

/** The current source. If its data type has changed since rows were checked, the cursor is reset to the beginning. */
export async function subjectFor(run: Run): Promise<RecordSubject> {
  const subject = await prepareRecordSubject(run.ctx, run.job.sourceId)
  if (!subject) throw new RunRefusal('The source of this importer has been deleted.')
  const { typeVersion } = run.cursor
  if (typeVersion !== null && typeVersion !== subject.typeVersion)
    await beginAnew(run, 'The fields of the data type have changed: reading begins anew.')
  return subject
}

/** If a boundary set has changed since places were found by it, the cursor is reset to the beginning: one run has one version. */
async function restartIfSetsChanged(run: Run, { setsVersion }: Checker): Promise<void> {
  const before = run.cursor.setsVersion ?? null
  if (before !== null && before !== setsVersion)
    await beginAnew(run, 'A boundary set of the mapping has changed: reading begins anew.')
}

async function beginAnew(run: Run, message: string): Promise<void> {
  // First, because otherwise objects of the old reading could remain among those of the new one.
  await removeUnder(run.ctx.files, rejectsPrefix(run.job.id))
  await advance(
    run,
    { cursor: rewindCursor(run.cursor), counts: nothingYet, lines: [{ level: 'warn', message }] },
    async (tx) => {
      await clearStaged(tx, run.job)
      await tx.deleteFrom('importReject').where('jobId', '=', run.job.id).execute()
    },
  )
}

/** Pipelines the reading: while one batch is stored, the next one is read and checked. */
async function readObject(run: Run, n: number, checker: Checker): Promise<boolean> {
  const page = await openPage(run, n, run.cursor.from)
  let keeping: Promise<void> | null = null
  try {
    for await (const batch of checkedRows(run, page?.batches, checker)) {
      await keeping
      // Every step stores at least one batch, so that short steps make progress as well.
      if (keeping && isOver(run)) return false
      keeping = storeBatch(run, batch, checker, page?.url ?? '')
      // Awaited in any case, even when the next batch fails.
      keeping.catch(() => {})
    }
  } finally {
    await keeping
  }
  return !keeping || !isOver(run)
}

/** A page that was fetched, from a place in it on. Null: it was read to its last byte in a step that ended there. */
export async function openPage(
  { ctx, job, plan, lease, work }: Run,
  n: number,
  from: Cursor | null,
): Promise<{ url: string; batches: AsyncGenerator<Batch> } | null> {
  const object = await ctx.db
    .selectFrom('importObject as page')
    .leftJoin('importObject as before', (join) =>
      join.onRef('before.jobId', '=', 'page.jobId').on('before.n', '=', n - 1),
    )
    .select(['page.key', 'page.source', 'page.url', 'page.contentType', 'before.source as sourceBefore'])
    .select(sql<number>`page.size::float8`.as('bytes'))
    .where('page.jobId', '=', job.id)
    .where('page.n', '=', n)
    .executeTakeFirstOrThrow()
  const source = plan.sources[object.source]
  if (!source) throw new RunRefusal('The source of a page is not among those of the importer.')
  const byte = from?.byte ?? 0
  if (byte > 0 && byte >= object.bytes) return null
  async function* alive() {
    for await (const chunk of streamObject(ctx.files, object.key, byte)) {
      lease.beat()
      yield chunk
    }
  }
  const batches = parse(source.parser, alive(), source.parserOptions, {
    ...(from && { from }),
    ...(object.contentType !== null && { contentType: object.contentType }),
    batchRows: Math.min(work.batchRows, rowsAtOnce),
    ranges: createRanges(ctx.files, object.key, object.bytes),
  })
  const isFirstPage = object.source !== object.sourceBefore
  return { url: object.url, batches: isFirstPage ? batches : endWhereNothingSelected(batches) }
}

async function storeBatch(
  run: Run,
  batch: BatchReport,
  { subject, setsVersion }: Checker,
  url: string,
): Promise<void> {
  const { job, counts, cursor } = run
  const { rejects, staged, skipped, accepted } = batch
  const toSequenceNumber = (at: Place) => cursor.base + at.row
  const came = batch.cursor.rows - (cursor.from?.rows ?? 0)
  const numberedRejects = rejects.map((reject) => ({
    ...reject,
    url,
    at: { ...reject.at, row: toSequenceNumber(reject.at) },
  }))
  const early = new Set(
    numberedRejects.filter(({ at, isTaken }) => at.row <= firstRows && !isTaken).map(({ at }) => at.row),
  ).size
  if (numberedRejects.length) await writeRejectFile(run, numberedRejects)
  const to = {
    cursor: {
      from: batch.cursor,
      skipped: cursor.skipped + skipped,
      early: cursor.early + early,
      unseen: batch.unseen,
      conversions: cursor.conversions
        ? mergeConversions(cursor.conversions, batch.conversions)
        : batch.conversions,
      noPlaces: cursor.noPlaces ? mergeNoPlaceCounts(cursor.noPlaces, batch.noPlaces) : batch.noPlaces,
      media: mergeMedia(cursor.media ?? [], batch.media),
      rejects: cursor.rejects + numberedRejects.length,
      typeVersion: subject.typeVersion,
      setsVersion,
    },
    counts: {
      ...counts,
      read: counts.read + came - skipped,
      rejected: counts.rejected + came - skipped - accepted,
    },
    lines: [
      ...batch.notices.map(({ level, message }): LogLine => ({ level, message, url })),
      ...numberedRejects
        .slice(0, Math.max(0, maxKeptRejects - cursor.rejects))
        .map((reject) => toLogLine(reject, url)),
    ],
  }
  await advance(run, to, async (tx) => {
    await stageRows(tx, job, staged)
    await storeRejects(tx, job, cursor.rejects, numberedRejects)
  })
  const rows = run.cursor.base + batch.cursor.rows
  if (rows >= firstRows && rows - came < firstRows) requireGood(run.cursor.early, firstRows)
}

function requireGood(bad: number, rows: number) {
  if (bad * 2 > rows)
    throw new RunRefusal(
      `${bad} of the first ${rows} rows were refused: the mapping or the data type does not fit this source.`,
    )
}

function toLogLine({ at, field, message, value }: Reject, url: string): LogLine {
  const where = [at.entry, at.sheet, at.line === undefined ? undefined : `line ${at.line}`].filter(Boolean)
  const what = value === undefined ? '' : ` (${value})`
  const text = `${field === null ? '' : `${field}: `}${message}${what}`
  return { level: 'warn', message: where.length ? `${text} [${where.join(', ')}]` : text, row: at.row, url }
}

/** Writes the issues of a batch to the bucket as lines of JSON, before they are counted, so that counted issues always exist. */
export async function writeRejectFile(
  { ctx, job, cursor }: Run,
  rejects: Refusal[],
  name?: string,
): Promise<void> {
  const lines = rejects.map(({ at, field, message, value, url, isTaken }) =>
    JSON.stringify({
      ...at,
      field,
      message,
      ...(value !== undefined && { value }),
      ...(url !== undefined && { url }),
      ...(isTaken && { isTaken }),
    }),
  )
  const begin = String(cursor.base + (cursor.from?.rows ?? 0)).padStart(12, '0')
  await ctx.files.put(`${rejectsPrefix(job.id)}${name ?? begin}.ndjson`, `${lines.join('\n')}\n`, {
    httpMetadata: { contentType: 'application/x-ndjson' },
  })
}
