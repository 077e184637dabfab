import { sql, type Kysely } from 'kysely'

/**
 * Partitions a data table by source. Partitions are in the schema `data_part`, to which the application's
 * role has no access: records can be reached only through the table that row-level security protects.
 */
export async function makePartitions(db: Kysely<unknown>) {
  await sql`create schema data_part`.execute(db)
  await sql`
    create function data_partitions(p_table text) returns int language sql stable as $$
      select count(*)::int from pg_inherits where inhparent = to_regclass(format('data.%I', p_table)) $$`.execute(
    db,
  )
  await sql`
    create function data_table_bytes(p_table text) returns bigint language sql stable as $$
      select coalesce(pg_total_relation_size(to_regclass(format('data.%I', p_table))), 0)::bigint
        + coalesce((select sum(pg_total_relation_size(inhrelid)) from pg_inherits
          where inhparent = to_regclass(format('data.%I', p_table))), 0)::bigint $$`.execute(db)
  await rebuildDataTable.execute(db)
  await sql`
    create function partition_data_table(p_data_type text, p_partitions int) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      found record;
      empty constant jsonb := '{"drops": [], "renames": [], "retypes": [], "adds": [], "shapes": null, "id": null}';
    begin
      if not app_writes_all() then raise exception 'not allowed'; end if;
      if p_partitions not between 0 and 256 then raise exception 'bad number of partitions'; end if;
      select table_name into found from data_type where id = p_data_type;
      if found.table_name is null then raise exception 'bad data type'; end if;
      perform rebuild_data_table(found.table_name, p_partitions, empty);
      -- Policies, grants and whatever index is missing.
      perform make_data_type_table(p_data_type, found.table_name, '[]', null);
    end $$`.execute(db)
  await sql`revoke all on function rebuild_data_table(text, int, jsonb), partition_data_table(text, int) from public`.execute(
    db,
  )
  await sql`grant execute on function partition_data_table(text, int) to commonplace_app`.execute(db)
}

/**
 * Rebuilds the table with the same rows: unpartitioned (0) or with partitions. Its columns are those after
 * the plan. Dropping the old table locks the table of all sources, so that is done as late as possible.
 */
