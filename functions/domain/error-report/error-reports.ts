import { recordActivity, type Verb } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { updateKnown, updateRow } from '#functions/domain/noun/rows.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import type { ErrorReportChanges, ErrorReportOptions } from '#functions/shapes/error-report.ts'

const columns = [
  'errorReport.id',
  'errorReport.placeId',
  'errorReport.sourceId',
  'source.name as sourceName',
  'source.dataTypeId',
  'errorReport.datumId',
  'errorReport.insightId',
  'insight.name as insightName',
  'errorReport.text',
  'errorReport.email',
  'errorReport.locale',
  'errorReport.status',
  'errorReport.note',
  'errorReport.version',
  'errorReport.createdAt',
  'errorReport.updatedAt',
] as const

const listing = {
  table: 'errorReport',
  order: [sortBy('createdAt', 'desc', 'date')],
  searchColumns: ['errorReport.text', 'errorReport.note', 'source.name'],
}

/**
 * The error reports of readers in a place, newest first. Reports about a deleted source are hidden until it
 * is restored.
 */
export async function find(ctx: Context, request: NounRequest<ErrorReportOptions>) {
  return listRows(ctx, selectPlaceReports(ctx, request).select(columns), listing, request.options)
}

/** One report; undefined when the place has none with this id. */
export async function findById(ctx: Context, request: NounRequest) {
  return findReport(ctx, request)
}

/** Updates the state or the note of a report, with an audit log entry. Undefined when there is none with this id. */
export async function updateById(ctx: Context, request: NounRequest<unknown, ErrorReportChanges>) {
  return updateKnown(
    ctx,
    request.data,
    () => findReport(ctx, request),
    (row, changes) =>
      ctx.transaction(async (tx) => {
        await updateRow(tx, ctx, 'errorReport', row, changes)
        await recordReportActivity(tx, ctx, 'updated', row)
      }),
  )
}

/** Deletes a report permanently. Undefined when there is none with this id. */
export async function deleteById(ctx: Context, request: NounRequest) {
  const row = await findReport(ctx, request)
  if (!row) return undefined
  await write(ctx, async (tx) => {
    await tx.deleteFrom('errorReport').where('id', '=', row.id).execute()
    await recordReportActivity(tx, ctx, 'deleted', row)
  })
  return { id: row.id }
}

/** The entry names only the source: everyone in the place reads the log, but not everyone may read reports. */
async function recordReportActivity(
  tx: Tx,
  ctx: Context,
  verb: Verb,
  { id, placeId, sourceName }: { id: string; placeId: string; sourceName: string },
) {
  await recordActivity(tx, ctx, { verb, type: 'errorReport', id, name: sourceName, placeId })
}

async function findReport(ctx: Context, request: Pick<NounRequest, 'params'>) {
  return selectPlaceReports(ctx, request)
    .select(columns)
    .where('errorReport.id', '=', param(request, 'errorReportId'))
    .executeTakeFirst()
}

function selectPlaceReports(ctx: Context, request: Pick<NounRequest, 'params'>) {
  return (
    ctx.db
      .selectFrom('errorReport')
      .innerJoin('source', 'source.id', 'errorReport.sourceId')
      // A sender may have written any id: only what readers of the place's hub see is named.
      .leftJoin('insight', (join) =>
        join
          .onRef('insight.id', '=', 'errorReport.insightId')
          .onRef('insight.placeId', '=', 'errorReport.placeId')
          .on('insight.visibility', '=', 'public')
          .on('insight.deletedAt', 'is', null),
      )
      .where('errorReport.placeId', '=', param(request, 'placeId'))
      .where('source.deletedAt', 'is', null)
  )
}
