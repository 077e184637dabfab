import { sql } from 'kysely'
import { stopTokenHolder } from '#functions/domain/email/stop-token.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { Failure } from '#functions/errors.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'
import type { LateEmails } from '#functions/shapes/late-data.ts'
import type { StopOptions } from '#functions/shapes/observer.ts'

/** The subject that the token of such an email is bound to. */
export const lateEmailsAbout = ['late data']

/** The path to unsubscribe from the emails about overdue data without signing in. */
export const stopLatePath = (token: string) => `/late-data/unsubscribe?token=${token}`

/** Whether the actor gets emails about overdue data of their organizations. */
export async function emails(ctx: Context): Promise<LateEmails> {
  const userId = ctx.actor.user?.id
  return { isOn: userId !== undefined && (await isOnFor(ctx.db, userId)) }
}

/** Subscribes the actor to emails about overdue data, or unsubscribes. */
export async function setEmails(ctx: Context, { data: { isOn } }: NounRequest<unknown, LateEmails>) {
  const userId = ctx.actor.user?.id
  if (userId === undefined)
    throw new Failure('invalid', { issues: [{ path: ['isOn'], message: 'Only a person is written to.' }] })
  await ctx.transaction((tx) => setSubscription(tx, userId, isOn))
  return { isOn }
}

/**
 * Whether the holder of an unsubscribe link is still subscribed. Changes nothing, because mail clients open links too.
 * Failure `invalid` for a forged or expired link.
 */
export async function subscription(ctx: Context, request: NounRequest<StopOptions>) {
  return handleStopLink(ctx, request, false)
}

/** Unsubscribes the holder of a link; repeating it changes nothing. Failures as for `subscription`. */
export async function unsubscribe(ctx: Context, request: NounRequest<StopOptions>) {
  return handleStopLink(ctx, request, true)
}

async function handleStopLink(
  ctx: Context,
  request: NounRequest<StopOptions>,
  isToStop: boolean,
): Promise<LateEmails> {
  const userId = await stopTokenHolder(ctx, lateEmailsAbout, request.options.token)
  if (userId === null)
    throw new Failure('invalid', {
      issues: [{ path: ['token'], message: 'This link does not work, or does not work any more.' }],
    })
  return ctx.transaction(async (tx) => {
    // The holder of the link need not be signed in.
    await sql`select set_config('app.email_reader', ${userId}, true)`.execute(tx)
    if (isToStop) await setSubscription(tx, userId, false)
    return { isOn: await isOnFor(tx, userId) }
  })
}

async function setSubscription(tx: Tx, userId: string, isOn: boolean): Promise<void> {
  // A deleted account has no subscription.
  await sql`
    insert into late_email (user_id, is_on) select ${userId}, ${isOn}
    on conflict (user_id) do update set is_on = excluded.is_on`.execute(tx)
}

async function isOnFor(db: Pick<Tx, 'selectFrom'>, userId: string): Promise<boolean> {
  const row = await db.selectFrom('lateEmail').select('isOn').where('userId', '=', userId).executeTakeFirst()
  return row?.isOn ?? true
}
