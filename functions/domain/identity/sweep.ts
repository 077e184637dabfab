import { sql } from 'kysely'
import { deviceDays } from './cookie.ts'
import type { Db } from '#db/schema.ts'

/** Removes what has run out: sessions, reasons of support staff a month after they ended, tokens of emails, devices that were not used, counters of tries, emails older than 30 days. For cron. */
export async function sweepIdentity(db: Db): Promise<void> {
  await sql`delete from session where expires_at < now()`.execute(db)
  await sql`delete from verification where expires_at < now()`.execute(db)
  // An invitation says for a month that it has ended. A sign-up waits for its email for a day, and for its link for another.
  await sql`delete from email_token where expires_at < now() - case when kind = 'invite'
    then interval '30 days' else interval '0' end`.execute(db)
  await sql`delete from confirmation where created_at < now() - interval '2 days'`.execute(db)
  await sql`delete from email_change where expires_at < now()`.execute(db)
  await sql`delete from known_device where last_used_at < now() - make_interval(days => ${deviceDays})`.execute(
    db,
  )
  // The lines of the audit log stay.
  await sql`delete from place_access where ends_at < now() - interval '30 days'`.execute(db)
  await sql`delete from attempt where until < now()`.execute(db)
  await sql`delete from mail where created_at < now() - interval '30 days'`.execute(db)
}
