import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { maxDays } from '#functions/shapes/usage.ts'

/** How many names of a dimension are kept for a past day; the rest is merged. */
const keptNames = { page: 200, referrer: 50, download: 200, search: 50 }

/**
 * Deletes hub usage older than 400 days, and merges all but the most viewed names of each day in the last week into one
 * ('*'). Idempotent. Called by cron; must run as the system actor. Returns the number of deleted rows.
 */
export async function maintainHubUsage(ctx: Context): Promise<number> {
  const today = ctx.now().toISOString().slice(0, 10)
  const db = ctx.db.withoutPlugins()
  const { rows: old } = await sql<{ n: number }>`
    with gone as (delete from hub_usage_day where day <= ${today}::date - ${maxDays}::int returning 1)
    select count(*)::int as n from gone`.execute(db)
  const { rows: rest } = await sql<{ n: number }>`
    with ranked as (
      select place_id, day, dimension, name, row_number() over (partition by place_id, day, dimension
        order by views desc, name) as nth
      from hub_usage_day where day < ${today}::date and day >= ${today}::date - 7 and name <> '*'
    ), gone as (
      delete from hub_usage_day d using ranked r
      where r.nth > (${JSON.stringify(keptNames)}::jsonb ->> r.dimension)::int and d.place_id = r.place_id
        and d.day = r.day and d.dimension = r.dimension and d.name = r.name returning d.*
    ), together as (
      insert into hub_usage_day as d (place_id, day, dimension, name, views, visits, lcp, cls, inp, ttfb)
      select place_id, day, dimension, '*', sum(views), sum(visits), sum_counts(lcp), sum_counts(cls), sum_counts(inp),
        sum_counts(ttfb) from gone group by 1, 2, 3
      on conflict (place_id, day, dimension, name) do update
        set views = d.views + excluded.views, visits = d.visits + excluded.visits,
          lcp = add_counts(d.lcp, excluded.lcp), cls = add_counts(d.cls, excluded.cls),
          inp = add_counts(d.inp, excluded.inp), ttfb = add_counts(d.ttfb, excluded.ttfb)
    )
    select count(*)::int as n from gone`.execute(db)
  return (old[0]?.n ?? 0) + (rest[0]?.n ?? 0)
}
