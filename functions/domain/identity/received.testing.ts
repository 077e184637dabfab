import type { Mail, Settings } from '#functions/context.ts'
import type { Db } from '#db/schema.ts'
import { deliverMail } from './deliver-mail.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'

/**
 * Has every waiting email sent into a mailbox, as cron has them sent to a provider. This is how tests come by links: the
 * database has none. `db` as the product itself. Gives all that the mailbox has received, the newest first.
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
