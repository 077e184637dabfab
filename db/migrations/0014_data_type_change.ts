import { sql, type Kysely } from 'kysely'
import { dropConversions, makeConversions } from './0014_conversions.ts'
import { dropPartitions, makePartitions } from './0014_partitions.ts'

/**
 * Allows renaming, retyping and dropping fields of a data type that has records, and partitioning its table.
 * `p_plan` is made by the domain and validated here, every name:
 * { drops: [column], renames: [{ from, to }], retypes: [{ old, name, was, type, from, to }],
 *   adds: [{ name, type }], primary: column | null, dates: boolean, shapes: null | [{ name, field }],
 *   id: null | { old, name, was, type, from?, to? }, lenient: boolean }
 */
export async function up(db: Kysely<unknown>) {
  await makeConversions(db)
  await places(db)
  await makePartitions(db)
  await measuring(db)
  await changing(db)
}

/**
 * The location of a record: the geometry that represents it, and its key on the map. Same rules as in the
 * application.
 */
async function places(db: Kysely<unknown>) {
  await sql`
    create function heaviest_shape(variadic p geometry[]) returns geometry language plpgsql immutable parallel safe as $$
    declare g geometry; best geometry; weight int; most int := 0;
    begin
      foreach g in array p loop
        weight := case geometrytype(g) when 'POINT' then 1 when 'LINESTRING' then 2 when 'MULTILINESTRING' then 3
          when 'POLYGON' then 3 when 'MULTIPOLYGON' then 4 end;
        if weight > most then
          most := weight;
          best := g;
        end if;
      end loop;
      return best;
    end $$`.execute(db)
  await sql`
    create function shape_inside(v jsonb, p_field jsonb) returns geometry language plpgsql immutable strict parallel safe as $$
    declare t text := p_field->>'type'; one jsonb; k text; found geometry[] := '{}';
    begin
      if geojson_type(t) is not null then return shape_of_json(v, geojson_type(t)); end if;
      if t = 'array' and jsonb_typeof(v) = 'array' then
        for one in select x from jsonb_array_elements(v) x loop
          found := found || shape_inside(one, p_field->'items');
        end loop;
      elsif t = 'object' and jsonb_typeof(v) = 'object' and p_field ? 'schema' then
        for k in select x.key from json_each((p_field->'schema')::json) x loop
          found := found || shape_inside(v->k, p_field->'schema'->k);
        end loop;
      end if;
      return heaviest_shape(variadic found);
    end $$`.execute(db)
  await sql`
    create function spread_bits(p bigint) returns bigint language sql immutable parallel safe as $$
      select (d | (d << 1)) & x'5555555555555'::bigint from (select (c | (c << 2)) & x'3333333333333'::bigint as d from (
        select (b | (b << 4)) & x'f0f0f0f0f0f0f'::bigint as c from (select (a | (a << 8)) & x'ff00ff00ff00ff'::bigint as b from (
          select (p | (p << 16)) & x'3ff0000ffff'::bigint as a offset 0) a offset 0) b offset 0) c offset 0) d $$`.execute(
    db,
  )
  await sql`
    create function map_key(g geometry) returns bigint language plpgsql immutable strict parallel safe as $$
    declare middle geometry; phi double precision; x double precision; y double precision; side constant double precision := 67108864;
    begin
      middle := case when geometrytype(g) = 'POINT' then g
        when st_area(g) > 0 or st_dimension(g) = 1 and st_length(g) > 0 then st_centroid(g)
        else st_setsrid(st_makepoint((st_xmin(g) + st_xmax(g)) / 2, (st_ymin(g) + st_ymax(g)) / 2), 4326) end;
      phi := greatest(-85.0511287798066, least(85.0511287798066, st_y(middle))) * pi() / 180;
      x := (st_x(middle) + 180) / 360;
      y := (1 - ln(tan(phi) + 1 / cos(phi)) / pi()) / 2;
      return spread_bits(greatest(0, least(side - 1, floor(x * side)))::bigint)
        + 2 * spread_bits(greatest(0, least(side - 1, floor(y * side)))::bigint);
    end $$`.execute(db)
}

