import { sql } from 'kysely'
import { escape } from './letter.ts'
import type { Context, Mail } from '#functions/context.ts'
import type { Db } from '#db/schema.ts'

/** A provider that takes a letter as JSON over HTTPS. */
export interface MailProvider {
  endpoint: string
  token: string
  from: string
}

const address = /^[^\s@<>,;:"()[\]\\]{1,64}@[a-z0-9.-]{1,253}$/i

const breaks = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/

/** The variables of the environment that name a provider. Both absent: letters stay in the outbox. */
export interface MailEnv {
  MAIL_ENDPOINT?: string
  MAIL_TOKEN?: string
}

/** The provider of the environment; null without one: development and tests read the outbox instead. */
export function providerOf(env: MailEnv, from: string): MailProvider | null {
  if (!env.MAIL_ENDPOINT) return null
  return { endpoint: env.MAIL_ENDPOINT, token: env.MAIL_TOKEN ?? '', from }
}

/** Takes a letter for sending, and has the queue told where there is a provider. */
export async function sendMail(ctx: Pick<Context, 'db' | 'wake'>, env: MailEnv, mail: Mail): Promise<void> {
  await storeMail(ctx.db, mail)
  if (env.MAIL_ENDPOINT) ctx.wake()
}

/**
 * Puts a letter into the outbox. That is all `sendMail` does: sending takes as long for an address that exists as
 * for one that does not, and a provider that is down delays the letter instead of failing the request.
 * Throws for anything but one recipient and a one-line subject.
 */
export async function storeMail(db: Db, mail: Mail): Promise<void> {
  if (!address.test(mail.to) || mail.to.length > 254)
    throw new Error('A letter has exactly one plain address.')
  if (breaks.test(mail.subject) || mail.subject.length > 200) throw new Error('A subject is one short line.')
  const { to, subject, text, html } = mail
  const headers = mail.headers && JSON.stringify(mail.headers)
  await db.insertInto('mail').values({ id: crypto.randomUUID(), to, subject, text, html, headers }).execute()
}

/**
 * Sends what waits in the outbox, oldest first, at most 20 letters. Call it after the answer and from cron.
 * A letter is claimed for ten minutes, so two senders never send it twice and a failed one is tried again then;
 * after a day it is given up. What has been sent loses its text: the links in it are as good as passwords.
 * `db` must read as the product itself. Gives how many went and how many did not.
 */
export async function deliverMail(
  db: Db,
  provider: MailProvider,
  send: typeof fetch,
): Promise<{ sent: number; failed: number }> {
  const { rows } = await sql<Letter>`
    update mail set sent_at = now() where id in (
      select id from mail
      where text <> '' and created_at > now() - interval '1 day'
        and (sent_at is null or sent_at < now() - interval '10 minutes')
      order by created_at limit 20 for update skip locked)
    returning id, "to", subject, text, html, headers`.execute(db)
  let sent = 0
  for (const { id, headers, ...mail } of rows) {
    if (!(await post(provider, id, { ...mail, ...(headers && { headers }) }, send))) continue
    await db.updateTable('mail').set({ text: '', html: '', headers: null }).where('id', '=', id).execute()
    sent++
  }
  return { sent, failed: rows.length - sent }
}

/** A letter of the outbox; without headers of its own they are null. */
interface Letter extends Omit<Mail, 'headers'> {
  id: string
  headers: Record<string, string> | null
}

/** True if the provider took the letter. A redirect is a refusal: the token goes to one address only. */
async function post(provider: MailProvider, id: string, mail: Mail, send: typeof fetch): Promise<boolean> {
  try {
    const answer = await send(provider.endpoint, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
      headers: {
        authorization: `Bearer ${provider.token}`,
        'content-type': 'application/json',
        'idempotency-key': id,
      },
      body: JSON.stringify({ from: provider.from, ...mail }),
    })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    return false
  }
}

/** The letters of the outbox, newest first. Needs the product's own identity. */
export async function newestMail(db: Db, limit = 50): Promise<(Mail & { id: string; createdAt: Date })[]> {
  return db
    .selectFrom('mail')
    .select(['id', 'to', 'subject', 'text', 'html', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute()
}

/** The outbox as a page for development and tests, where no letter leaves the machine. */
export function outboxPage(letters: (Mail & { createdAt: Date })[]): string {
  const linked = (text: string) =>
    escape(text).replace(/https?:\/\/[^\s<]+/g, '<a href="$&" rel="noreferrer">$&</a>')
  const items = letters.map(
    (letter) =>
      `<article><h2>${escape(letter.subject)}</h2><p>To ${escape(letter.to)}, ${letter.createdAt.toISOString()}</p>` +
      `<pre>${linked(letter.text)}</pre></article>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><link rel="icon" href="/favicon.svg"><title>Outbox</title></head><body><h1>Outbox</h1>${items.join('') || '<p>No letters yet.</p>'}</body></html>`
}
