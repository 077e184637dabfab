import { sql } from 'kysely'
import { isOn } from '#functions/domain/internals/flags.ts'
import type { JobTrigger } from './claim.ts'
import type { JobKind } from './cursor.ts'
import type { Db, Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { findNextRun } from '#functions/engine/import/schedule.ts'

/** Creates a run that waits for a worker. Null where the importer has a run that has not ended. */
export async function queueJob(
  db: Db | Tx,
  importer: { id: string; sourceId: string; placeId: string },
  {
    trigger,
    createdBy,
    kind = 'run',
    undoes = null,
  }: { trigger: JobTrigger; createdBy: string | null; kind?: JobKind; undoes?: string | null },
): Promise<string | null> {
  const { id: importerId, sourceId, placeId } = importer
  const id = crypto.randomUUID()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('job')
    .values({ id, importerId, sourceId, placeId, trigger, createdBy, kind, undoes })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows ? id : null
}

const atOnce = 100

/**
 * Creates runs of due importers, by the clock of the database, and sets their next time. An importer with an open run is
 * skipped. While importers are halted it creates none; each importer then gets one run afterwards. Returns their number.
 */
export async function startDue(ctx: Context): Promise<number> {
  if (await isOn(ctx.db, 'importersHalted')) return 0
  return ctx.transaction(async (tx) => {
    const due = await tx
      .selectFrom('importer')
      .innerJoin('place', 'place.id', 'importer.placeId')
      .innerJoin('source', 'source.id', 'importer.sourceId')
      .select(['importer.id', 'importer.sourceId', 'importer.placeId', 'importer.schedule', 'place.timeZone'])
      .select(sql<Date>`now()`.as('at'))
      .where('importer.enabled', '=', true)
      .where('importer.deletedAt', 'is', null)
      .where('source.deletedAt', 'is', null)
      .where('importer.nextRunAt', '<=', sql<Date>`now()`)
      .orderBy('importer.nextRunAt')
      .limit(atOnce)
      .forUpdate('importer')
      .skipLocked()
      .execute()
    let count = 0
    for (const { schedule, timeZone, at, ...importer } of due) {
      if (await queueJob(tx, importer, { trigger: 'schedule', createdBy: null })) count += 1
      const nextRunAt = schedule ? findNextRun(schedule, timeZone, at) : null
      await tx.updateTable('importer').set({ nextRunAt }).where('id', '=', importer.id).execute()
    }
    return count
  })
}
