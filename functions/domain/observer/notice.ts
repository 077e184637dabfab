import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'

const atOnce = 500

/**
 * Reads what the outbox says of changed data that observers were not told of, at most 500 events, and makes those due that
 * watch it: in one transaction, so no event is lost, and one that comes twice only makes due what is due already. Gives
 * how many events there were. Needs the product's own identity.
 */
export async function noticeEvents(ctx: Context): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ sourceId: string | null }>`
      update outbox set noticed_at = now() where id in (
        select id from outbox where kind = 'data' and noticed_at is null
        order by id limit ${atOnce}::int for update skip locked)
      returning payload ->> 'sourceId' as source_id`.execute(tx)
    const sources = [...new Set(rows.flatMap(({ sourceId }) => sourceId ?? []))]
    // Locked in one order: two who do this at once wait for each other and do not meet crosswise.
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

/** Whether the outbox tells of changed data that observers were not told of. */
export async function isAnyToNotice(ctx: Context): Promise<boolean> {
  const { rows } = await sql`
    select from outbox where kind = 'data' and noticed_at is null limit 1`.execute(ctx.db)
  return rows.length > 0
}
