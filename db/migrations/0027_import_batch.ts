import { sql, type Kysely } from 'kysely'
import { guardPlaceTable } from '../row-security.ts'

/**
 * Stores the valid rows of a run in the batches they were read in: a row for each took half of the time of
 * writing.
 */
export async function up(db: Kysely<unknown>) {
  // Without a foreign key, as before: the daily sweep removes orphans.
  await sql`
    create table import_batch (
      job_id text not null,
      place_id text not null,
      -- The number of its first row.
      first bigint not null,
      -- Its good rows' numbers and the ids of their records, in the order of the rows.
      seqs bigint[] not null,
      ids text[] not null,
      -- The same rows as JSON: a list of [number, id, record]. It is only given back.
      rows text not null,
      -- What refused rows say: that these records exist.
      named text[] not null,
      -- Numbers of good rows that are not to be stored after all.
      dropped bigint[] not null default '{}',
      primary key (job_id, first)
    )`.execute(db)
  // Without compression: these columns are rewritten twice and deleted within the hour.
  await sql`alter table import_batch alter column rows set storage external, alter column ids set storage external,
    alter column seqs set storage external`.execute(db)
  await guardPlaceTable(db, 'import_batch')
  await sql`
    insert into import_batch (job_id, place_id, first, seqs, ids, rows, named)
    select job_id, place_id, min(seq),
      coalesce(array_agg(seq order by seq) filter (where row is not null), '{}'),
      coalesce(array_agg(external_id order by seq) filter (where row is not null), '{}'),
      coalesce((json_agg(json_build_array(seq, external_id, row) order by seq) filter (where row is not null))::text, '[]'),
      coalesce(array_agg(external_id order by seq) filter (where row is null), '{}')
    from import_row group by job_id, place_id, seq / 1000`.execute(db)
  await sql`drop table import_row`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`
    create table import_row (
      job_id text not null,
      place_id text not null,
      seq bigint not null,
      external_id text not null,
      row json,
      primary key (job_id, seq)
    )`.execute(db)
  await sql`create index import_row_id on import_row (job_id, external_id)`.execute(db)
  await guardPlaceTable(db, 'import_row')
  await sql`
    insert into import_row (job_id, place_id, seq, external_id, row)
    select b.job_id, b.place_id, (r ->> 0)::bigint, r ->> 1, case when (r ->> 0)::bigint = any(b.dropped) then null else r -> 2 end
    from import_batch b, json_array_elements(b.rows::json) r`.execute(db)
  await sql`
    insert into import_row (job_id, place_id, seq, external_id)
    select job_id, place_id, -row_number() over (partition by job_id), named
    from (select job_id, place_id, unnest(named) as named from import_batch) b`.execute(db)
  await sql`drop table import_batch`.execute(db)
}
