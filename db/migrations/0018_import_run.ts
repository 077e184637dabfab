import { sql, type Kysely } from 'kysely'
import { guardPlaceTable } from '../row-security.ts'

/** The state of a run between its steps: its plan, fetched pages, valid rows and rejected ones. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table job
      -- Times it was taken up without getting on since.
      add column attempts int not null default 0,
      -- When it may be taken up again.
      add column due_at timestamptz not null default now(),
      -- The importer as it was when the run began.
      add column plan jsonb`.execute(db)
  await sql`
    create index job_due on job (due_at)
      where status in ('queued', 'running', 'stopping', 'waiting')`.execute(db)

  await sql`
    create table import_object (
      job_id text not null,
      place_id text not null,
      n int not null,
      -- Which of the importer's sources it is a page of, from 0.
      source int not null,
      key text not null,
      size bigint not null,
      -- As it may be shown: secrets are masked.
      url text not null,
      content_type text,
      primary key (job_id, n),
      foreign key (job_id, place_id) references job (id, place_id) on delete cascade
    )`.execute(db)
  await guardPlaceTable(db, 'import_object')

  // Without a foreign key, which would be checked for each of millions of rows; the daily sweep removes
  // orphans.
  await sql`
    create table import_row (
      job_id text not null,
      place_id text not null,
      seq bigint not null,
      external_id text not null,
      -- Null: a row that was refused but says that its record exists. As text: it is only given back.
      row json,
      primary key (job_id, seq)
    )`.execute(db)
  await sql`create index import_row_id on import_row (job_id, external_id)`.execute(db)
  await guardPlaceTable(db, 'import_row')

  await sql`
    create table import_reject (
      job_id text not null,
      place_id text not null,
      n int not null,
      row bigint not null,
      line bigint,
      entry text,
      sheet text,
      field text,
      message text not null,
      value text,
      primary key (job_id, n),
      foreign key (job_id, place_id) references job (id, place_id) on delete cascade
    )`.execute(db)
  await guardPlaceTable(db, 'import_reject')
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table import_reject, import_row, import_object`.execute(db)
  await sql`alter table job drop column plan, drop column due_at, drop column attempts`.execute(db)
}
