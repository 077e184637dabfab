import { sql } from 'kysely'
import { stopTokenHolder } from '#functions/domain/email/stopToken.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { Failure } from '#functions/errors.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'
import type { LateEmails } from '#functions/shapes/lateData.ts'
import type { StopOptions } from '#functions/shapes/observer.ts'

/** What the token of such an email is bound to. */
export const lateEmailsAbout = ['late data']

/** The path under which a person stops the emails about late data without signing in. */
export const stopLatePath = (token: string) => `/late-data/unsubscribe?token=${token}`

/** Whether the actor is written to about late data of the organizations it looks after. */
export async function emails(ctx: Context): Promise<LateEmails> {
  const userId = ctx.actor.user?.id
  return { isOn: userId !== undefined && (await isOnFor(ctx.db, userId)) }
}

/** Says whether the actor is to be written to about late data. */
export async function setEmails(ctx: Context, { data: { isOn } }: NounRequest<unknown, LateEmails>) {
  const userId = ctx.actor.user?.id
  if (userId === undefined)
    throw new Failure('invalid', { issues: [{ path: ['isOn'], message: 'Only a person is written to.' }] })
  await ctx.transaction((tx) => turn(tx, userId, isOn))
  return { isOn }
}

/**
 * Whether the holder of the link of such an email is still written to. Changes nothing: mail programs visit links too. Failure `invalid` for
 * a link that is not ours or has expired.
 */
export async function subscription(ctx: Context, request: NounRequest<StopOptions>) {
  return byLink(ctx, request, false)
}

/** Stops the emails about late data to who holds the link of one. Again it changes nothing. Refuses as `subscription`. */
export async function unsubscribe(ctx: Context, request: NounRequest<StopOptions>) {
  return byLink(ctx, request, true)
}

async function byLink(
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
    // Whoever holds the link need not be signed in.
    await sql`select set_config('app.email_reader', ${userId}, true)`.execute(tx)
    if (isToStop) await turn(tx, userId, false)
    return { isOn: await isOnFor(tx, userId) }
  })
}

async function turn(tx: Tx, userId: string, isOn: boolean): Promise<void> {
  // An account that is gone has nothing to stop.
  await sql`
    insert into late_email (user_id, is_on) select ${userId}, ${isOn}
    on conflict (user_id) do update set is_on = excluded.is_on`.execute(tx)
}

async function isOnFor(db: Pick<Tx, 'selectFrom'>, userId: string): Promise<boolean> {
  const row = await db.selectFrom('lateEmail').select('isOn').where('userId', '=', userId).executeTakeFirst()
  return row?.isOn ?? true
}