/** Measures the effects of a change on the records that the caller can see, without changing anything. */
async function measuring(db: Kysely<unknown>) {
  await sql`
    create function measure_data_change(p_table text, p_plan jsonb) returns jsonb language plpgsql stable
    set timezone = 'UTC' set extra_float_digits = 1 set client_min_messages = 'error' as $$
    declare c record; parts text[] := array['''records'', count(*)']; found jsonb := '{}'; one jsonb; value text;
    begin
      if p_table !~ '^[a-z][a-z0-9_]{0,48}$' then raise exception 'bad table name'; end if;
      for c in select x #>> '{}' as name from jsonb_array_elements(p_plan->'counts') x loop
        perform check_data_column(c.name, 'text');
        parts := parts || format('%L, count(%I)', c.name, c.name);
      end loop;
      for c in select x->>'old' as old, x->>'was' as was, x->>'type' as type, x->'from' as f, x->'to' as t
        from jsonb_array_elements(p_plan->'retypes') x loop
        perform check_data_column(c.old, c.was);
        perform check_data_column(c.old, c.type);
        parts := parts || format('%L, count(%s)', '> ' || c.old, column_conversion(quote_ident(c.old), c.was, c.type, c.f, c.t, false));
      end loop;
      -- A function takes no more than 100 arguments.
      for c in select array_agg(part order by i) as few from unnest(parts) with ordinality u(part, i) group by (i - 1) / 40 loop
        execute format('select jsonb_build_object(%s) from data.%I', array_to_string(c.few, ', '), p_table) into one;
        found := found || one;
      end loop;
      value := own_id(case when p_plan->'id' ? 'from' then column_conversion(quote_ident(p_plan->'id'->>'old'),
          p_plan->'id'->>'was', p_plan->'id'->>'type', p_plan->'id'->'from', p_plan->'id'->'to', true)
        else quote_ident(p_plan->'id'->>'old') end, p_plan->'id'->>'type');
      if value is not null then
        perform check_data_column(p_plan->'id'->>'old', p_plan->'id'->>'type');
        execute format('select jsonb_build_object(''id'', coalesce(sum(case when length(id) > 512 then n else n - 1 end), 0))
          from (select source_id, coalesce(nullif(%s, ''''), external_id) as id, count(*) as n from data.%I group by 1, 2) ids',
          value, p_table) into one;
        found := found || one;
      end if;
      return found;
    end $$`.execute(db)
  await sql`
    create function unconverted_values(p_table text, p_retype jsonb, p_sources text[], p_limit int)
    returns table (id text, source_id text, value jsonb) language plpgsql stable
    set timezone = 'UTC' set extra_float_digits = 1 set client_min_messages = 'error' as $$
    declare old text := p_retype->>'old'; was text := p_retype->>'was';
    begin
      if p_table !~ '^[a-z][a-z0-9_]{0,48}$' then raise exception 'bad table name'; end if;
      perform check_data_column(old, was);
      perform check_data_column(old, p_retype->>'type');
      return query execute format('select t.id::text, t.source_id, %s from data.%I t
        where t.source_id = any($1) and t.%I is not null and %s is null limit $2',
        column_json(format('t.%I', old), was), p_table, old,
        column_conversion(format('t.%I', old), was, p_retype->>'type', p_retype->'from', p_retype->'to', false))
        using p_sources, p_limit;
    end $$`.execute(db)
}

/** Applies a change as the owner of the tables, for callers that may change the data type. */
async function changing(db: Kysely<unknown>) {
  await createTableChange(db)
  await createTableAlteration(db)
  await createImageChange(db)
  await createRecordExpressions(db)
  await sql`revoke all on function change_data_table(text, text, jsonb), change_data_images(text, text, jsonb),
    alter_data_table(text, jsonb) from public`.execute(db)
  await sql`grant execute on function change_data_table(text, text, jsonb) to commonplace_app`.execute(db)
}

