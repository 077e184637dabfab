import { sql, type Kysely } from 'kysely'
import { guardTable } from '../row-security.ts'

/**
 * Tokens of emails are created on sending: the queue stores the purpose of an email and a text with a
 * placeholder for the token; `email_token` stores the hashes of sent tokens. The text of an email that was
 * sent, given up or replaced is deleted.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table email_token (
      -- SHA-256 of the token, hex. The token itself is nowhere.
      token_hash text primary key,
      -- The email it was made for: each attempt to send one has a token of its own. No reference: emails are removed earlier.
      mail_id text,
      kind text not null,
      -- Whose or of what: the id of a person, or of an invitation.
      subject_id text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index email_token_subject on email_token (kind, subject_id)`.execute(db)
  await sql`create index email_token_end on email_token (expires_at)`.execute(db)
  // A transaction names the hash it was given and sees only that row; only the product creates tokens.
  const named = sql`token_hash = coalesce(current_setting('app.email_token', true), '')`
  await guardTable(db, 'email_token', { read: named, write: sql`false` })
  await sql`alter table email_token force row level security`.execute(db)

  await sql`
    insert into email_token (token_hash, kind, subject_id, created_at, expires_at)
    select token_hash, 'confirmation', user_id, created_at, expires_at from confirmation
    union all
    select token_hash, 'invite', id, sent_at, expires_at from invite`.execute(db)

  await dropHolders(db)
  const holds = sql`id = (select t.subject_id from email_token t
    where t.kind = 'invite' and t.token_hash = coalesce(current_setting('app.email_token', true), ''))`
  await letHolders(db, holds)
  await sql`alter table invite drop column token_hash`.execute(db)

  const own = sql`((select app_writes_all()) or user_id = coalesce(current_setting('app.confirmation', true), ''))`
  await eachPolicy(db, 'confirmation', own)
  await sql`alter table confirmation drop column token_hash, drop column expires_at`.execute(db)

  await changeQueue(db)
  await doors(db)
}

/** The queue of emails: purpose, attempts and outcome of an email. Tokens of waiting emails are removed. */
async function changeQueue(db: Kysely<unknown>) {
  await sql`
    alter table mail
      add column kind text not null default 'notice',
      add column subject_id text,
      -- When what its token opens ends, where that does not count from sending.
      add column until timestamptz,
      add column attempts int not null default 0,
      -- The last attempt; nobody else tries in the ten minutes after it.
      add column tried_at timestamptz,
      -- Null: it waits. 'replaced': by a newer one; 'obsolete': there was nothing left to send it for.
      add column outcome text check (outcome in ('sent', 'failed', 'replaced', 'obsolete'))`.execute(db)
  await sql`
    update mail set outcome = case when text = '' then 'sent' else 'failed' end, text = '', html = '', headers = null
    where text = '' or created_at < now() - interval '1 day'`.execute(db)
  await sql`
    update mail set tried_at = sent_at, sent_at = null,
      attempts = case when sent_at is null then 0 else 1 end where outcome is null`.execute(db)
  // For each kind: how its links begin, and what they are about.
  await sql`
    update mail set kind = 'invite', subject_id = substring(text from '/invite/([^?/[:space:]]+)[?]token=')
    where outcome is null and text ~ '/invite/[^?/[:space:]]+[?]token='`.execute(db)
  for (const [kind, path] of [
    ['confirmation', '/confirmation'],
    ['reset', '/reset_password'],
  ] as const)
    await sql`
      update mail set kind = ${kind}, subject_id = (select u.id from "user" u where u.email = mail."to")
      where outcome is null and text like ${`%${path}?token=%`}`.execute(db)
  await sql`
    update mail set kind = 'alert', subject_id = json_build_array(
      substring(text from '/places/([^/[:space:]]+)/observers/[^/[:space:]]+/unsubscribe[?]'),
      substring(text from '/observers/([^/[:space:]]+)/unsubscribe[?]'),
      (select u.id from "user" u where u.email = mail."to"))::text
    where outcome is null and text like '%/unsubscribe?token=%'`.execute(db)
  await sql`
    update mail set text = regexp_replace(text, '[?]token=[A-Za-z0-9_.%~-]+', '?token={token}', 'g'),
      html = regexp_replace(html, '[?]token=[A-Za-z0-9_.%~-]+', '?token={token}', 'g'),
      headers = regexp_replace(headers::text, '[?]token=[A-Za-z0-9_.%~-]+', '?token={token}', 'g')::jsonb
    where outcome is null and kind <> 'notice'`.execute(db)
  // The recipient no longer exists, so the email is obsolete.
  await sql`
    update mail set outcome = 'obsolete', text = '', html = '', headers = null
    where outcome is null and kind <> 'notice' and subject_id is null`.execute(db)
  await sql`
    alter table mail
      add constraint mail_ended check (outcome is null or (text = '' and html = '' and headers is null)),
      add constraint mail_no_token check (
        kind in ('notice', 'alert') or (text !~ 'token=[^{]' and html !~ 'token=[^{]'))`.execute(db)
  await sql`create index mail_waiting on mail (created_at) where outcome is null`.execute(db)
  await sql`create index mail_subject on mail (kind, subject_id) where outcome is null`.execute(db)
}

/**
 * The functions by which others than the product affect emails: they replace the waiting or sent email of a
 * subject by a newer one.
 */
