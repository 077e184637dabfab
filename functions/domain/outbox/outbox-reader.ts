import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'

/** A stored event. */
export interface OpenEvent {
  id: string
  kind: string
  /** Null: it concerns every place. */
  placeId: string | null
  payload: Record<string, unknown>
}

/**
 * The most open events of a place that are read at a time. High, because pages that several of them make stale are
 * rendered once for all that are read, and again for the rest.
 */
export const openAtOnce = 5000
/** The most places of one message. */
export const placesAtOnce = 40
/** The same for events that concern all places, each of which becomes many. */
const spreadAtOnce = 10

/** Unhandled events, oldest first, at most 5,000; of one place if given. Must run as the system actor. */
export async function openEvents(ctx: Context, placeId: string | null = null): Promise<OpenEvent[]> {
  let query = ctx.db
    .selectFrom('outbox')
    .select(['id', 'kind', 'placeId', 'payload'])
    .where('doneAt', 'is', null)
  if (placeId !== null) query = query.where('placeId', '=', placeId)
  return query.orderBy('id').limit(openAtOnce).execute()
}

/** A place of which something is open and that may be tried now. */
export interface DuePlace {
  placeId: string
  /** Failed attempts in a row. */
  failures: number
  /** The storage failed the last time: it is probed before anything is rendered. */
  isProbed: boolean
  /** Its delay is over; false: only that for probing the storage. */
  isDue: boolean
}

/** The places that have open events, each found by one step in the index however many events it has. */
const selectWaitingPlaces = (mark: 'done_at' | 'told_at') => sql`
  with recursive waiting (place_id) as (
    (select place_id from outbox where ${sql.ref(mark)} is null and place_id is not null order by place_id limit 1)
    union all
    select (select place_id from outbox where ${sql.ref(mark)} is null and place_id > waiting.place_id
      order by place_id limit 1)
    from waiting where waiting.place_id is not null)`

/**
 * The places with open events whose delay is over, at most 40: those without failures first, and among the others those
 * tried longest ago. So neither many events nor many failures of some delay the others. Must run as the system actor.
 */
export async function duePlaces(ctx: Context): Promise<DuePlace[]> {
  const { rows } = await sql<DuePlace>`
    ${selectWaitingPlaces('done_at')}
    select waiting.place_id, coalesce(failure.failures, 0) as failures,
      failure.probe_at is not null as is_probed,
      coalesce(failure.next_attempt_at <= clock_timestamp(), true) as is_due
    from waiting
      left join publish_failure failure on failure.place_id = waiting.place_id and failure.target = 'pages'
      left join hub on hub.place_id = waiting.place_id
    where waiting.place_id is not null
      and (failure.place_id is null or least(failure.next_attempt_at, failure.probe_at) <= clock_timestamp())
    order by failure.place_id is not null, hub.tried_at nulls first, waiting.place_id
    limit ${placesAtOnce}::int`.execute(ctx.db)
  return rows
}

/**
 * The places with events that the edge has not received, at most 200, each with the oldest of these events, at most
 * 5,000. Must run as the system actor.
 */
export async function untoldPlaces(ctx: Context): Promise<{ placeId: string; events: string[] }[]> {
  const { rows } = await sql<{ placeId: string; events: string[] }>`
    ${selectWaitingPlaces('told_at')}
    select place_id, array(select id::text from outbox
      where told_at is null and outbox.place_id = waiting.place_id order by id limit 5000) as events
    from waiting where place_id is not null limit 200`.execute(ctx.db)
  return rows
}

/**
 * Marks events of a place as sent to the edge, which gets the current state. Only the given ones and not all up to the
 * last: an event with a smaller number may be committed after the state was read.
 */
export async function markHandled(ctx: Context, placeId: string, events: readonly string[]): Promise<void> {
  await ctx.db
    .updateTable('outbox')
    .set({ toldAt: sql<Date>`now()` })
    .where('placeId', '=', placeId)
    .where('toldAt', 'is', null)
    .where('id', 'in', [...events])
    .execute()
}

/** Whether anything can be sent or retried now. Must run as the system actor. */
export async function isAnyToPublish(ctx: Context): Promise<boolean> {
  const { rows } = await sql<{ isAny: boolean }>`
    select exists (select from outbox where told_at is null and place_id is not null)
      or exists (select from outbox where done_at is null and place_id is null)
      or exists (select from outbox where prepared_at is null and kind in ('data', 'source', 'dataType'))
      or exists (select from publish_failure
        where target <> 'pages' and least(next_attempt_at, probe_at) <= clock_timestamp()) as is_any`.execute(
    ctx.db,
  )
  return rows[0]?.isAny === true || (await duePlaces(ctx)).length > 0
}

/**
 * Splits events that concern every place into one per place (with `isOfAll` in the payload): each place is then handled
 * and retried by itself, so that a failure of one does not repeat the work for all. Must run as the system actor.
 */
export async function fanOutEvents(ctx: Context): Promise<void> {
  for (let isMore = true; isMore;) isMore = await ctx.transaction(spreadSome)
}

/** Returns false where there was none. */
async function spreadSome(tx: Tx): Promise<boolean> {
  const open = await tx
    .selectFrom('outbox')
    .select('id')
    .where('doneAt', 'is', null)
    .where('placeId', 'is', null)
    .orderBy('id')
    .limit(spreadAtOnce)
    .forUpdate()
    .execute()
  const ids = open.map(({ id }) => id)
  if (ids.length === 0) return false
  await tx
    .insertInto('outbox')
    .columns(['kind', 'placeId', 'payload', 'preparedAt'])
    .expression((eb) =>
      eb
        .selectFrom('outbox')
        .innerJoin('place', (join) => join.onTrue())
        .select([
          'outbox.kind',
          'place.id',
          sql<string>`outbox.payload || '{"isOfAll":true}'::jsonb`.as('payload'),
          // The original event has reported it for the files of all places.
          sql<Date>`now()`.as('preparedAt'),
        ])
        .where('place.deletedAt', 'is', null)
        .where('outbox.id', 'in', ids)
        .orderBy('outbox.id')
        .orderBy('place.id'),
    )
    .execute()
  await tx
    .updateTable('outbox')
    .set({ doneAt: sql<Date>`now()`, toldAt: sql<Date>`now()` })
    .where('id', 'in', ids)
    .execute()
  return true
}

/** Marks events as handled. */
export async function closeEvents(ctx: Context, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db.updateTable('outbox').set({ doneAt: ctx.now() }).where('id', 'in', ids).execute()
}

/** Closes the open events of a place that lives in another database, where they are handled. */
export async function closePlace(ctx: Context, placeId: string): Promise<void> {
  const now = sql<Date>`now()`
  await ctx.db
    .updateTable('outbox')
    .set({
      doneAt: now,
      toldAt: sql<Date>`coalesce(told_at, now())`,
      preparedAt: sql<Date>`coalesce(prepared_at, now())`,
    })
    .where('placeId', '=', placeId)
    .where('doneAt', 'is', null)
    .execute()
}
