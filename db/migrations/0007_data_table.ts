import { sql, type Kysely } from 'kysely'

/**
 * Creates the table of a data type and stores its name in `data_type`, as the owner: a member of a place may
 * add the first record of an official data type without permission to change that data type. Its index by
 * date puts records without a date last, as lists of the newest records do.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create function make_data_type_table(p_data_type text, p_table text, p_columns jsonb, p_primary_date text)
    returns void language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      if not exists (select from data_type where id = p_data_type and coalesce(table_name, p_table) = p_table) then
        raise exception 'bad data type';
      end if;
      perform make_data_table(p_table, p_columns, p_primary_date);
      if p_primary_date is not null then
        execute format('drop index if exists data.%I', p_table || '_date');
        execute format('create index if not exists %I on data.%I (source_id, %I desc nulls last, id desc)',
          p_table || '_newest', p_table, p_primary_date);
      end if;
      update data_type set table_name = p_table where id = p_data_type and table_name is null;
    end $$`.execute(db)
  await sql`revoke all on function make_data_type_table(text, text, jsonb, text) from public`.execute(db)
  await sql`grant execute on function make_data_type_table(text, text, jsonb, text) to commonplace_app`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  await sql`drop function make_data_type_table(text, text, jsonb, text)`.execute(db)
}
