import { byNaturalOrder } from '#functions/domain/noun/natural-order.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { findsAreasInSet } from './named-areas.ts'
import { keepsBoundary } from './place-boundary.ts'
import { allowStatements } from '#functions/domain/noun/statement-timeout.ts'
import { change, prepareRecordSubject } from '#functions/domain/records/change.ts'
import { fillRegionsAgain, isCalculatedBy, hasRegionField } from '#functions/domain/records/regions.ts'

/** Time limit of one message, in ms; the rest is done by the next one. */
const budgetMs = 20_000
/** Delay of a source after an error, in seconds. */
const waitSeconds = 300

/**
 * Rejects making a set private while data types of its place are calculated by it or name its regions, or public
 * insights or the map of its place are drawn with it.
 */
export async function refuseWhereUsed(
  db: Db | Tx,
  set: { id: string; placeId: string },
  path: string[],
): Promise<void> {
  for (const [what, isUsing] of [
    ['Fields of data types are calculated of this set', isCalculatedBy(set.id)],
    ['Fields of data types name regions of this set', hasRegionField(set.id)],
  ] as const) {
    const types = await db
      .selectFrom('dataType')
      .select('name')
      .where('ownerPlaceId', '=', set.placeId)
      .where('deletedAt', 'is', null)
      .where(isUsing)
      .orderBy('name', byNaturalOrder)
      .limit(maxNamed)
      .execute()
    refuseUsed(what, types, path)
  }
  const insights = await db
    .selectFrom('insight')
    .select('name')
    .where('placeId', '=', set.placeId)
    .where('deletedAt', 'is', null)
    .where('visibility', '=', 'public')
    .where(sql<boolean>`visualization #>> '{settings,boundarySetId}' = ${set.id}`)
    .orderBy('name', byNaturalOrder)
    .limit(maxNamed)
    .execute()
  refuseUsed('Public insights are drawn with this set', insights, path)
  await keepsBoundary(db, set, path)
}

/** Rejects deleting a set while importers of its place find areas of it, whatever its visibility. */
export async function refuseWhereFound(
  db: Db | Tx,
  set: { id: string; placeId: string },
  path: string[],
): Promise<void> {
  const importers = await db
    .selectFrom('importer')
    .innerJoin('source', 'source.id', 'importer.sourceId')
    .select('importer.name')
    .where('importer.placeId', '=', set.placeId)
    .where('importer.deletedAt', 'is', null)
    .where('source.deletedAt', 'is', null)
    .where(findsAreasInSet(set.id))
    .orderBy('importer.name', byNaturalOrder)
    .limit(maxNamed)
    .execute()
  refuseUsed('Importers find points by this set', importers, path)
}

/** The most usages of a set that are named. */
const maxNamed = 5

function refuseUsed(what: string, users: { name: string }[], path: string[]) {
  if (users.length === 0) return
  const message = `${what}: ${users.map(({ name }) => name).join(', ')}.`
  throw new Failure('conflict', { message, issues: [{ path, message, validator: 'used' }] })
}

/** Whether regions of a source are to be calculated again. Needs the product's own identity. */
export async function areRegionsDue(ctx: Context): Promise<boolean> {
  return (await findNextDue(ctx)) !== undefined
}

/**
 * Calculates outdated regions, source by source, until none is left or the time limit is reached. Each source is one
 * transaction: readers see the old regions until it commits, and after an error it starts again. Must run as the system
 * actor.
 */
export async function processRegions(ctx: Context): Promise<void> {
  const until = ctx.now().getTime() + budgetMs
  for (let due = await findNextDue(ctx); due; due = await findNextDue(ctx)) {
    await calculate(ctx, due).catch(async (error: unknown) => {
      ctx.report(error, { during: 'calculateRegions', source: due?.sourceId })
      await sql`
        update source_stat set regions_due_at = now() + make_interval(secs => ${waitSeconds}::float8)
        where source_id = ${due?.sourceId} and regions_due_at is not null`.execute(ctx.db)
    })
    if (ctx.now().getTime() >= until) return ctx.wake('jobs')
  }
}

type DueSource = { sourceId: string; at: string }

async function findNextDue(ctx: Context): Promise<DueSource | undefined> {
  const { rows } = await sql<DueSource>`
    select t.source_id, t.regions_due_at::text as at from source_stat t join source s on s.id = t.source_id
    where t.regions_due_at <= clock_timestamp() and s.deleted_at is null order by t.regions_due_at, t.source_id limit 1`.execute(
    ctx.db,
  )
  return rows[0]
}

async function calculate(ctx: Context, { sourceId, at }: DueSource): Promise<void> {
  const subject = await prepareRecordSubject(ctx, sourceId)
  if (!subject) return
  await change(ctx, subject, async (pendingChange) => {
    await allowStatements(pendingChange.tx, '2min')
    await fillRegionsAgain(pendingChange, ctx)
    // Not for requests that came in the meantime: those areas may not have been seen.
    await sql`
      update source_stat set regions_due_at = null
      where source_id = ${sourceId} and regions_due_at::text = ${at}`.execute(pendingChange.tx)
  })
}
