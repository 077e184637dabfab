import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'

/**
 * Stores the number of records and bytes of every place, and of every data type in it, for today (UTC). Records are the
 * stored counts. The bytes of a data type are a share of its table with indexes, by the place's records; those of a
 * place are these and its files. A repeated call replaces the numbers of the day. Called by cron; must run as the system
 * actor. Returns the number of rows.
 */
export async function snapshotUsage(ctx: Context): Promise<number> {
  const today = ctx.now().toISOString().slice(0, 10)
  const { rows } = await sql<{ n: number }>`
    with counted as (
      select s.place_id, s.data_type_id, sum(c.count) as records
      from source s join source_stat c on c.source_id = s.id where s.deleted_at is null group by 1, 2
    ), of_type as (
      -- The size of each table is read once, not per place. Its users share what deleted sources left in it.
      select data_type_id, sum(records) as records, data_table_bytes(t.table_name) as bytes
      from counted join data_type t on t.id = data_type_id group by data_type_id, t.table_name
    ), typed as (
      select counted.place_id, counted.data_type_id, counted.records,
        coalesce(round(of_type.bytes * counted.records / nullif(of_type.records, 0)), 0) as bytes
      from counted join of_type using (data_type_id)
    ), files as (
      select place_id, sum(size) as bytes from asset where place_id is not null and deleted_at is null group by 1
    ), found as (
      select place_id, data_type_id, records, bytes from typed
      union all
      select p.id, '', coalesce(sum(typed.records), 0), coalesce(sum(typed.bytes), 0) + coalesce(max(files.bytes), 0)
      from place p left join typed on typed.place_id = p.id left join files on files.place_id = p.id
      where p.deleted_at is null group by p.id
    ), written as (
      insert into usage_day (place_id, data_type_id, day, records, storage_bytes)
      select place_id, data_type_id, ${today}::date, records, bytes from found order by 1, 2
      on conflict (place_id, data_type_id, day) do update
        set records = excluded.records, storage_bytes = excluded.storage_bytes
      returning 1
    )
    select count(*)::int as n from written`.execute(ctx.db.withoutPlugins())
  return rows[0]?.n ?? 0
}
