import { sql, type Kysely } from 'kysely'

/**
 * Row-level security that costs little by the row. A statement may say which sources it asks (`app.asked`); the database
 * looks up once which of them its asker may see, and a record is then compared with a source's id instead of being
 * looked for among all public ones: a question to a million records takes less than half the time. Who says nothing, or
 * asks for what he may not see, is judged by the row as before: what is said makes it faster and shows no one more.
 *
 * And names of places have an index of trigrams, by which a part of them is found.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create function app_asked() returns text[] language sql stable parallel safe as $$
      select coalesce(array_agg(id), '{}') from public.source
      where id = any (string_to_array(current_setting('app.asked', true), ',')) $$`.execute(db)
  // Most ask one: a text is compared in half the time that a list of one takes.
  await sql`
    create function app_asked_one() returns text language sql stable parallel safe as $$
      select id from public.source where id = current_setting('app.asked', true) $$`.execute(db)
  await sql`
    create function guard_data_table(p_table text) returns void language plpgsql as $$
    declare verb text; mine text := '((select app_writes_all()) or place_id = any ((select app_places())::text[]))';
    begin
      execute format('drop policy if exists seen on data.%I', p_table);
      execute format('create policy seen on data.%I for select using (source_id = (select app_asked_one())
        or (select app_reads_all()) or source_id = any ((select app_asked())::text[])
        or place_id = any ((select app_places())::text[])
        or source_id in (select s.id from public.source s where s.visibility = ''public'' and s.deleted_at is null))', p_table);
      -- One for each way to write: a policy for all of them would be asked when reading, too.
      execute format('drop policy if exists kept on data.%I', p_table);
      foreach verb in array array['insert', 'update', 'delete'] loop
        execute format('drop policy if exists %I on data.%I', 'kept_' || verb, p_table);
        execute format('create policy %I on data.%I for %s %s %s', 'kept_' || verb, p_table, verb,
          case verb when 'insert' then 'with check' else 'using' end, mine);
      end loop;
    end $$`.execute(db)
  await sql`revoke all on function guard_data_table(text) from public`.execute(db)
  await replaceIn(db, 'make_data_type_table(text, text, jsonb, text)', made, `${made}\n      ${guarded}`)
  await sql`
    do $do$
    declare found record;
    begin
      for found in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'data' and c.relkind in ('r', 'p') loop
        perform guard_data_table(found.relname);
      end loop;
    end $do$`.execute(db)
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`
    create index place_words on place using gin (id gin_trgm_ops, name gin_trgm_ops, display_name gin_trgm_ops)`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  await sql`drop index place_words`.execute(db)
  await replaceIn(db, 'make_data_type_table(text, text, jsonb, text)', `${made}\n      ${guarded}`, made)
  // Making a table again gives it the policies it had before.
  await sql`
    do $do$
    declare found record;
    begin
      for found in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'data' and c.relkind in ('r', 'p') loop
        execute format('drop policy kept_insert on data.%1$I; drop policy kept_update on data.%1$I; drop policy kept_delete on data.%1$I', found.relname);
        perform make_data_table(found.relname, '[]', null);
      end loop;
    end $do$`.execute(db)
  await sql`drop function guard_data_table(text), app_asked_one(), app_asked()`.execute(db)
}

const made = 'perform make_data_table(p_table, p_columns, p_primary_date);'
const guarded = 'perform guard_data_table(p_table);'

/** Writes a function anew with another text in the place of one it must have. */
async function replaceIn(db: Kysely<unknown>, name: string, before: string, after: string) {
  await sql`
    do $do$
    declare body text;
    begin
      select pg_get_functiondef(${sql.lit(name)}::regprocedure) into body;
      if position(${sql.lit(before)} in body) = 0 then raise exception '% is not as it was', ${sql.lit(name)}; end if;
      execute replace(body, ${sql.lit(before)}, ${sql.lit(after)});
    end $do$`.execute(db)
}
