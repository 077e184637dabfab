import { sql, type Kysely } from 'kysely'

/**
 * Row-level security, as a second check behind the code's own. The application's role has no DDL and sees
 * only what is public or belongs to the actor's places. Each statement identifies the actor by three local
 * settings: `app.user` (id), `app.places` (ids, comma separated) and `app.global` (super_admin, support,
 * system or '').
 */
export async function up(db: Kysely<unknown>) {
  await sql`create schema if not exists data`.execute(db)
  await sql`
    do $$ begin
      if not exists (select from pg_roles where rolname = 'commonplace_app') then
        create role commonplace_app nologin;
      end if;
    end $$`.execute(db)
  await sql`
    create function app_places() returns text[] language sql stable parallel safe as
    $$ select string_to_array(coalesce(current_setting('app.places', true), ''), ',') $$`.execute(db)
  await sql`
    create function app_global() returns text language sql stable parallel safe as
    $$ select coalesce(current_setting('app.global', true), '') $$`.execute(db)
  await sql`
    create function app_reads_all() returns boolean language sql stable parallel safe as
    $$ select coalesce(current_setting('app.global', true), '') in ('super_admin', 'support', 'system') $$`.execute(
    db,
  )
  await sql`
    create function app_writes_all() returns boolean language sql stable parallel safe as
    $$ select coalesce(current_setting('app.global', true), '') in ('super_admin', 'system') $$`.execute(db)

  await sql`grant usage on schema public, data to commonplace_app`.execute(db)
  await sql`grant select, insert, update, delete on all tables in schema public to commonplace_app`.execute(
    db,
  )
  await sql`grant usage on all sequences in schema public to commonplace_app`.execute(db)
  // Boundaries are part of the product; the audit log is append-only.
  await sql`revoke update, delete on activity from commonplace_app`.execute(db)

  const publicWhen: Record<string, string> = {
    source: `visibility = 'public' and deleted_at is null`,
    insight: `visibility = 'public' and deleted_at is null`,
    collection: `visibility = 'public' and deleted_at is null`,
    page: `visibility = 'public' and publish = 'published' and deleted_at is null`,
    content: `page_id in (select id from page)`,
    insight_result: `insight_id in (select id from insight)`,
    collection_insight: `collection_id in (select id from collection)`,
    source_stat: `source_id in (select id from source)`,
    cluster_pyramid: `source_id in (select id from source)`,
    data_history: `false`,
    activity: `false`,
    place: `true`,
    hub: `true`,
    place_domain: `true`,
  }
  for (const [table, readable] of Object.entries(publicWhen)) {
    const place = table === 'place' ? 'id' : 'place_id'
    await guard(db, table, place, readable)
  }
  await sql`alter table data_type enable row level security`.execute(db)
  await sql`create policy data_type_read on data_type for select using (true)`.execute(db)
  await sql`
    create policy data_type_write on data_type using ((select app_writes_all()) or owner_place_id = any ((select app_places())::text[]))
      with check ((select app_writes_all()) or owner_place_id = any ((select app_places())::text[]))`.execute(
    db,
  )

  // Any transaction may insert events and emails; only the product itself reads them.
  for (const table of ['outbox', 'mail']) {
    await sql`alter table ${sql.table(table)} enable row level security`.execute(db)
    await sql`create policy ${sql.ref(`${table}_add`)} on ${sql.table(table)} for insert with check (true)`.execute(
      db,
    )
    await sql`
      create policy ${sql.ref(`${table}_keep`)} on ${sql.table(table)}
        using ((select app_writes_all())) with check ((select app_writes_all()))`.execute(db)
  }
  await dataTableFunctions(db)
}

/**
 * Creates the policies of a table. Read: public rows, those of the actor's places, or everything for roles
 * that read all. Write: rows of the actor's places, or everything as the product.
 */
