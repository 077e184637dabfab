import { sql } from 'kysely'
import type { Settings } from '#functions/context.ts'
import { stopToken } from '#functions/domain/observer/unsubscribe.ts'
import { lateEmailsAbout } from '#functions/domain/source/late-emails.ts'
import { makeStopToken } from '#functions/domain/email/stop-token.ts'
import type { Db, MailKind, TokenKind, Tx } from '#db/schema.ts'
import { hashText, randomText } from './keys.ts'

/** An email about to be sent. */
export interface EmailDraft {
  id: string
  kind: MailKind
  /** Id of the person or thing that the token is for; null for emails without a token. */
  subjectId: string | null
  /** A fixed end of the token's validity; null: it counts from sending. */
  until: Date | null
  createdAt: Date
}

/**
 * For each kind, how long the token is valid from sending, and a query that returns a row while the token is
 * still of use. `letter`: the queued email, locked, unless it was replaced.
 */
const kinds = {
  confirmation: {
    good: '24 hours',
    subject: (id: string) => sql`
      select from confirmation c join "user" u on u.id = c.user_id where c.user_id = ${id} and not u.email_verified`,
  },
  reset: { good: '1 hour', subject: (id: string) => sql`select from "user" where id = ${id}` },
  device: { good: '1 hour', subject: (id: string) => sql`select from "user" where id = ${id}` },
  newEmail: {
    good: '24 hours',
    subject: (id: string) => sql`select from email_change where id = ${id} and confirmed_at is null`,
  },
  undoEmail: {
    good: '7 days',
    subject: (id: string) => sql`select from email_change where id = ${id} and confirmed_at is not null`,
  },
  // The invitation expires with its token.
  invite: {
    good: '7 days',
    subject: (id: string, end: ReturnType<typeof sql>) => sql`
      update invite set expires_at = ${end}
      where id = ${id} and status = 'pending' and exists (select from letter) returning id`,
  },
} satisfies Record<
  TokenKind,
  { good: string; subject: (id: string, end: ReturnType<typeof sql>) => ReturnType<typeof sql> }
>

/**
 * Creates the token of an email that is being sent, and stores its hash. Null: it was replaced by a newer email, or its
 * subject is settled or gone. A retry of the same email gets another token and leaves the one before valid: a provider
 * may have delivered an email that it seemed to reject, and its link must work. Both end together, when one is used or a
 * newer email is requested. Unsubscribe links are signed and stored nowhere: they can do nothing else, and retries have
 * the same link. Must run as the system actor.
 */
export async function mintToken(
  db: Db,
  settings: Settings,
  { id, kind, subjectId, until, createdAt }: EmailDraft,
): Promise<string | null> {
  if (subjectId === null || kind === 'notice') return null
  if (kind === 'alert') return stopToken(settings.authSecret, parseAlertSubject(subjectId), createdAt)
  if (kind === 'errorReports') {
    const [placeId = '', userId = ''] = JSON.parse(subjectId) as string[]
    return makeStopToken(settings.authSecret, [placeId], userId, createdAt)
  }
  if (kind === 'lateData') return makeStopToken(settings.authSecret, lateEmailsAbout, subjectId, createdAt)
  const { good, subject } = kinds[kind]
  const token = randomText()
  const end = sql`coalesce(${until}::timestamptz, now() + ${good}::interval)`
  const { rows } = await sql`
    with letter as (select id from mail where id = ${id} and outcome is null for update),
      subject as (${subject(subjectId, end)})
    insert into email_token (token_hash, mail_id, kind, subject_id, expires_at)
    select ${await hashText(token)}, letter.id, ${kind}, ${subjectId}, ${end} from letter, subject
    returning token_hash`.execute(db)
  return rows.length > 0 ? token : null
}

/**
 * The id of the person or invitation that a token is for. Null: it was not issued here, or was used, replaced
 * or has expired.
 */
export async function findTokenSubject(tx: Tx, kind: TokenKind, token: string): Promise<string | null> {
  await showToken(tx, await hashText(token))
  const row = await tx
    .selectFrom('emailToken')
    .select('subjectId')
    .where('tokenHash', '=', await hashText(token))
    .where('kind', '=', kind)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.subjectId ?? null
}

/**
 * Tells row-level security, by its hash, which token was presented: only then are the token and its
 * invitation visible.
 */
export async function showToken(tx: Tx, hash: string): Promise<void> {
  await sql`select set_config('app.email_token', ${hash}, true)`.execute(tx)
}

/**
 * Invalidates every email of this kind for a subject: queued ones are not sent, and tokens of sent ones stop
 * working.
 */
export async function invalidateEmails(tx: Tx, kind: TokenKind, subjectId: string): Promise<void> {
  await sql`select void_emails(${kind}, ${subjectId})`.execute(tx)
}

/**
 * Cancels what a person has begun and not finished: pending second factors, and emails to choose a new
 * password.
 */
export async function endPending(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('verification').where('value', '=', userId).execute()
  await invalidateEmails(tx, 'reset', userId)
}

/** Parses the subject of an alert email. */
function parseAlertSubject(subjectId: string): { placeId: string; observerId: string; userId: string } {
  const [placeId = '', observerId = '', userId = ''] = JSON.parse(subjectId) as string[]
  return { placeId, observerId, userId }
}
