import { sql, type Kysely } from 'kysely'
import { guardPlaceTable } from '../row-security.ts'

/** The state of observers, the queue of webhooks, and emails that can be stopped with one click. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table observer
      -- When it is to be looked at; null: when its data changes.
      add column due_at timestamptz,
      -- Someone looks at it until then.
      add column lease_until timestamptz,
      -- Raised by whoever takes it up: who holds an older one can change nothing.
      add column fence int not null default 0,
      -- By source: the version that was last looked at, and its newest record then. Null: never yet.
      add column seen jsonb,
      -- As JSON text, so that it stays as it was written.
      add column last_value json,
      -- Whether the crossing that holds now was told.
      add column is_told boolean not null default false,
      add column last_alert_at timestamptz,
      -- Looks that failed in a row, and why the last one did.
      add column failures int not null default 0,
      add column error text`.execute(db)
  await sql`update observer set is_told = is_crossed, due_at = now()`.execute(db)
  await sql`
    create index observer_due on observer (coalesce(lease_until, due_at))
      where enabled and deleted_at is null`.execute(db)

  // One evaluation of an observer creates at most one alert.
  await sql`alter table alert add column fence int`.execute(db)
  await sql`create unique index alert_once on alert (observer_id, fence)`.execute(db)

  await sql`alter table outbox add column noticed_at timestamptz`.execute(db)
  await sql`update outbox set noticed_at = now()`.execute(db)
  await sql`
    create index outbox_unnoticed on outbox (id) where kind = 'data' and noticed_at is null`.execute(db)

  // Headers besides recipient and subject; null: none.
  await sql`alter table mail add column headers jsonb`.execute(db)

  await sql`
    create table delivery (
      id text primary key,
      alert_id text not null unique references alert (id) on delete cascade,
      observer_id text not null,
      place_id text not null,
      status text not null default 'waiting' check (status in ('waiting', 'delivered', 'dead')),
      attempts int not null default 0,
      due_at timestamptz not null default now(),
      -- What the server last answered; null: nothing.
      answered int,
      error text,
      created_at timestamptz not null default now(),
      ended_at timestamptz,
      foreign key (observer_id, place_id) references observer (id, place_id) on delete cascade
    )`.execute(db)
  await sql`create index delivery_due on delivery (due_at) where status = 'waiting'`.execute(db)
  await sql`create index delivery_observer on delivery (observer_id, created_at desc)`.execute(db)
  await guardPlaceTable(db, 'delivery')

  // For holders of the link in an email, who are not signed in: returns what the link is about, and with
  // p_stop unsubscribes from its emails.
  await sql`
    create function observer_letters(p_place text, p_observer text, p_user text, p_stop boolean)
    returns table (name text, is_recipient boolean)
    language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      if p_stop then
        update observer o set recipients = o.recipients - p_user, version = o.version + 1, updated_at = now(),
          channels = case when o.recipients - p_user = '[]' then o.channels - 'email' else o.channels end
        where o.id = p_observer and o.place_id = p_place and o.deleted_at is null and o.recipients ? p_user;
      end if;
      return query select o.name, o.recipients ? p_user from observer o
        where o.id = p_observer and o.place_id = p_place and o.deleted_at is null;
    end $$`.execute(db)
  await sql`revoke all on function observer_letters(text, text, text, boolean) from public`.execute(db)
  await sql`grant execute on function observer_letters(text, text, text, boolean) to commonplace_app`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  await sql`drop function observer_letters(text, text, text, boolean)`.execute(db)
  await sql`drop table delivery`.execute(db)
  await sql`alter table mail drop column headers`.execute(db)
  await sql`drop index outbox_unnoticed`.execute(db)
  await sql`alter table outbox drop column noticed_at`.execute(db)
  await sql`drop index alert_once`.execute(db)
  await sql`alter table alert drop column fence`.execute(db)
  await sql`drop index observer_due`.execute(db)
  await sql`
    alter table observer drop column due_at, drop column lease_until, drop column fence, drop column seen,
      drop column last_value, drop column is_told, drop column last_alert_at, drop column failures,
      drop column error`.execute(db)
}
