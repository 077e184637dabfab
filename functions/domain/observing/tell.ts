import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { dress, oneLine } from '../letter.ts'
import { storeMail } from '../mail.ts'
import type { Claimed } from './claim.ts'
import type { Notice } from './judge.ts'
import { stopPath } from './unsubscribe.ts'
import { titleOf } from './words.ts'

/**
 * Writes down an alert or a recovery, and what is to be sent of it: a letter to each recipient who is in the place with a
 * role and has confirmed the address, one webhook. All in the transaction that says where the observer stands.
 */
export async function tellOf(tx: Tx, ctx: Context, observer: Claimed, notice: Notice): Promise<void> {
  const { id: observerId, placeId, condition, channels, webhookUrl, fence, at } = observer
  const id = crypto.randomUUID()
  const title = titleOf(observer, notice)
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
  if (channels.includes('email')) await writeLetters(tx, ctx, observer, notice, title)
}

async function writeLetters(tx: Tx, ctx: Context, observer: Claimed, { kind }: Notice, title: string) {
  const { id: observerId, placeId, dataTypeId, recipients, at } = observer
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
  const name = oneLine(observer.name).slice(0, 100)
  for (const { id: userId, email } of people) {
    const letter = dress(email, ctx.settings, {
      subject: `${kind === 'alert' ? 'Alert' : 'Back to normal'}: ${name}`,
      lines: [title],
      link: {
        label: 'See what is watched',
        path: `/types/${encodeURIComponent(dataTypeId)}/observers/${encodeURIComponent(observerId)}`,
      },
      after: `You get this letter because the observer "${name}" tells you of its alerts.`,
      stop: await stopPath(ctx.settings.authSecret, { placeId, observerId, userId }, at),
    })
    await storeMail(tx, letter)
  }
}
