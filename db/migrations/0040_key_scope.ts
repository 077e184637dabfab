import { sql, type Kysely } from 'kysely'

/** The scope of a key, its expiry, and the next notice to its owner. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table api_key
      drop constraint api_key_scope_check,
      drop constraint api_key_check,
      drop constraint api_key_check1,
      -- Keys end by themselves, after a year unless another time was chosen; so do those of before, from now on.
      add column expires_at timestamptz not null default now() + interval '1 year',
      -- The email or line of the audit log that is due next: that it has an end at all, that this is near, that it has come.
      add column next_notice text default 'month'
        check (next_notice in ('introduced', 'month', 'week', 'end'))`.execute(db)
  // Existing keys could do whatever their owner could: they get the widest scope.
  await sql`update api_key set scope = 'internals' where scope = 'account'`.execute(db)
  await sql`
    alter table api_key
      add constraint api_key_scope_check check (scope in ('read', 'source', 'account', 'internals')),
      add constraint api_key_user_check check ((scope <> 'source') = (user_id is not null)),
      add constraint api_key_source_check check ((scope = 'source') = (source_id is not null))`.execute(db)
  await sql`
    update api_key set next_notice = case when revoked_at is null then 'introduced' end`.execute(db)
  await sql`
    create index api_key_notice on api_key (expires_at)
    where revoked_at is null and next_notice is not null`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  // The previous code knows neither narrower scopes nor expiry: such keys would permit more, or work again,
  // so they are revoked.
  await sql`
    update api_key set revoked_at = now()
    where revoked_at is null and (scope in ('read', 'account') or expires_at <= now())`.execute(db)
  await sql`drop index api_key_notice`.execute(db)
  await sql`
    alter table api_key
      drop constraint api_key_scope_check, drop constraint api_key_user_check, drop constraint api_key_source_check`.execute(
    db,
  )
  await sql`update api_key set scope = 'account' where scope <> 'source'`.execute(db)
  await sql`
    alter table api_key
      add constraint api_key_scope_check check (scope in ('account', 'source')),
      add constraint api_key_check check ((scope = 'account') = (user_id is not null)),
      add constraint api_key_check1 check ((scope = 'source') = (source_id is not null)),
      drop column expires_at, drop column next_notice`.execute(db)
}
