import { sql, type Kysely } from 'kysely'
import { guardPlaceTable } from '../row-security.ts'

/**
 * The counts of map cells per value, for fields with few values: a map of the whole world with a filter of
 * such a field reads them instead of counting records. `facet` is the field's key and type (`kind:text`),
 * `value` is empty for records without one and otherwise an equals sign and the value. `source_stat.facets`
 * lists the complete ones. The index of keys includes the place, which row-level security checks, so that
 * records are counted by an index-only scan.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table facet_pyramid (
      source_id text not null,
      place_id text not null,
      facet text not null,
      z smallint not null,
      cell bigint not null,
      value text not null,
      n int not null,
      sum_x double precision not null,
      sum_y double precision not null,
      primary key (source_id, facet, z, cell, value),
      foreign key (source_id, place_id) references source (id, place_id) on delete cascade
    )`.execute(db)
  await guardPlaceTable(db, 'facet_pyramid', { alsoRead: sql`source_id in (select id from source)` })
  await sql`alter table source_stat add column facets text[] not null default '{}'`.execute(db)
  await indexKeys(db, '(source_id, key) where', '(source_id, key) include (place_id) where')
}

export async function down(db: Kysely<unknown>) {
  await indexKeys(db, '(source_id, key) include (place_id) where', '(source_id, key) where')
  await sql`alter table source_stat drop column facets`.execute(db)
  await sql`drop table facet_pyramid`.execute(db)
}

/** Changes the index of keys, for new data tables and for existing ones. */
async function indexKeys(db: Kysely<unknown>, before: string, after: string) {
  await sql`
    do $do$
    declare made record; body text;
    begin
      select pg_get_functiondef('make_data_table(text, jsonb, text)'::regprocedure) into body;
      if position(${sql.lit(before)} in body) = 0 then raise exception 'make_data_table has no such index'; end if;
      execute replace(body, ${sql.lit(before)}, ${sql.lit(after)});
      for made in select format('%I.%I', schemaname, indexname) as name, indexdef from pg_indexes
        where schemaname = 'data' and replace(replace(indexdef, 'WHERE', 'where'), 'INCLUDE', 'include') like ${sql.lit(`%${before}%`)} loop
        execute 'drop index ' || made.name;
        execute replace(replace(replace(made.indexdef, 'WHERE', 'where'), 'INCLUDE', 'include'), ${sql.lit(before)}, ${sql.lit(after)});
      end loop;
    end $do$`.execute(db)
}
