import type { Mail, Settings } from '#functions/context.ts'
import type { Db } from '#db/schema.ts'
import { deliverMail } from './deliver-mail.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'

/**
 * Sends every queued email to a mailbox, as cron sends them to a provider. Tests get links this way, because
 * the database has none. `db` must read as the system actor. Returns all that the mailbox has received,
 * newest first.
 */
export async function receiveMail(
  db: Db,
  settings: Settings,
  mailbox: Mailbox = openMailbox(),
): Promise<Mail[]> {
  const report = (error: unknown) => {
    throw error
  }
  while ((await deliverMail({ db, settings, report }, mailbox.post)).sent > 0);
  return mailbox.letters
}
