import { sql, type Kysely } from 'kysely'
import { guardTable } from '../row-security.ts'

/**
 * Counts which fields are queried, the indexes created for them, and how far the geometries of a source
 * extend from their cells.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table field_use (
      data_type_id text not null references data_type (id) on delete cascade,
      -- The key of a field of the schema.
      field text not null,
      kind text not null check (kind in ('equality', 'range', 'order')),
      day date not null,
      asked bigint not null default 0,
      primary key (data_type_id, field, kind, day)
    )`.execute(db)
  // Only the product writes these counts, which identify no person and no place.
  await guardTable(db, 'field_use', { read: sql`(select app_reads_all())`, write: sql`false` })
  await indexFunctions(db)
  await reach(db)
}

/**
 * The only functions that create and drop indexes of fields, as the owner of the tables: with validated
 * names, only for the product itself, and only indexes named by them. They wait at most two seconds for
 * locks.
 */
async function indexFunctions(db: Kysely<unknown>) {
  await sql`
    create function field_index_name(p_table text, p_column text) returns text language sql immutable as
    $$ select p_table || '_by_' || left(md5(p_column), 10) $$`.execute(db)
  await sql`
    create function make_field_index(p_table text, p_column text, p_most int) returns text
    language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
    declare name text := field_index_name(p_table, p_column);
    begin
      if not app_writes_all() then raise exception 'not allowed' using errcode = '42501'; end if;
      if p_table !~ '^t_[a-z0-9_]{1,47}$' or to_regclass('data.' || p_table) is null then
        raise exception 'bad table name' using errcode = '22023';
      end if;
      if p_column !~ '^f_[A-Za-z0-9_]{1,60}$' or not exists (
        select from pg_attribute where attrelid = to_regclass('data.' || p_table) and attname = p_column
          and not attisdropped and atttypid in ('text'::regtype, 'float8'::regtype, 'bool'::regtype, 'timestamptz'::regtype))
      then raise exception 'bad column name' using errcode = '22023'; end if;
      perform pg_advisory_xact_lock(hashtext('data.' || p_table));
      if to_regclass(format('data.%I', name)) is not null then return name; end if;
      if (select count(*) from pg_index x join pg_class i on i.oid = x.indexrelid
          where x.indrelid = to_regclass('data.' || p_table) and i.relname ~ '_by_[0-9a-f]{10}$') >= p_most
      then return null; end if;
      -- A text may be longer than a tree takes, and no record may be refused for an index.
      if (select atttypid from pg_attribute where attrelid = to_regclass('data.' || p_table) and attname = p_column) = 'text'::regtype
      then execute format('create index %I on data.%I using hash (%I)', name, p_table, p_column);
      else execute format('create index %I on data.%I (source_id, %I, id)', name, p_table, p_column);
      end if;
      return name;
    end $$`.execute(db)
  await sql`
    create function drop_field_index(p_table text, p_index text) returns void
    language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
    begin
      if not app_writes_all() then raise exception 'not allowed' using errcode = '42501'; end if;
      if p_table !~ '^t_[a-z0-9_]{1,47}$' then raise exception 'bad table name' using errcode = '22023'; end if;
      if left(p_index, -10) <> p_table || '_by_' or right(p_index, 10) !~ '^[0-9a-f]{10}$' then
        raise exception 'bad index name' using errcode = '22023';
      end if;
      execute format('drop index if exists data.%I', p_index);
    end $$`.execute(db)
  for (const name of ['make_field_index(text, text, int)', 'drop_field_index(text, text)']) {
    const signature = sql.raw(name)
    await sql`revoke all on function ${signature} from public`.execute(db)
    await sql`grant execute on function ${signature} to commonplace_app`.execute(db)
  }
}

/**
 * Returns the cell of a record's key, and how far its geometry extends from that cell: in SQL what `computeReach`
 * in functions/domain/records/reach.ts calculates for an incoming record.
 */
async function reach(db: Kysely<unknown>) {
  await sql`
    create function record_reach(p_key bigint, p_shape geometry) returns double precision[]
    language plpgsql immutable parallel safe as $$
    declare
      x bigint := p_key & 6148914691236517205;
      y bigint := (p_key >> 1) & 6148914691236517205;
      side constant double precision := 67108864;
    begin
      if st_xmin(p_shape) = st_xmax(p_shape) and st_ymin(p_shape) = st_ymax(p_shape) then return array[0, 0]; end if;
      x := (x | (x >> 1)) & 3689348814741910323; y := (y | (y >> 1)) & 3689348814741910323;
      x := (x | (x >> 2)) & 1085102592571150095; y := (y | (y >> 2)) & 1085102592571150095;
      x := (x | (x >> 4)) & 71777214294589695; y := (y | (y >> 4)) & 71777214294589695;
      x := (x | (x >> 8)) & 281470681808895; y := (y | (y >> 8)) & 281470681808895;
      x := (x | (x >> 16)) & 4294967295; y := (y | (y >> 16)) & 4294967295;
      return array[
        greatest(st_xmax(p_shape) - (x / side * 360 - 180), (x + 1) / side * 360 - 180 - st_xmin(p_shape)),
        greatest(st_ymax(p_shape) - degrees(atan(sinh(pi() * (1 - 2 * (y + 1) / side)))),
          degrees(atan(sinh(pi() * (1 - 2 * y / side)))) - st_ymin(p_shape))];
    end $$`.execute(db)
  await sql`alter table source_stat add column reach jsonb`.execute(db)
  const { rows } = await sql<{ name: string }>`
    select table_name as name from data_type where to_regclass('data.' || table_name) is not null`.execute(db)
  for (const { name } of rows) {
    await sql`
      update source_stat s set reach = jsonb_build_array(found.x, found.y) from (
        select source_id, max(reach[1]) as x, max(reach[2]) as y from (
          select source_id, record_reach(key, geometry) as reach from ${sql.id('data', name)} where key is not null offset 0
        ) each group by 1) found
      where found.source_id = s.source_id`.execute(db)
    await sql`
      update source_stat set reach = '[0, 0]' where reach is null
        and source_id in (select id from source where data_type_id in (select id from data_type where table_name = ${name}))`.execute(
      db,
    )
  }
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table source_stat drop column reach`.execute(db)
  await sql`drop function record_reach(bigint, geometry), make_field_index(text, text, int),
    drop_field_index(text, text), field_index_name(text, text)`.execute(db)
  await sql`drop table field_use`.execute(db)
}
