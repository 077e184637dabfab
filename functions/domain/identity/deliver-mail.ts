import { sql } from 'kysely'
import type { Context, Mail, Settings } from '#functions/context.ts'
import { withToken } from '#functions/domain/email/email.ts'
import type { MailEnv } from '#functions/domain/email/email-outbox.ts'
import { mintToken, type EmailDraft } from './email-tokens.ts'

/** Sends an email. `key` is the idempotency key: the same for the same email. True: it was accepted. */
export type Post = (mail: Mail, key: string) => Promise<boolean>

/** A mail provider with an API of JSON over HTTPS. */
export interface MailProvider {
  endpoint: string
  token: string
  from: string
}

/** The provider configured in the environment; null without one. */
export function findMailProvider(env: MailEnv, from: string): MailProvider | null {
  if (!env.MAIL_ENDPOINT) return null
  return { endpoint: env.MAIL_ENDPOINT, token: env.MAIL_TOKEN ?? '', from }
}

/**
 * Sends through a provider. A redirect counts as a refusal, so that the provider's token is sent to one
 * address only.
 */
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

/** The part of a Context that sending needs; `db` must read as the system actor. */
type Sender = Pick<Context, 'db' | 'report'> & { settings: Settings }

/** A provider that does not accept an email within this time (milliseconds) is not sent any more for now. */
const silentMs = 5000

/**
 * Sends queued emails, oldest first, at most 20. Called after the response and by cron. An email is claimed
 * for ten minutes, so two senders never send it twice; a failed one is tried again then, later after twenty
 * minutes and each half hour, and given up after a day. Where the provider does not answer, the other emails
 * are released untried, so that this worker's next task does not wait for twenty time-outs. Tokens are
 * created here and only sent, not stored: what is stored of an email is its recipient, kind, time and
 * outcome. Returns how many were sent and how many failed.
 */
export async function deliverMail(ctx: Sender, post: Post): Promise<{ sent: number; failed: number }> {
  await giveUp(ctx)
  const letters = await claim(ctx)
  const ends = { sent: 0, failed: 0 }
  for (const [i, email] of letters.entries()) {
    const startMs = Date.now()
    const outcome = await deliver(ctx, email, post).catch((error: unknown) => {
      ctx.report(error, { during: 'deliverMail', mail: email.id })
      return null
    })
    if (outcome === 'sent') ends.sent++
    else if (outcome === null) ends.failed++
    if (outcome === null && Date.now() - startMs >= silentMs) {
      await releaseEmails(ctx, letters.slice(i + 1))
      break
    }
  }
  return ends
}

/** A queued email. `headers` null: it has none of its own. */
interface OutgoingEmail extends Omit<Mail, 'headers' | 'about'>, EmailDraft {
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

/** Releases claimed emails that were not tried, without counting an attempt. */
async function releaseEmails({ db }: Sender, letters: OutgoingEmail[]): Promise<void> {
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

/** Sends one email and returns its outcome; null: it is tried again later. */
async function deliver(ctx: Sender, email: OutgoingEmail, post: Post): Promise<'sent' | 'obsolete' | null> {
  const { id, to, subject, text, html, headers, kind, attempts } = email
  const token = await mintToken(ctx.db, ctx.settings, email)
  if (token === null && kind !== 'notice') return end(ctx, id, 'obsolete')
  const mail = { to, subject, text, html, ...(headers && { headers }) }
  const whole = token === null ? mail : withToken(mail, token)
  // A provider rejects the same key for a different email, and one with another token is different.
  const isSame = ['notice', 'alert', 'errorReports', 'lateData'].includes(kind)
  if (!(await post(whole, isSame ? id : `${id}.${attempts}`))) return null
  return end(ctx, id, 'sent')
}

/** Stores the outcome of an email, unless a newer one has replaced it meanwhile. */
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
