import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, guardTable } from '../row-security.ts'

/** Observers, their alerts, and who has read which. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table observer (
      id text primary key,
      place_id text not null references place (id) on delete cascade,
      data_type_id text not null references data_type (id),
      source_id text references source (id) on delete cascade,
      name text not null,
      notes text not null default '',
      filters jsonb,
      condition jsonb not null,
      -- A cron expression, or 'onData'.
      schedule text not null default 'onData',
      -- An ISO 8601 duration between two alerts; null: none.
      cooldown text,
      channels jsonb not null default '[]',
      recipients jsonb not null default '[]',
      webhook_url text,
      -- What webhooks are signed with, encrypted; shown once.
      secret text,
      enabled boolean not null default true,
      is_crossed boolean not null default false,
      evaluated_at timestamptz,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      unique (id, place_id)
    )`.execute(db)
  await sql`create index observer_place on observer (place_id, name)`.execute(db)
  await sql`create index observer_data_type on observer (data_type_id)`.execute(db)
  await guardPlaceTable(db, 'observer')

  await sql`
    create table alert (
      id text primary key,
      observer_id text not null,
      place_id text not null,
      kind text not null default 'alert' check (kind in ('alert', 'recovery')),
      title text not null,
      value double precision,
      threshold double precision,
      datum_ids jsonb not null default '[]',
      created_at timestamptz not null default now(),
      deleted_at timestamptz,
      foreign key (observer_id, place_id) references observer (id, place_id) on delete cascade
    )`.execute(db)
  await sql`create index alert_observer on alert (observer_id, created_at desc)`.execute(db)
  await guardPlaceTable(db, 'alert')

  await sql`
    create table alert_read (
      alert_id text not null references alert (id) on delete cascade,
      user_id text not null references "user" (id) on delete cascade,
      read_at timestamptz not null default now(),
      primary key (alert_id, user_id)
    )`.execute(db)
  const own = sql`user_id = (select app_user())`
  await guardTable(db, 'alert_read', { read: own, write: own })
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table alert_read, alert, observer`.execute(db)
}
