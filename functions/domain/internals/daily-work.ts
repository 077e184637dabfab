import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'

/**
 * Claims a daily job; true for the first caller of the day, which begins at 03:07 UTC by the clock of the database. So a
 * missed night is made up for in the next minute, and concurrent callers, or one with a wrong clock, run nothing twice.
 * `storage`: once for all databases; `house`: in each of them; `profiles`: missing profiles of fields.
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
 * Records a run of the minutely job, and returns the seconds since the last one, by the clock of the database; null for
 * the first. More than a minute or two means that nothing could be written meanwhile: cron did not run, or the database
 * was read-only.
 */
export async function recordMinutelyJob(tx: Tx, name: 'runs'): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    with before as (select begun_at from daily_work where name = ${name}),
      noted as (
        insert into daily_work (name, day) values (${name}, (now() at time zone 'utc')::date)
        on conflict (name) do update set day = excluded.day, begun_at = now())
    select extract(epoch from now() - begun_at)::float8 as seconds from before`.execute(tx)
  return rows[0]?.seconds ?? null
}
