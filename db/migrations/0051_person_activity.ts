import { sql, type Kysely } from 'kysely'

/**
 * Audit log entries about people: signing in, passwords, second factors, account keys. They belong to no
 * place; only the person and super admins read them. They are kept for a year, like all entries
 * (`sweep_activity`), and are deleted with the person.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table activity
      -- Whose line it is. Null: a line of a place, or of the product.
      add column person_id text references "user" (id) on delete cascade,
      -- A part of the address it came from: enough to recognize a network, not a person.
      add column ip_prefix text check (length(ip_prefix) <= 40),
      add constraint activity_of_one check (person_id is null or place_id is null)`.execute(db)
  await sql`create index activity_person on activity (person_id, at desc) where person_id is not null`.execute(
    db,
  )
  const ofPlace = sql`place_id = any ((select app_places())::text[])`
  const ofPerson = sql`person_id = (select app_user())`
  await sql`
    alter policy activity_read on activity using ((select app_writes_all())
      or ((select app_reads_all()) and person_id is null) or ${ofPlace} or ${ofPerson})`.execute(db)
  await sql`
    alter policy activity_insert on activity with check ((select app_writes_all()) or ${ofPlace}
      or (${ofPerson} and place_id is null))`.execute(db)
}

/** Entries about people are deleted: the previous code would show them to support. */
export async function down(db: Kysely<unknown>) {
  // Row-level security applies to the owner too, who has no identity here.
  await sql`alter table activity no force row level security`.execute(db)
  await sql`delete from activity where person_id is not null`.execute(db)
  await sql`alter table activity force row level security`.execute(db)
  const ofPlace = sql`place_id = any ((select app_places())::text[])`
  await sql`alter policy activity_read on activity using (false or (select app_reads_all()) or ${ofPlace})`.execute(
    db,
  )
  await sql`alter policy activity_insert on activity with check ((select app_writes_all()) or ${ofPlace})`.execute(
    db,
  )
  await sql`drop index activity_person`.execute(db)
  await sql`
    alter table activity drop constraint activity_of_one, drop column person_id, drop column ip_prefix`.execute(
    db,
  )
}