/** Validates a plan and applies it to the table, its history and its index. */
async function createTableChange(db: Kysely<unknown>) {
  await sql`
    create function change_data_table(p_data_type text, p_table text, p_plan jsonb) returns void
    language plpgsql security definer set search_path = public, pg_temp
    set timezone = 'UTC' set extra_float_digits = 1 set client_min_messages = 'error' as $$
    declare shape text;
    begin
      if not exists (select from data_type where id = p_data_type and table_name = p_table
        and (app_writes_all() or owner_place_id = any (app_places()))) then raise exception 'bad data type'; end if;
      perform check_data_column(x, 'text') from (
        select jsonb_array_elements_text(p_plan->'drops') union all
        select y->>'from' from jsonb_array_elements(p_plan->'renames') y union all
        select y->>'to' from jsonb_array_elements(p_plan->'renames') y) names (x);
      perform check_data_column(x->>'old', x->>'was'), check_data_column(x->>'name', x->>'type')
        from jsonb_array_elements(p_plan->'retypes') x;
      perform check_data_column(x->>'name', x->>'type') from jsonb_array_elements(p_plan->'adds') x;

      execute format('lock table data.%I in access exclusive mode', p_table);
      perform change_data_images(p_data_type, p_table, p_plan);
      shape := record_shape(p_plan->'shapes');
      -- Columns that went still count: of 1600 that a table may have had in its life, some must be left. And an ALTER of
      -- hundreds of types takes minutes even of an empty table.
      if jsonb_array_length(p_plan->'retypes') > 40
        or (select max(attnum) from pg_attribute where attrelid = format('data.%I', p_table)::regclass)
          + jsonb_array_length(p_plan->'adds') > 1500 then
        perform rebuild_data_table(p_table, data_partitions(p_table), p_plan);
      else
        perform alter_data_table(p_table, p_plan);
      end if;
      if shape is not null then
        execute format('update data_history i set row = i.row || jsonb_build_object(''geometry'', made.g::text, ''key'', map_key(made.g))
          from (select h.id, g from data_history h join source s on s.id = h.source_id and s.data_type_id = $1,
            lateral (select %s as g from jsonb_populate_record(null::data.%I, h.row) r offset 0) shapes
            where h.row is not null) made
          where i.id = made.id', shape, p_table) using p_data_type;
      end if;

      if (p_plan->>'dates')::boolean then execute format('drop index if exists data.%I', p_table || '_newest'); end if;
      -- Policies, grants, and the index by date where it is not there (any more).
      perform make_data_type_table(p_data_type, p_table, '[]',
        case when to_regclass(format('data.%I', p_table || '_newest')) is null then p_plan->>'primary' end);
    end $$`.execute(db)
}

/** Changes the columns of a table. */
async function createTableAlteration(db: Kysely<unknown>) {
  // Rows are not rewritten if columns are only added, dropped or renamed; once if types change, and once more
  // if records get another location or id. The table itself is kept: dropping it would lock the table of all
  // sources.
  await sql`
    create function alter_data_table(p_table text, p_plan jsonb) returns void language plpgsql as $$
    declare c record; todo text[]; shape text := record_shape(p_plan->'shapes'); id_text text;
    begin
      -- An index of the old type may be none of the new one; whoever made it makes another.
      for c in select distinct i.relname from pg_depend d join pg_class i on i.oid = d.objid and i.relkind in ('i', 'I')
        join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where d.refobjid = format('data.%I', p_table)::regclass
          and a.attname in (select x->>'old' from jsonb_array_elements(p_plan->'retypes') x) loop
        execute format('drop index data.%I', c.relname);
      end loop;
      select array_agg(format('drop column %I', x)) into todo from jsonb_array_elements_text(p_plan->'drops') x;
      if todo is not null then execute format('alter table data.%I %s', p_table, array_to_string(todo, ', ')); end if;
      -- By way of names that no field has: two fields may take each other's. The same for the index that was made for
      -- the use of a field, which bears its column's name as a hash.
      for c in select x->>'from' as f, field_index_name(p_table, x->>'from') as index, i
        from jsonb_array_elements(p_plan->'renames') with ordinality u(x, i) loop
        execute format('alter table data.%I rename column %I to %I', p_table, c.f, 'moved_' || c.i);
        execute format('alter index if exists data.%I rename to %I', c.index, p_table || '_moved_' || c.i);
      end loop;
      for c in select x->>'to' as t, field_index_name(p_table, x->>'to') as index, i
        from jsonb_array_elements(p_plan->'renames') with ordinality u(x, i) loop
        execute format('alter table data.%I rename column %I to %I', p_table, 'moved_' || c.i, c.t);
        execute format('alter index if exists data.%I rename to %I', p_table || '_moved_' || c.i, c.index);
      end loop;
      select array_agg(format('alter column %I type %s using %s', x->>'name', x->>'type', column_conversion(
          quote_ident(x->>'name'), x->>'was', x->>'type', x->'from', x->'to', (p_plan->>'lenient')::boolean)))
        into todo from jsonb_array_elements(p_plan->'retypes') x;
      if todo is not null then execute format('alter table data.%I %s', p_table, array_to_string(todo, ', ')); end if;
      select array_agg(format('add column if not exists %I %s', x->>'name', x->>'type')) into todo
        from jsonb_array_elements(p_plan->'adds') x;
      if todo is not null then execute format('alter table data.%I %s', p_table, array_to_string(todo, ', ')); end if;

      todo := null;
      if shape is not null then
        todo := todo || format('alter column geometry type geometry(Geometry,4326) using %s', shape)
          || format('alter column key type bigint using map_key(%s)', shape);
      end if;
      id_text := own_id(quote_ident(p_plan->'id'->>'name'), p_plan->'id'->>'type');
      if id_text is not null then
        todo := todo || format('alter column external_id type text using coalesce(nullif(%s, ''''), external_id)', id_text);
      end if;
      if todo is not null then execute format('alter table data.%I %s', p_table, array_to_string(todo, ', ')); end if;
    end $$`.execute(db)
}

