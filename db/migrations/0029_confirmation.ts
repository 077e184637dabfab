import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, guardTable, unguardTable } from '../row-security.ts'

/**
 * Links that confirm an address, one per person, for the latest sign-up; invitations are opened only by their
 * token; the creators of keys, so that a new password revokes them.
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
  // A transaction names the row it is about: by the person on creation, by the link's token when it is used.
  const named = sql`coalesce(current_setting('app.confirmation', true), '')`
  const own = sql`(user_id = ${named} or token_hash = ${named})`
  await guardTable(db, 'confirmation', { read: own, write: own })
  await sql`alter table confirmation force row level security`.execute(db)

  // The holder of the token sees and settles its invitation. A confirmed address alone no longer opens
  // invitations: it can be confirmed in many ways, and only one of them is the invitation's email.
  await unguardTable(db, 'invite')
  await guardPlaceTable(db, 'invite')
  const holds = sql`token_hash = coalesce(current_setting('app.invite', true), '')`
  await sql`create policy invite_held on invite for select using (${holds})`.execute(db)
  await sql`create policy invite_settled on invite for update using (${holds}) with check (${holds})`.execute(
    db,
  )
  await ownInvitations(db)

  // The creator of the key; null: the product, or unknown. Without a foreign key: a place may be in another
  // database.
  await sql`alter table api_key add column created_by text`.execute(db)
  // When the person chose a new password and decided to keep this key.
  await sql`alter table api_key add column kept_at timestamptz`.execute(db)
  await sql`create index api_key_user on api_key (user_id) where revoked_at is null`.execute(db)
  await sql`create index api_key_maker on api_key (created_by) where revoked_at is null`.execute(db)
  await sql`update api_key set created_by = user_id where user_id is not null`.execute(db)
  await sql`
    update api_key k set created_by = a.actor_id from activity a
    where k.created_by is null and a.target_type = 'key' and a.verb = 'created' and a.target_id = k.id`.execute(
    db,
  )
  // When all keys of a person were last revoked at once; for keys of places in another database.
  await sql`alter table "user" add column keys_ended_at timestamptz`.execute(db)
}

/**
 * What people may see and do about invitations to their confirmed address without the token: that one is
 * pending and where, and resend its email. Never the token's hash or the role. `app.global` is set so that
 * the functions also work where row-level security applies to the owner of the table; in their bodies, since
 * only a superuser may make it a setting of a function, and owners on most servers are not superusers.
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
  // Returns 0 when the email is sent, otherwise how many seconds to wait; null: no such pending invitation.
  // Role, inviter and expiry are unchanged: only admins of the place can renew the invitation itself.
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