const rebuildDataTable = sql`
    create function rebuild_data_table(p_table text, p_partitions int, p_plan jsonb) returns void language plpgsql as $$
    declare
      old regclass := format('data.%I', p_table)::regclass; made text := 'rebuilt_' || p_table; c record;
      counter text; last bigint; called boolean; indexes text[]; stale text[];
      shape text := record_shape(p_plan->'shapes'); names text; types text; vals text; id_text text;
    begin
      perform pg_advisory_xact_lock(hashtext('data.' || p_table));
      execute format('lock table %s in access exclusive mode', old);
      select coalesce(array_agg(x), '{}') into stale from (
        select jsonb_array_elements_text(p_plan->'drops') union
        select y->>'from' from jsonb_array_elements(p_plan->'renames') y union
        select y->>'old' from jsonb_array_elements(p_plan->'retypes') y) gone (x);
      -- An index of what has another name or type now is made anew by whoever made it.
      select array_agg(pg_get_indexdef(i.indexrelid)) into indexes from pg_index i
        where i.indrelid = old and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
          and not exists (select from pg_depend d join pg_attribute a on a.attrelid = old and a.attnum = d.refobjsubid
            where d.objid = i.indexrelid and d.refobjid = old and a.attname = any (stale));
      with renamed as (select x->>'from' as f, x->>'to' as t from jsonb_array_elements(p_plan->'renames') x),
      retyped as (select x->>'old' as origin, x->>'name' as name, x->>'type' as type, column_conversion(quote_ident(x->>'old'),
        x->>'was', x->>'type', x->'from', x->'to', (p_plan->>'lenient')::boolean) as value from jsonb_array_elements(p_plan->'retypes') x),
      kept as (
        select a.attnum as n, coalesce(r.name, m.t, a.attname::text) as name,
          coalesce(r.type, format_type(a.atttypid, a.atttypmod)) as type, coalesce(r.value, quote_ident(a.attname)) as value
        from pg_attribute a left join retyped r on r.origin = a.attname left join renamed m on m.f = a.attname
        where a.attrelid = old and a.attname like 'f\\_%' and not a.attisdropped
          and a.attname <> all (select x from jsonb_array_elements_text(p_plan->'drops') x)),
      fields as (
        select * from kept union all
        select 10000 + i, x->>'name', x->>'type', 'null::' || (x->>'type')
        from jsonb_array_elements(p_plan->'adds') with ordinality u(x, i) where x->>'name' not in (select name from kept))
      select string_agg(format(', %I', name), '' order by n), string_agg(format(', %I %s', name, type), '' order by n),
        string_agg(format(', %s as %I', value, name), '' order by n) into names, types, vals from fields;
      select coalesce(pg_get_serial_sequence(old::text, 'id'), format('data.%I', 'id_' || p_table)) into counter;
      execute format('select last_value, is_called from %s', counter) into last, called;

      execute format('create table data.%I (id bigint not null, place_id text not null, source_id text not null,
        external_id text not null, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
        geometry geometry(Geometry,4326), key bigint %s) %s', made, types,
        case when p_partitions > 0 then 'partition by hash (source_id)' else '' end);
      if p_partitions > 0 then
        for i in 0..p_partitions - 1 loop
          execute format('create table data_part.%I partition of data.%I for values with (modulus %s, remainder %s)',
            'new_' || p_table || '_' || i, made, p_partitions, i);
        end loop;
      end if;
      id_text := own_id(quote_ident(p_plan->'id'->>'name'), p_plan->'id'->>'type');
      execute format('insert into data.%I (id, place_id, source_id, external_id, created_at, updated_at, geometry, key %s)
        select id, place_id, source_id, %s, created_at, updated_at, shape, %s %s from (
          select *, %s as shape from (
            select id, place_id, source_id, external_id, created_at, updated_at, geometry, key %s from %s offset 0) records offset 0) placed',
        made, names, case when id_text is null then 'external_id' else format('coalesce(nullif(%s, ''''), external_id)', id_text) end,
        case when shape is null then 'key' else 'map_key(shape)' end, names, coalesce(shape, 'geometry'), vals, old);
      -- Its indexes and its sequence go with it and leave their names to the new ones.
      execute format('alter table %s rename to %I', old, 'gone_' || p_table);
      execute format('alter table data.%I set schema data_part', 'gone_' || p_table);
      execute format('alter table data.%I rename to %I', made, p_table);
      if p_partitions > 0 then
        -- Before Postgres 17 such a table has no identity column: a sequence of its own keeps ids apart over all partitions.
        execute format('create sequence data.%I', 'id_' || p_table);
        execute format('select setval(%L, %s, %L)', format('data.%I', 'id_' || p_table), last, called);
        execute format('alter table data.%I alter column id set default nextval(%L)', p_table, format('data.%I', 'id_' || p_table));
        execute format('alter sequence data.%I owned by data.%I.id', 'id_' || p_table, p_table);
        execute format('grant usage on sequence data.%I to commonplace_app', 'id_' || p_table);
        execute format('alter table data.%I add primary key (source_id, id)', p_table);
        execute format('create index %I on data.%I (id)', p_table || '_id_only', p_table);
      else
        execute format('alter table data.%I alter column id add generated always as identity', p_table);
        execute format('select setval(%L, %s, %L)', pg_get_serial_sequence(format('data.%I', p_table), 'id'), last, called);
        execute format('alter table data.%I add primary key (id)', p_table);
      end if;
      execute format('alter table data.%I add unique (source_id, external_id)', p_table);
      for c in select x from unnest(indexes) x where x not like '% (id)' loop
        execute c.x;
      end loop;
      execute format('analyze data.%I', p_table);
      execute format('alter table data.%I add foreign key (source_id, place_id)
        references public.source (id, place_id) on delete cascade', p_table);
      execute format('drop table data_part.%I', 'gone_' || p_table);
      for c in select relname from pg_inherits join pg_class on oid = inhrelid
        where inhparent = format('data.%I', p_table)::regclass loop
        execute format('alter table data_part.%I rename to %I', c.relname, substr(c.relname, 5));
      end loop;
    end $$`

/** Drops what `makePartitions` created, including partitioned tables. */
export async function dropPartitions(db: Kysely<unknown>) {
  await sql`
    drop function partition_data_table(text, int), rebuild_data_table(text, int, jsonb), data_table_bytes(text),
      data_partitions(text)`.execute(db)
  await sql`drop schema data_part cascade`.execute(db)
}
