import { sql } from 'kysely'
import type { Settings } from '#functions/context.ts'
import { stopToken } from '#functions/domain/observer/unsubscribe.ts'
import { makeStopToken } from '#functions/domain/email/stopToken.ts'
import type { Db, MailKind, TokenKind, Tx } from '#db/schema.ts'
import { hashOf, randomText } from './keys.ts'

/** An email about to be sent. */
export interface Sending {
  id: string
  kind: MailKind
  /** Whose or of what its token is; null where it needs none. */
  subjectId: string | null
  /** When what the token opens ends, where that does not count from sending. */
  until: Date | null
  createdAt: Date
}

/**
 * For each kind, from when it is sent: how long the token works, and what has to be there still for it to be of use. Each gives a
 * row or none; `letter` is the email in the queue, locked, unless it was replaced.
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
  // The invitation ends when its token does.
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
 * Makes the token of an email that is being sent, and stores its hash. Null: it has been replaced by a newer email, or what it is
 * about is settled or gone. Another attempt to send the same email makes another token and leaves the one before valid: a
 * provider may have delivered an email that it seemed to refuse, and whoever has it must get in by it. Both end together,
 * when one is used or a newer email is asked for. The link that stops alerts, or emails about reports, is signed and stored nowhere: it can do
 * nothing else, and the same email has the same link at each attempt. As the product itself.
 */
export async function mintToken(
  db: Db,
  settings: Settings,
  { id, kind, subjectId, until, createdAt }: Sending,
): Promise<string | null> {
  if (subjectId === null || kind === 'notice') return null
  if (kind === 'alert') return stopToken(settings.authSecret, stopOf(subjectId), createdAt)
  if (kind === 'errorReports') {
    const [placeId = '', userId = ''] = JSON.parse(subjectId) as string[]
    return makeStopToken(settings.authSecret, [placeId], userId, createdAt)
  }
  const { good, subject } = kinds[kind]
  const token = randomText()
  const end = sql`coalesce(${until}::timestamptz, now() + ${good}::interval)`
  const { rows } = await sql`
    with letter as (select id from mail where id = ${id} and outcome is null for update),
      subject as (${subject(subjectId, end)})
    insert into email_token (token_hash, mail_id, kind, subject_id, expires_at)
    select ${await hashOf(token)}, letter.id, ${kind}, ${subjectId}, ${end} from letter, subject
    returning token_hash`.execute(db)
  return rows.length > 0 ? token : null
}

/** Whose or what the token of an email is of: the id of a person or an invitation. Null: it is not ours, was used, replaced or is too old. */
export async function subjectOf(tx: Tx, kind: TokenKind, token: string): Promise<string | null> {
  await showToken(tx, await hashOf(token))
  const row = await tx
    .selectFrom('emailToken')
    .select('subjectId')
    .where('tokenHash', '=', await hashOf(token))
    .where('kind', '=', kind)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.subjectId ?? null
}

/** Says by its hash which token this transaction was shown: the database shows it, and the invitation it opens, for no other reason. */
export async function showToken(tx: Tx, hash: string): Promise<void> {
  await sql`select set_config('app.email_token', ${hash}, true)`.execute(tx)
}

/** Makes every email of this kind about someone or something void: those that wait are not sent, those that were open nothing. */
export async function voidEmails(tx: Tx, kind: TokenKind, subjectId: string): Promise<void> {
  await sql`select void_emails(${kind}, ${subjectId})`.execute(tx)
}

/** Ends what a person has begun and not finished: second steps that are to come, and emails that let choose a new password. */
export async function endPending(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('verification').where('value', '=', userId).execute()
  await voidEmails(tx, 'reset', userId)
}

/** What the email of an alert is about, as the queue has it. */
function stopOf(subjectId: string): { placeId: string; observerId: string; userId: string } {
  const [placeId = '', observerId = '', userId = ''] = JSON.parse(subjectId) as string[]
  return { placeId, observerId, userId }
}
