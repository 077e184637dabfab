import { escape } from './email.ts'
import type { Context, Mail } from '#functions/context.ts'
import type { Db } from '#db/schema.ts'

const address = /^[^\s@<>,;:"()[\]\\]{1,64}@[a-z0-9.-]{1,253}$/i

const breaks = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/

/** The variables of the environment that name a provider. Both absent: emails wait in the outbox. */
export interface MailEnv {
  MAIL_ENDPOINT?: string
  MAIL_TOKEN?: string
}

/** Stores an email to be sent, and notifies the queue where there is a provider. */
export async function sendMail(ctx: Pick<Context, 'db' | 'wake'>, env: MailEnv, mail: Mail): Promise<void> {
  await storeMail(ctx.db, mail)
  if (env.MAIL_ENDPOINT) ctx.wake()
}

/**
 * Stores an email in the outbox. That is all `sendMail` does: it takes as long for an address that exists as for one
 * that does not, and an outage of the provider delays the email instead of failing the request. Stored emails contain no
 * token: it is created on sending. Throws for anything but one recipient and a one-line subject.
 */
export async function storeMail(db: Db, mail: Mail): Promise<void> {
  if (!address.test(mail.to) || mail.to.length > 254)
    throw new Error('A letter has exactly one plain address.')
  if (breaks.test(mail.subject) || mail.subject.length > 200) throw new Error('A subject is one short line.')
  const { to, subject, text, html, about } = mail
  const headers = mail.headers && JSON.stringify(mail.headers)
  const row = { id: crypto.randomUUID(), to, subject, text, html, headers }
  await db
    .insertInto('mail')
    .values({ ...row, ...about })
    .execute()
}

/**
 * Stored emails as a page for local development, where none is sent. It contains their links, so it is shown nowhere
 * else.
 */
export function outboxPage(letters: (Mail & { receivedAt: Date })[]): string {
  const linkAddresses = (text: string) =>
    escape(text).replace(/https?:\/\/[^\s<]+/g, '<a href="$&" rel="noreferrer">$&</a>')
  const items = letters.map(
    (email) =>
      `<article><h2>${escape(email.subject)}</h2><p>To ${escape(email.to)}, ${email.receivedAt.toISOString()}</p>` +
      `<pre>${linkAddresses(email.text)}</pre></article>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><link rel="icon" href="/favicon.svg"><title>Outbox</title></head><body><h1>Outbox</h1>${items.join('') || '<p>No letters yet.</p>'}</body></html>`
}