async function doors(db: Kysely<unknown>) {
  // First the queue, then the hashes: an email that is being sent at the moment either has its token removed
  // here or finds that it was replaced (it locks its row in the queue before it creates a token).
  await sql`
    create function void_emails(p_kind text, p_subject text) returns void
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare before text := coalesce(current_setting('app.global', true), '');
    begin
      perform set_config('app.global', 'system', true);
      update mail set outcome = 'replaced', text = '', html = '', headers = null
      where kind = p_kind and subject_id = p_subject and outcome is null;
      delete from email_token where kind = p_kind and subject_id = p_subject;
      perform set_config('app.global', before, true);
    end $$`.execute(db)
  await sql`drop function renew_waiting_invite(text, text)`.execute(db)
  // As before, except for the token, which is created on sending.
  await sql`
    create function renew_waiting_invite(p_id text) returns int
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare
      wait int;
      before text := coalesce(current_setting('app.global', true), '');
    begin
      perform set_config('app.global', 'system', true);
      select greatest(0, ceil(extract(epoch from i.sent_at + interval '1 minute' - now())))::int into wait
      from invite i where i.id = p_id and i.id in (select w.id from waiting_invites() w) for update;
      if found and wait = 0 then
        update invite set sent_at = now(), updated_at = now() where id = p_id;
        perform void_emails('invite', p_id);
      end if;
      perform set_config('app.global', before, true);
      return wait;
    end $$`.execute(db)
  for (const name of ['void_emails(text, text)', 'renew_waiting_invite(text)']) await grantFunction(db, name)
}

/**
 * Removes waiting emails with a token, since the previous code would send the placeholder. Of several tokens
 * the newest is kept.
 */
export async function down(db: Kysely<unknown>) {
  await sql`drop function renew_waiting_invite(text), void_emails(text, text)`.execute(db)
  await sql`delete from mail where outcome is null and kind <> 'notice'`.execute(db)
  await sql`update mail set sent_at = coalesce(sent_at, tried_at, now()) where outcome is not null`.execute(
    db,
  )
  await sql`drop index mail_waiting, mail_subject`.execute(db)
  await sql`
    alter table mail drop constraint mail_ended, drop constraint mail_no_token, drop column kind,
      drop column subject_id, drop column until, drop column attempts, drop column tried_at, drop column outcome`.execute(
    db,
  )
  const newest = (kind: string, id: string, column: string) =>
    sql`(select t.${sql.ref(column)} from email_token t where t.kind = ${sql.lit(kind)} and t.subject_id = ${sql.ref(id)}
      order by t.created_at desc limit 1)`
  await sql`alter table confirmation add column token_hash text unique, add column expires_at timestamptz`.execute(
    db,
  )
  await sql`
    update confirmation set token_hash = ${newest('confirmation', 'confirmation.user_id', 'token_hash')},
      expires_at = ${newest('confirmation', 'confirmation.user_id', 'expires_at')}`.execute(db)
  await sql`delete from confirmation where token_hash is null`.execute(db)
  await sql`
    alter table confirmation alter column token_hash set not null, alter column expires_at set not null`.execute(
    db,
  )
  const named = sql`coalesce(current_setting('app.confirmation', true), '')`
  await eachPolicy(
    db,
    'confirmation',
    sql`((select app_writes_all()) or (user_id = ${named} or token_hash = ${named}))`,
  )
  await dropHolders(db)
  await sql`alter table invite add column token_hash text unique`.execute(db)
  // An invitation whose email was not sent has no token; this is a value that is the hash of none.
  await sql`update invite set token_hash = coalesce(${newest('invite', 'invite.id', 'token_hash')}, id)`.execute(
    db,
  )
  await sql`alter table invite alter column token_hash set not null`.execute(db)
  const holds = sql`token_hash = coalesce(current_setting('app.invite', true), '')`
  await letHolders(db, holds)
  await sql`drop table email_token`.execute(db)
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
  await grantFunction(db, 'renew_waiting_invite(text, text)')
}

/** The holder of an invitation's token can see and settle it, without being a member. */
async function letHolders(db: Kysely<unknown>, holds: ReturnType<typeof sql>) {
  await sql`create policy invite_held on invite for select using (${holds})`.execute(db)
  await sql`create policy invite_settled on invite for update using (${holds}) with check (${holds})`.execute(
    db,
  )
}

async function dropHolders(db: Kysely<unknown>) {
  for (const name of ['invite_held', 'invite_settled'])
    await sql`drop policy ${sql.ref(name)} on invite`.execute(db)
}

async function eachPolicy(db: Kysely<unknown>, table: string, condition: ReturnType<typeof sql>) {
  for (const verb of ['select', 'insert', 'update', 'delete']) {
    const name = sql.ref(`${table}_${verb}`)
    // Without WITH CHECK, Postgres applies USING to updated rows as well.
    const word = verb === 'insert' ? sql`with check` : sql`using`
    await sql`alter policy ${name} on ${sql.table(table)} ${word} (${condition})`.execute(db)
  }
}

async function grantFunction(db: Kysely<unknown>, name: string) {
  await sql`revoke all on function ${sql.raw(name)} from public`.execute(db)
  await sql`grant execute on function ${sql.raw(name)} to commonplace_app`.execute(db)
}
