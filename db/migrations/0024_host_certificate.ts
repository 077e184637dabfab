import { sql, type Kysely } from 'kysely'

/** The state of a host's certificate, and of its registration at the certificate service. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table place_domain
      -- In a sentence, why the certificate is not active; null: it is, or nothing is known.
      add column certificate_reason text,
      add column certificate_expires_at timestamptz,
      -- The end that its admins were told about: they are told of each once.
      add column warned_of timestamptz,
      -- Whether it may be let in at the certificate service: true before that is asked to, so that nothing stays there.
      add column is_hosted boolean not null default false,
      -- When the service was asked last, and how often in a row that settled nothing.
      add column asked_at timestamptz,
      add column asks_unsettled int not null default 0`.execute(db)
  await sql`
    create index place_domain_hosted on place_domain (asked_at nulls first)
      where is_hosted and (certificate = 'pending' or released_at is not null)`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop index place_domain_hosted`.execute(db)
  await sql`
    alter table place_domain drop column asks_unsettled, drop column asked_at, drop column is_hosted,
      drop column warned_of, drop column certificate_expires_at, drop column certificate_reason`.execute(db)
}
