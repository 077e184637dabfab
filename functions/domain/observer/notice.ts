import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'

const atOnce = 500

/**
 * Reads outbox events of changed data that observers have not handled, at most 500, and makes the observers
 * of these sources due. In one transaction, so no event is lost; a repeated one does no harm. Returns how
 * many events there were. Must run as the system actor.
 */
export async function noticeEvents(ctx: Context): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ sourceId: string | null }>`
      update outbox set noticed_at = now() where id in (
        select id from outbox where kind = 'data' and noticed_at is null
        order by id limit ${atOnce}::int for update skip locked)
      returning payload ->> 'sourceId' as source_id`.execute(tx)
    const sources = [...new Set(rows.flatMap(({ sourceId }) => sourceId ?? []))]
    // Locked in a fixed order, so that concurrent runs wait for each other instead of deadlocking.
    if (sources.length > 0)
      await sql`
        update observer set due_at = least(due_at, now()) where id in (
          select o.id from observer o
          where o.enabled and o.deleted_at is null and o.schedule = 'onData' and exists (
            select from source s where s.id = any(${sources}::text[]) and s.visibility <> 'private'
              and s.place_id = o.place_id and s.data_type_id = o.data_type_id
              and (o.source_id is null or o.source_id = s.id))
          order by o.id for update)`.execute(tx)
    return rows.length
  })
}

/** Whether there are such events. */
export async function isAnyToNotice(ctx: Context): Promise<boolean> {
  const { rows } = await sql`
    select from outbox where kind = 'data' and noticed_at is null limit 1`.execute(ctx.db)
  return rows.length > 0
}
