import { sql, type Kysely } from 'kysely'

/** The outbox: events for the queue, emails and the audit log; and which manifest each hub serves. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table outbox (
      id bigint generated always as identity primary key,
      kind text not null,
      place_id text,
      payload jsonb not null default '{}',
      created_at timestamptz not null default now(),
      sent_at timestamptz,
      done_at timestamptz,
      attempts int not null default 0
    )`.execute(db)
  await sql`create index outbox_open on outbox (id) where done_at is null`.execute(db)
  await sql`
    create table mail (
      id text primary key,
      "to" text not null,
      subject text not null,
      text text not null,
      html text not null,
      created_at timestamptz not null default now(),
      sent_at timestamptz
    )`.execute(db)
  await sql`create index mail_newest on mail (created_at desc)`.execute(db)
  await sql`
    create table activity (
      id text primary key,
      place_id text references place (id),
      actor_id text,
      verb text not null,
      target_type text not null,
      target_id text not null,
      target_name text not null default '',
      at timestamptz not null default now()
    )`.execute(db)
  await sql`create index activity_place on activity (place_id, at desc)`.execute(db)
  await sql`
    create table hub (
      place_id text primary key references place (id) on delete cascade,
      manifest int not null default 0,
      allocated int not null default 0,
      published_at timestamptz
    )`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table hub, activity, mail, outbox`.execute(db)
}