async function guard(db: Kysely<unknown>, table: string, place: string, readable: string) {
  const name = sql.table(table)
  const mine = sql`${sql.ref(place)} = any ((select app_places())::text[])`
  await sql`alter table ${name} enable row level security`.execute(db)
  await sql`
    create policy ${sql.ref(`${table}_read`)} on ${name} for select
      using (${sql.raw(readable)} or (select app_reads_all()) or ${mine})`.execute(db)
  for (const verb of ['insert', 'update', 'delete']) {
    const allowed = sql`((select app_writes_all()) or ${mine})`
    await sql`
      create policy ${sql.ref(`${table}_${verb}`)} on ${name} for ${sql.raw(verb)}
        ${verb === 'insert' ? sql`with check ${allowed}` : sql`using ${allowed}`}`.execute(db)
  }
}

/**
 * Creates the only functions with DDL that the application's role may call: they create or extend the table
 * of a data type as the owner, with validated names and types only.
 */
async function dataTableFunctions(db: Kysely<unknown>) {
  await sql`
    create function check_data_column(p_name text, p_type text) returns void language plpgsql immutable as $$
    begin
      if p_name !~ '^f_[A-Za-z0-9_]{1,60}$' then raise exception 'bad column name'; end if;
      if p_type not in ('text', 'double precision', 'boolean', 'timestamptz', 'jsonb', 'text[]',
        'double precision[]', 'boolean[]', 'timestamptz[]', 'geometry(Geometry,4326)')
      then raise exception 'bad column type'; end if;
    end $$`.execute(db)
  await sql`
    create function make_data_table(p_table text, p_columns jsonb, p_primary_date text) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare c record;
    begin
      if p_table !~ '^[a-z][a-z0-9_]{0,48}$' then raise exception 'bad table name'; end if;
      perform pg_advisory_xact_lock(hashtext('data.' || p_table));
      execute format('create table if not exists data.%I (
        id bigint generated always as identity primary key,
        place_id text not null,
        source_id text not null,
        external_id text not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now(),
        geometry geometry(Geometry,4326),
        key bigint,
        foreign key (source_id, place_id) references public.source (id, place_id) on delete cascade,
        unique (source_id, external_id))', p_table);
      for c in select x->>'name' as name, x->>'type' as type from jsonb_array_elements(p_columns) x loop
        perform check_data_column(c.name, c.type);
        execute format('alter table data.%I add column if not exists %I %s', p_table, c.name, c.type);
      end loop;
      execute format('create index if not exists %I on data.%I (source_id, id)', p_table || '_page', p_table);
      execute format('create index if not exists %I on data.%I (source_id, key) where key is not null', p_table || '_key', p_table);
      execute format('create index if not exists %I on data.%I using gist (geometry)', p_table || '_geometry', p_table);
      if p_primary_date is not null then
        perform check_data_column(p_primary_date, 'timestamptz');
        execute format('create index if not exists %I on data.%I (source_id, %I desc, id)', p_table || '_date', p_table, p_primary_date);
      end if;
      execute format('alter table data.%I enable row level security', p_table);
      execute format('drop policy if exists seen on data.%I', p_table);
      execute format('create policy seen on data.%I for select using ((select app_reads_all())
        or place_id = any ((select app_places())::text[])
        or source_id in (select s.id from public.source s where s.visibility = ''public'' and s.deleted_at is null))', p_table);
      execute format('drop policy if exists kept on data.%I', p_table);
      execute format('create policy kept on data.%I for all using ((select app_writes_all()) or place_id = any ((select app_places())::text[]))
        with check ((select app_writes_all()) or place_id = any ((select app_places())::text[]))', p_table);
      execute format('grant select, insert, update, delete on data.%I to commonplace_app', p_table);
    end $$`.execute(db)
  await sql`revoke all on function make_data_table(text, jsonb, text) from public`.execute(db)
  await sql`grant execute on function make_data_table(text, jsonb, text) to commonplace_app`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop schema data cascade`.execute(db)
  await sql`drop function make_data_table(text, jsonb, text), check_data_column(text, text)`.execute(db)
}
