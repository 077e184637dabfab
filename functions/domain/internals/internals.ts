import { sql, type RawBuilder } from 'kysely'
import { recordActivity, type Verb } from '#functions/domain/activity/activity.ts'
import { flagNames, isOn, setFlag } from './flags.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import type { Context } from '#functions/context.ts'
import type { Page } from '#functions/shapes/options.ts'
import type { Acted, Fact } from '#functions/shapes/internal.ts'
import type { Tx } from '#db/schema.ts'

/** The batch size of a call; the result says how many rows are left for the next call. */
const batch = 500

/** A stale run: its lease has expired, or it never had one and has been silent for five minutes. */
const isStale = sql<boolean>`(status in ('running', 'stopping', 'waiting') and lease_until < now()
  or status in ('running', 'stopping') and lease_until is null
    and coalesce(heartbeat_at, started_at, queued_at) < now() - interval '5 minutes')`

/** How deep the queue is, how the runs of importers are doing, which switches are on, which versions are running. */
export async function find(ctx: Context): Promise<Page<Fact>> {
  const facts: Record<string, RawBuilder<unknown>> = {
    'queue.open': sql`(select count(*)::int from outbox where done_at is null)`,
    'hubs.failing': sql`(select count(distinct place_id)::int from publish_failure)`,
    'queue.oldest': sql`(select min(created_at) from outbox where done_at is null)`,
    'mail.waiting': sql`(select count(*)::int from mail where outcome is null)`,
    'jobs.queued': sql`(select count(*)::int from job where status = 'queued')`,
    'jobs.running': sql`(select count(*)::int from job where status in ('running', 'stopping', 'waiting'))`,
    'jobs.stale': sql`(select count(*)::int from job where ${isStale})`,
    'storage.missing': sql`(select count(*)::int from asset where missing_at is not null and deleted_at is null)`,
    'storage.orphans': sql`(select coalesce(sum((last->>'orphans')::int), 0)::int from storage_check)`,
    'storage.checkedAt': sql`(select min(ended_at) from storage_check)`,
    'version.schema': sql`(select max(name) from migration)`,
    'version.postgres': sql`current_setting('server_version')`,
    'version.postgis': sql`postgis_lib_version()`,
  }
  const columns = Object.entries(facts).map(([id, value]) => sql`${value} as ${sql.id(id)}`)
  const { rows } = await sql<Record<string, Fact['value'] | Date>>`select ${sql.join(columns)}`.execute(
    ctx.db.withoutPlugins(),
  )
  const flags = await Promise.all(
    flagNames.map(async (name) => ({ id: `flag.${name}`, value: await isOn(ctx.db, name) })),
  )
  const results = [
    ...Object.entries(rows[0] ?? {}).map(([id, value]) => ({
      id,
      value: value instanceof Date ? value.toISOString() : value,
    })),
    ...flags,
  ]
  return toPage(results)
}

/**
 * The origins that may read responses in a browser (CORS): any, without credentials; with a session cookie only our own.
 * Hubs have no sessions, so they need no entry.
 */
export async function origins(ctx: Context) {
  const { scheme, appHost } = ctx.settings
  return toPage([
    { id: '*', withCredentials: false },
    { id: `${scheme}://${appHost}`, withCredentials: true },
  ])
}

/** Ends runs of importers that show no sign of life as failed, and clears their leases: the importer can run again. */
export async function unstick(ctx: Context): Promise<Acted> {
  return act(ctx, 'unstuck', 'unstick', async (tx) => {
    const jobs = await tx
      .updateTable('job')
      .set({
        status: 'failed',
        error: 'There was no sign of life of this run, so an operator ended it.',
        finishedAt: sql<Date>`now()`,
        leaseUntil: null,
        // The new fence invalidates a worker that is still running.
        fence: sql<number>`fence + 1`,
      })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('job')
          .select('id')
          .where(isStale)
          .orderBy('queuedAt')
          .limit(batch)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'placeId', 'error'])
      .execute()
    if (jobs.length)
      await tx
        .insertInto('jobLog')
        .values(
          jobs.map(({ id, placeId, error }) => ({
            jobId: id,
            placeId,
            level: 'error' as const,
            message: error ?? '',
          })),
        )
        .execute()
    return { affected: jobs.length, left: await countRows(tx, 'job', isStale) }
  })
}

/** Halts all importers: none starts while the flag is on, and running ones are told to stop. */
export async function halt(ctx: Context): Promise<Acted> {
  const runs = sql<boolean>`status in ('running', 'waiting')`
  return act(ctx, 'halted', 'halt', async (tx) => {
    const isTurned = await setFlag(tx, ctx, 'importersHalted', true)
    const { numUpdatedRows } = await tx
      .updateTable('job')
      .set({ status: 'stopping' })
      .where('id', 'in', (eb) => eb.selectFrom('job').select('id').where(runs).limit(batch))
      .executeTakeFirstOrThrow()
    return { affected: Number(isTurned) + Number(numUpdatedRows), left: await countRows(tx, 'job', runs) }
  })
}

/** Allows importers to run again, and retries every failed hub immediately. */
export async function hose(ctx: Context): Promise<Acted> {
  const waits = sql<boolean>`next_attempt_at > clock_timestamp()`
  return act(ctx, 'resumed', 'hose', async (tx) => {
    const isTurned = await setFlag(tx, ctx, 'importersHalted', false)
    const { numUpdatedRows } = await tx
      .updateTable('publishFailure')
      .set({ nextAttemptAt: sql<Date>`clock_timestamp()`, probeAt: null })
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('placeId', 'target'),
          'in',
          selectFrom('publishFailure')
            .select(['placeId', 'target'])
            .where(waits)
            .orderBy('nextAttemptAt')
            .limit(batch)
            .$asTuple('placeId', 'target'),
        ),
      )
      .executeTakeFirstOrThrow()
    const left = await countRows(tx, 'publishFailure', waits)
    return { affected: Number(isTurned) + Number(numUpdatedRows), left }
  })
}

/** Runs an operator's action in one transaction with its audit log entry, and wakes the queue. */
export async function act(
  ctx: Context,
  verb: Verb,
  name: string,
  run: (tx: Tx) => Promise<Omit<Acted, 'ok'>>,
): Promise<Acted> {
  return write(ctx, async (tx) => {
    const result = await run(tx)
    await recordActivity(tx, ctx, {
      verb,
      type: 'internal',
      id: name,
      name: `${name}: ${result.affected} affected, ${result.left} left`,
      placeId: null,
    })
    return { ok: true as const, ...result }
  })
}

async function countRows(
  tx: Tx,
  table: 'job' | 'publishFailure',
  which: RawBuilder<boolean>,
): Promise<number> {
  const { n } = await tx
    .selectFrom(table)
    .select(sql<number>`count(*)::int`.as('n'))
    .where(which)
    .executeTakeFirstOrThrow()
  return n
}

const toPage = <Row>(results: Row[]): Page<Row> => ({
  results,
  meta: { results: results.length, total: results.length },
})
