import { sql, type Selectable } from 'kysely'
import type { Tables } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import type { Condition } from '#functions/shapes/observer.ts'

/** Seconds after which another worker may claim the observer. */
const leaseSeconds = 60

type Row = Selectable<Tables['observer']>

/** The last observed state by source: its data version, and the id of its newest record then. */
export type SeenVersions = NonNullable<Row['seen']>

/** An observer claimed by this worker. */
export interface ClaimedObserver extends Pick<
  Row,
  | 'id'
  | 'placeId'
  | 'dataTypeId'
  | 'sourceId'
  | 'name'
  | 'filters'
  | 'schedule'
  | 'cooldown'
  | 'channels'
  | 'recipients'
  | 'webhookUrl'
  | 'version'
  | 'fence'
  | 'isCrossed'
  | 'isTold'
  | 'lastAlertAt'
  | 'seen'
  | 'failures'
> {
  condition: Condition
  lastValue: unknown
  isLookedAt: boolean
  /** Time zone of its place. */
  timeZone: string
  /** Time of the claim by the database's clock. */
  at: Date
}

/**
 * Claims the observer that has been due longest, or whose lease has expired. One statement by the database's
 * clock, with a new fence; an event during the observation makes it due again. Null: none is due.
 */
export async function claim(ctx: Context): Promise<ClaimedObserver | null> {
  const { rows } = await sql<ClaimedObserver>`
    update observer o set fence = o.fence + 1, due_at = null,
      lease_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    from place p
    where p.id = o.place_id and o.id = (
      select id from observer
      where enabled and deleted_at is null and coalesce(lease_until, due_at) <= now()
      order by coalesce(lease_until, due_at), id limit 1 for update skip locked)
    returning o.id, o.place_id, o.data_type_id, o.source_id, o.name, o.filters, o.condition, o.schedule, o.cooldown,
      o.channels, o.recipients, o.webhook_url, o.version, o.fence, o.is_crossed, o.is_told, o.last_value,
      o.last_alert_at, o.seen, o.failures, o.evaluated_at is not null as is_looked_at, p.time_zone, now() as at`.execute(
    ctx.db,
  )
  return rows[0] ?? null
}

/** Releases an observer that was changed during the observation: it is due at once. */
export async function release(
  ctx: Context,
  { id, fence }: Pick<ClaimedObserver, 'id' | 'fence'>,
): Promise<void> {
  await ctx.db
    .updateTable('observer')
    .set({ leaseUntil: null, dueAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute()
}

/** Whether any observer is due. */
export async function isAnyDue(ctx: Context): Promise<boolean> {
  const { rows } = await sql`
    select from observer where enabled and deleted_at is null and coalesce(lease_until, due_at) <= now()
    limit 1`.execute(ctx.db)
  return rows.length > 0
}
