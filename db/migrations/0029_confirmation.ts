import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, guardTable, unguardTable } from '../rowSecurity.ts'

/**
 * Links that confirm an address, one for each person and of their last sign-up; an invitation is opened by its token only;
 * who made a key, so that a new password ends it.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table confirmation (
      -- One row a person: whoever signs up later, or asks for the email again, replaces the link before.
      user_id text primary key references "user" (id) on delete cascade,
      -- Of the token in the email's link, SHA-256, hex. The token itself is nowhere.
      token_hash text not null unique,
      -- Of the secret in the cookie of the browser that signed up; null where no browser is known.
      browser_hash text,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db)
  // A transaction says which one it is about: by the person when it is made, by the link's token when it is followed.
  const named = sql`coalesce(current_setting('app.confirmation', true), '')`
  const own = sql`(user_id = ${named} or token_hash = ${named})`
  await guardTable(db, 'confirmation', { read: own, write: own })
  await sql`alter table confirmation force row level security`.execute(db)

  // Whoever holds the token sees the invitation it is of and settles it. An address alone opens nothing any more: it is
  // proved by many things, and only one of them is the email of the invitation.
  await unguardTable(db, 'invite')
  await guardPlaceTable(db, 'invite')
  const holds = sql`token_hash = coalesce(current_setting('app.invite', true), '')`
  await sql`create policy invite_held on invite for select using (${holds})`.execute(db)
  await sql`create policy invite_settled on invite for update using (${holds}) with check (${holds})`.execute(
    db,
  )
  await ownInvitations(db)

  // Who made the key; null: the product, or it is not known any more. No reference: a place may live in another database.
  await sql`alter table api_key add column created_by text`.execute(db)
  // When the person chose a new password and had this key kept.
  await sql`alter table api_key add column kept_at timestamptz`.execute(db)
  await sql`create index api_key_user on api_key (user_id) where revoked_at is null`.execute(db)
  await sql`create index api_key_maker on api_key (created_by) where revoked_at is null`.execute(db)
  await sql`update api_key set created_by = user_id where user_id is not null`.execute(db)
  await sql`
    update api_key k set created_by = a.actor_id from activity a
    where k.created_by is null and a.target_type = 'key' and a.verb = 'created' and a.target_id = k.id`.execute(
    db,
  )
  // When a person's keys last ended all at once; for keys of places that live in another database.
  await sql`alter table "user" add column keys_ended_at timestamptz`.execute(db)
}

/**
 * What a person may know and do of invitations to their confirmed address without the token: that one waits and where, and
 * have its email sent again. Never the hash of the token, nor the role. `app.global` is set so that the functions
 * also work where row-level security holds for the owner of the table; in their bodies, since only a superuser may make it
 * a setting of a function, and owners of most servers are none.
 */
async function ownInvitations(db: Kysely<unknown>) {
  await sql`
    create function waiting_invites() returns table (
      id text, email text, expires_at timestamptz, place_id text, place_name text, place_display_name text)
    language plpgsql stable security definer set search_path = public, pg_temp as $$
    #variable_conflict use_column
    declare before text := coalesce(current_setting('app.global', true), '');
    begin
      perform set_config('app.global', 'system', true);
      return query select i.id, i.email, i.expires_at, p.id, p.name, p.display_name
      from "user" u
        join invite i on i.email = u.email and i.status = 'pending' and i.expires_at > now()
        join place p on p.id = i.place_id and p.deleted_at is null
      where u.id = app_user() and u.email_verified
        and not exists (select from place_user m where m.place_id = i.place_id and m.user_id = u.id)
      order by i.sent_at desc, i.id;
      perform set_config('app.global', before, true);
    end $$`.execute(db)
  // Gives 0 when it is done, else for how many seconds one has to wait; null: no such invitation waits. Role, inviter and
  // the end of the invitation stay as they are: only the place's admins vouch for it anew.
  await sql`
    create function renew_waiting_invite(p_id text, p_token_hash text) returns int
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      wait int;
      before text := coalesce(current_setting('app.global', true), '');
    begin
      perform set_config('app.global', 'system', true);
      select greatest(0, ceil(extract(epoch from i.sent_at + interval '1 minute' - now())))::int into wait
      from invite i where i.id = p_id and i.id in (select w.id from waiting_invites() w) for update;
      if found and wait = 0 then
        update invite set token_hash = p_token_hash, sent_at = now(), updated_at = now() where id = p_id;
      end if;
      perform set_config('app.global', before, true);
      return wait;
    end $$`.execute(db)
  for (const name of ['waiting_invites()', 'renew_waiting_invite(text, text)']) {
    await sql`revoke all on function ${sql.raw(name)} from public`.execute(db)
    await sql`grant execute on function ${sql.raw(name)} to commonplace_app`.execute(db)
  }
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table "user" drop column keys_ended_at`.execute(db)
  await sql`drop index api_key_user`.execute(db)
  await sql`alter table api_key drop column created_by, drop column kept_at`.execute(db)
  await sql`drop function renew_waiting_invite(text, text), waiting_invites()`.execute(db)
  await sql`drop policy invite_held on invite`.execute(db)
  await sql`drop policy invite_settled on invite`.execute(db)
  await unguardTable(db, 'invite')
  const holds = sql`(token_hash = coalesce(current_setting('app.invite', true), '')
    or email = (select u.email from "user" u where u.id = app_user() and u.email_verified))`
  await guardPlaceTable(db, 'invite', { alsoRead: holds, alsoWrite: holds })
  await sql`drop table confirmation`.execute(db)
}
