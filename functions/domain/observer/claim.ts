import { sql, type Selectable } from 'kysely'
import type { Tables } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import type { Condition } from '#functions/shapes/observer.ts'

/** How long a look may take: after that someone else takes the observer up. */
const leaseSeconds = 60

type Row = Selectable<Tables['observer']>

/** By source what was last looked at: its data version, and its newest record then. */
export type SeenVersions = NonNullable<Row['seen']>

/** An observer as the one who has taken it up knows it. */
export interface Claimed extends Pick<
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
  /** Of its place. */
  timeZone: string
  /** By the clock of the database. */
  at: Date
}

/**
 * Takes up the observer that has been due longest, or whose look was never ended. By the clock of the database, in one
 * statement, with a new fence; an event that comes during the look makes it due again. Null: there is none.
 */
export async function claim(ctx: Context): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
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

/** Lets go of an observer that someone has changed during the look: it is due at once. */
export async function release(ctx: Context, { id, fence }: Pick<Claimed, 'id' | 'fence'>): Promise<void> {
  await ctx.db
    .updateTable('observer')
    .set({ leaseUntil: null, dueAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute()
}

/** Whether an observer waits to be looked at now. */
export async function isAnyDue(ctx: Context): Promise<boolean> {
  const { rows } = await sql`
    select from observer where enabled and deleted_at is null and coalesce(lease_until, due_at) <= now()
    limit 1`.execute(ctx.db)
  return rows.length > 0
}
