import { sql } from 'kysely'
import { deviceDays } from './cookie.ts'
import type { Db } from '#db/schema.ts'

/**
 * Deletes expired rows: sessions, support access a month after it ended, tokens of emails, unused devices,
 * counters of attempts, emails older than 30 days. Called by cron.
 */
export async function sweepIdentity(db: Db): Promise<void> {
  await sql`delete from session where expires_at < now()`.execute(db)
  await sql`delete from verification where expires_at < now()`.execute(db)
  // Expired invitations are still recognised for a month. A sign-up's email may be queued for a day, and its
  // link is valid for another.
  await sql`delete from email_token where expires_at < now() - case when kind = 'invite'
    then interval '30 days' else interval '0' end`.execute(db)
  await sql`delete from confirmation where created_at < now() - interval '2 days'`.execute(db)
  await sql`delete from email_change where expires_at < now()`.execute(db)
  await sql`delete from known_device where last_used_at < now() - make_interval(days => ${deviceDays})`.execute(
    db,
  )
  // The audit log keeps its lines.
  await sql`delete from place_access where ends_at < now() - interval '30 days'`.execute(db)
  await sql`delete from attempt where until < now()`.execute(db)
  await sql`delete from mail where created_at < now() - interval '30 days'`.execute(db)
}
