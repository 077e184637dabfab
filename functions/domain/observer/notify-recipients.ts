import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import {
  composeEmail,
  toSingleLine,
  tokenMark,
  pathInPlace,
  placeNameIn,
} from '#functions/domain/email/email.ts'
import { storeMail } from '#functions/domain/email/email-outbox.ts'
import type { ClaimedObserver } from './claim.ts'
import type { Notice } from './evaluate.ts'
import { stopPath } from './unsubscribe.ts'
import { formatNoticeTitle, formatCondition, formatValue } from './words.ts'

/**
 * Stores an alert or a recovery and queues its notifications: an email to each recipient with a role in the
 * place and a confirmed address, and one webhook. In the transaction that stores the observer's state.
 */
export async function notifyRecipients(
  tx: Tx,
  ctx: Context,
  observer: ClaimedObserver,
  notice: Notice,
): Promise<void> {
  const { id: observerId, placeId, condition, channels, webhookUrl, fence, at } = observer
  const id = crypto.randomUUID()
  const title = formatNoticeTitle(observer, notice)
  await tx
    .insertInto('alert')
    .values({
      ...{ id, observerId, placeId, kind: notice.kind, title, fence, createdAt: at },
      value: typeof notice.value === 'number' ? notice.value : null,
      threshold: 'value' in condition ? condition.value : null,
      datumIds: JSON.stringify(notice.datumIds),
    })
    .execute()
  if (channels.includes('webhook') && webhookUrl !== null)
    await tx
      .insertInto('delivery')
      .values({ id: `msg_${id}`, alertId: id, observerId, placeId, answered: null, error: null })
      .execute()
  if (channels.includes('email')) await writeLetters(tx, ctx, observer, notice, { id, title })
}

async function writeLetters(
  tx: Tx,
  ctx: Context,
  observer: ClaimedObserver,
  notice: Notice,
  alert: { id: string; title: string },
) {
  const { id: observerId, placeId, dataTypeId, recipients } = observer
  if (recipients.length === 0) return
  const people = await tx
    .selectFrom('placeUser')
    .innerJoin('user', 'user.id', 'placeUser.userId')
    .select(['user.id', 'user.email'])
    .where('placeUser.placeId', '=', placeId)
    .where('placeUser.userId', 'in', recipients)
    .where('placeUser.role', 'is not', null)
    .where('user.emailVerified', '=', true)
    .orderBy('user.id')
    .execute()
  if (people.length === 0) return
  const name = toSingleLine(observer.name).slice(0, 100)
  const facts = await readFacts(tx, observer, notice)
  const observerPath = `/types/${encodeURIComponent(dataTypeId)}/observers/${encodeURIComponent(observerId)}`
  for (const { id: userId, email } of people) {
    const mail = composeEmail(email, ctx.settings, {
      subject: `${notice.kind === 'alert' ? 'Alert' : 'Back to normal'}: ${name}`,
      lines: [alert.title, ...facts],
      link: {
        label: notice.kind === 'alert' ? 'Open the alert' : 'See what is back to normal',
        path: pathInPlace(`${observerPath}?alert=${encodeURIComponent(alert.id)}`, placeId),
      },
      after: `You get this email because the observer “${name}” tells you of its alerts.`,
      stop: stopPath({ placeId, observerId }, tokenMark),
      about: { kind: 'alert', subjectId: JSON.stringify([placeId, observerId, userId]) },
    })
    await storeMail(tx, mail)
  }
}

/**
 * Lines with the origin and the value: recipients of emails from several places and observers have to
 * distinguish them.
 */
async function readFacts(tx: Tx, observer: ClaimedObserver, { value }: Notice): Promise<string[]> {
  const { placeId, dataTypeId, sourceId, condition } = observer
  const place = await tx
    .selectFrom('place')
    .select('displayName')
    .where('id', '=', placeId)
    .executeTakeFirst()
  const type = await tx
    .selectFrom('dataType')
    .select(['name', 'schema'])
    .where('id', '=', dataTypeId)
    .executeTakeFirst()
  const source =
    sourceId === null
      ? undefined
      : await tx.selectFrom('source').select('name').where('id', '=', sourceId).executeTakeFirst()
  const fact = (label: string, text: string) => `${label}: ${toSingleLine(text).slice(0, 200)}`
  return [
    fact('Organization', placeNameIn(place?.displayName ?? '')),
    fact('Data type', type?.name ?? dataTypeId),
    ...(source ? [fact('Source', source.name)] : []),
    fact('Condition', formatCondition(condition, (type?.schema ?? {}) as FieldSchema)),
    fact(condition.operator === 'each' ? 'New records' : 'Value', formatValue(value)),
  ]
}
