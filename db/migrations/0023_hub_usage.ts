import { sql, type Kysely } from 'kysely'
import { guardTable } from '../row-security.ts'

/** Daily usage counts of a hub, a row per name, without personal data. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table hub_usage_day (
      place_id text not null references place (id) on delete cascade,
      day date not null,
      dimension text not null check (dimension in
        ('all', 'page', 'referrer', 'country', 'device', 'locale', 'download', 'search')),
      -- '': of every view, or none was said; '*': all the others together.
      name text not null default '' check (length(name) <= 500),
      views bigint not null default 0,
      visits bigint not null default 0,
      -- How many loads fell into each bucket (functions/shapes/speed.ts); null: none was measured.
      lcp int[] check (cardinality(lcp) = 20),
      cls int[] check (cardinality(cls) = 20),
      inp int[] check (cardinality(inp) = 20),
      ttfb int[] check (cardinality(ttfb) = 20),
      primary key (place_id, day, dimension, name)
    )`.execute(db)
  // For the deletion of old rows and for the nightly aggregation.
  await sql`create index hub_usage_day_day on hub_usage_day (day)`.execute(db)
  // Only the product writes counts, never the place that is counted.
  await guardTable(db, 'hub_usage_day', {
    read: sql`((select app_reads_all()) or place_id = any ((select app_places())::text[]))`,
    write: sql`false`,
  })
  await sql`
    create function add_counts(a int[], b int[]) returns int[] language plpgsql immutable parallel safe as $$
    begin
      if a is null then return b; end if;
      if b is null then return a; end if;
      for i in 1 .. cardinality(b) loop a[i] := coalesce(a[i], 0) + b[i]; end loop;
      return a;
    end $$`.execute(db)
  await sql`create aggregate sum_counts(int[]) (sfunc = add_counts, stype = int[], combinefunc = add_counts,
    parallel = safe)`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table hub_usage_day`.execute(db)
  await sql`drop aggregate sum_counts(int[])`.execute(db)
  await sql`drop function add_counts(int[], int[])`.execute(db)
}
