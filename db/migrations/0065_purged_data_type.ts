import { sql, type Kysely } from 'kysely'

/**
 * Lets the product drop the table of a purged data type. Only the owner of a table may drop it, so a function
 * does it for the product, and only for a table that no data type uses.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create function drop_data_table(p_table text) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      if not app_writes_all() then raise exception 'not allowed'; end if;
      if exists (select from data_type where table_name = p_table) then raise exception 'a data type has this table'; end if;
      perform pg_advisory_xact_lock(hashtext('data.' || p_table));
      execute format('drop table if exists data.%I', p_table);
    end $$`.execute(db)
  await sql`revoke all on function drop_data_table(text) from public`.execute(db)
  await sql`grant execute on function drop_data_table(text) to commonplace_app`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop function drop_data_table(text)`.execute(db)
}
