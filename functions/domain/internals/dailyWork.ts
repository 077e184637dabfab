import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'

/**
 * Claims the work of the present day, which begins at 03:07 UTC by the clock of the database; true for the first who asks on that day. So a
 * night in which nothing ran, or ran late, is made up for at the next minute, and two who ask at once, or one whose clock is wrong, do
 * nothing twice. `storage` is what is done once for all databases, `house` what is done in each, `profiles` what is made up for of the profiles of fields.
 */
export async function claimDay(ctx: Context, name: 'storage' | 'house' | 'profiles'): Promise<boolean> {
  const { rows } = await sql`
    insert into daily_work as known (name, day)
    values (${name}, ((now() at time zone 'utc') - interval '3 hours 7 minutes')::date)
    on conflict (name) do update set day = excluded.day, begun_at = now() where known.day < excluded.day
    returning name`.execute(ctx.db)
  return rows.length > 0
}

/**
 * Notes that the work of a minute is done now, and gives how many seconds ago it was done before, by the clock of the database;
 * null: never. A longer while than a minute or two says that nobody could write in it: no cron ran, or the database took no changes.
 */
export async function noteMinute(tx: Tx, name: 'runs'): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    with before as (select begun_at from daily_work where name = ${name}),
      noted as (
        insert into daily_work (name, day) values (${name}, (now() at time zone 'utc')::date)
        on conflict (name) do update set day = excluded.day, begun_at = now())
    select extract(epoch from now() - begun_at)::float8 as seconds from before`.execute(tx)
  return rows[0]?.seconds ?? null
}