/** Changes the rows of the history. */
async function createImageChange(db: Kysely<unknown>) {
  // A history image is a row of the table with its current columns, so that a version can be rolled back
  // after any change of the schema.
  await sql`
    create function change_data_images(p_data_type text, p_table text, p_plan jsonb) returns void language plpgsql as $$
    declare gone text[]; made text[]; parts text; c record;
    begin
      select array_agg(x) into gone from (
        select jsonb_array_elements_text(p_plan->'drops') union
        select y->>'from' from jsonb_array_elements(p_plan->'renames') y union
        select y->>'old' from jsonb_array_elements(p_plan->'retypes') y) names (x);
      if gone is null then return; end if;
      select array_agg(format('%L, h.row->%L', x->>'to', x->>'from')) into made
        from jsonb_array_elements(p_plan->'renames') x
        where x->>'from' not in (select y->>'old' from jsonb_array_elements(p_plan->'retypes') y);
      for c in select x->>'old' as old, x->>'name' as name, x->>'was' as was, x->>'type' as type, x->'from' as f, x->'to' as t
        from jsonb_array_elements(p_plan->'retypes') x loop
        parts := column_conversion(format('r.%I', c.old), c.was, c.type, c.f, c.t, (p_plan->>'lenient')::boolean);
        made := made || format(case when c.type like 'geometry%' then '%L, (%s)::text' else '%L, %s' end, c.name, parts);
      end loop;
      select string_agg(format('jsonb_build_object(%s)', few), ' || ') into parts from (
        select string_agg(part, ', ') as few from unnest(made) with ordinality u(part, i) group by (i - 1) / 40) groups;
      execute format('update data_history i set row = i.row - $2 || made.more
        from (select h.id, more from data_history h join source s on s.id = h.source_id and s.data_type_id = $1,
          lateral (select %s as more from jsonb_populate_record(null::data.%I, h.row) r offset 0) columns
          where h.row is not null) made
        where i.id = made.id', coalesce(parts, '''{}''::jsonb'), p_table) using p_data_type, gone;
    end $$`.execute(db)
}

/** The location and the id of a record, as SQL expressions of its fields. */
async function createRecordExpressions(db: Kysely<unknown>) {
  await sql`
    create function record_shape(p_shapes jsonb) returns text language sql immutable as $$
      select case when jsonb_typeof(p_shapes) = 'array' then coalesce((
        select 'heaviest_shape(' || string_agg(case when geojson_type(x->'field'->>'type') is not null then format('%I', x->>'name')
            else format('shape_inside(%I, %L::jsonb)', x->>'name', x->'field') end, ', ' order by i) || ')'
        from jsonb_array_elements(p_shapes) with ordinality u(x, i)), 'null::geometry(Geometry,4326)') end $$`.execute(
    db,
  )
  await sql`
    create function own_id(p_value text, p_type text) returns text language sql immutable as $$
      select format(case p_type when 'text' then '%s' when 'double precision' then 'text_of_number(%s)'
        when 'boolean' then '(%s)::text' when 'timestamptz' then 'text_of_date(%s)' end, p_value) $$`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  await sql`
    drop function change_data_table(text, text, jsonb), change_data_images(text, text, jsonb), record_shape(jsonb),
      own_id(text, text), alter_data_table(text, jsonb), unconverted_values(text, jsonb, text[], int), measure_data_change(text, jsonb), map_key(geometry),
      spread_bits(bigint), shape_inside(jsonb, jsonb), heaviest_shape(geometry[])`.execute(db)
  await dropPartitions(db)
  await dropConversions(db)
}
