import { sql } from 'kysely'
import type { Context, Mail, Settings } from '#functions/context.ts'
import { withToken } from '#functions/domain/email/email.ts'
import type { MailEnv } from '#functions/domain/email/emailOutbox.ts'
import { mintToken, type Sending } from './email-tokens.ts'

/** Hands an email over, as it is to be read. `key` is the same for the same email. True: it was taken. */
export type Post = (mail: Mail, key: string) => Promise<boolean>

/** A provider that takes an email as JSON over HTTPS. */
export interface MailProvider {
  endpoint: string
  token: string
  from: string
}

/** The provider of the environment; null without one. */
export function providerOf(env: MailEnv, from: string): MailProvider | null {
  if (!env.MAIL_ENDPOINT) return null
  return { endpoint: env.MAIL_ENDPOINT, token: env.MAIL_TOKEN ?? '', from }
}

/** Posts by a provider. A redirect is a refusal: the provider's token goes to one address only. */
export const postBy =
  (provider: MailProvider, send: typeof fetch): Post =>
  async (mail, key) => {
    try {
      const answer = await send(provider.endpoint, {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(10_000),
        headers: {
          authorization: `Bearer ${provider.token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ from: provider.from, ...mail }),
      })
      await answer.body?.cancel()
      return answer.ok
    } catch {
      return false
    }
  }

/** What sending takes of a Context; `db` must read as the product itself. */
type Sender = Pick<Context, 'db' | 'report'> & { settings: Settings }

/** A provider that lets one wait this long, and takes nothing, is asked for nothing else for now. */
const silentMs = 5000

/**
 * Sends what waits in the outbox, oldest first, at most 20 emails. Call it after the answer and from cron.
 * An email is claimed for ten minutes, so two senders never send it twice and a failed one is tried again then, later after
 * twenty and each half hour; after a day it is given up. Where the provider does not answer, the emails behind are given back untried:
 * whoever else waits for the same worker waits for one of them and not for twenty. Its token is made here and handed over with it: what stays of an email is to whom it went,
 * what it was for, when and how it ended. Gives how many went and how many did not.
 */
export async function deliverMail(ctx: Sender, post: Post): Promise<{ sent: number; failed: number }> {
  await giveUp(ctx)
  const letters = await claim(ctx)
  const ends = { sent: 0, failed: 0 }
  for (const [i, email] of letters.entries()) {
    const began = Date.now()
    const outcome = await deliver(ctx, email, post).catch((error: unknown) => {
      ctx.report(error, { during: 'deliverMail', mail: email.id })
      return null
    })
    if (outcome === 'sent') ends.sent++
    else if (outcome === null) ends.failed++
    if (outcome === null && Date.now() - began >= silentMs) {
      await giveBack(ctx, letters.slice(i + 1))
      break
    }
  }
  return ends
}

/** A letter of the outbox; without headers of its own they are null. */
interface OutgoingEmail extends Omit<Mail, 'headers' | 'about'>, Sending {
  headers: Record<string, string> | null
  attempts: number
}

const nothing = { text: '', html: '', headers: null }

async function giveUp({ db }: Sender): Promise<void> {
  await db
    .updateTable('mail')
    .set({ ...nothing, outcome: 'failed' })
    .where('outcome', 'is', null)
    .where('createdAt', '<=', sql<Date>`now() - interval '1 day'`)
    .execute()
}

async function claim({ db }: Sender): Promise<OutgoingEmail[]> {
  const { rows } = await sql<OutgoingEmail>`
    update mail set tried_at = now(), attempts = attempts + 1 where id in (
      select id from mail
      where outcome is null
        and (tried_at is null or tried_at < now() - make_interval(mins => least(10 * greatest(attempts, 1), 30)))
      order by created_at limit 20 for update skip locked)
    returning id, "to", kind, subject_id, until, created_at, subject, text, html, headers, attempts`.execute(
    db,
  )
  return rows.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

/** Emails that were claimed and not tried are due at once, and have not used up a try. */
async function giveBack({ db }: Sender, letters: OutgoingEmail[]): Promise<void> {
  if (letters.length === 0) return
  await db
    .updateTable('mail')
    .set({ triedAt: null, attempts: sql<number>`attempts - 1` })
    .where(
      'id',
      'in',
      letters.map(({ id }) => id),
    )
    .where('outcome', 'is', null)
    .execute()
}

/** How it ended; null: it is tried again. */
async function deliver(ctx: Sender, email: OutgoingEmail, post: Post): Promise<'sent' | 'obsolete' | null> {
  const { id, to, subject, text, html, headers, kind, attempts } = email
  const token = await mintToken(ctx.db, ctx.settings, email)
  if (token === null && kind !== 'notice') return end(ctx, id, 'obsolete')
  const mail = { to, subject, text, html, ...(headers && { headers }) }
  const whole = token === null ? mail : withToken(mail, token)
  // A provider takes what has the same key for the same email: one with another token is another.
  const isSame = kind === 'notice' || kind === 'alert' || kind === 'errorReports'
  if (!(await post(whole, isSame ? id : `${id}.${attempts}`))) return null
  return end(ctx, id, 'sent')
}

/** Notes how an email ended, unless a newer one has replaced it meanwhile. */
async function end<Outcome extends 'sent' | 'obsolete'>(
  { db }: Sender,
  id: string,
  outcome: Outcome,
): Promise<Outcome> {
  await db
    .updateTable('mail')
    .set({ ...nothing, outcome, ...(outcome === 'sent' && { sentAt: sql<Date>`now()` }) })
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .execute()
  return outcome
}
