import { sql } from 'kysely'
import { stopTokenHolder } from '#functions/domain/email/stopToken.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { Failure } from '#functions/errors.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'
import type { ErrorReportEmails } from '#functions/shapes/errorReport.ts'
import type { StopOptions } from '#functions/shapes/observer.ts'

/** The path under which a person stops the emails of a place about reports without signing in. */
export const stopReportsPath = (placeId: string, token: string) =>
  `/places/${encodeURIComponent(placeId)}/error-reports/unsubscribe?token=${token}`

/** Whether the actor is written to about new reports of a place. Who has no account is not. */
export async function emails(ctx: Context, request: NounRequest) {
  const userId = ctx.actor.user?.id
  if (userId === undefined) return { isOn: false }
  return { isOn: !(await isMuted(ctx.db, param(request, 'placeId'), userId)) }
}

/** Says whether the actor is to be written to about new reports of a place. */
export async function setEmails(ctx: Context, request: NounRequest<unknown, ErrorReportEmails>) {
  const userId = ctx.actor.user?.id
  if (userId === undefined)
    throw new Failure('invalid', {
      issues: [{ path: ['isOn'], message: 'Only a person is written to.' }],
    })
  const { isOn } = request.data
  const placeId = param(request, 'placeId')
  await ctx.transaction((tx) => (isOn ? unmute(tx, placeId, userId) : mute(tx, placeId, userId)))
  return { isOn }
}

/**
 * What the link of an email about reports is about. Changes nothing: mail programs visit links too. Failure `invalid` for a link that is
 * not ours or has expired; undefined when the place is gone.
 */
export async function subscription(ctx: Context, request: NounRequest<StopOptions>) {
  return byLink(ctx, request, false)
}

/** Stops the emails about reports to who holds the link of one. Again it changes nothing. Refuses as `subscription`. */
export async function unsubscribe(ctx: Context, request: NounRequest<StopOptions>) {
  return byLink(ctx, request, true)
}

async function byLink(ctx: Context, request: NounRequest<StopOptions>, isToStop: boolean) {
  const placeId = param(request, 'placeId')
  const userId = await stopTokenHolder(ctx, [placeId], request.options.token)
  if (userId === null)
    throw new Failure('invalid', {
      issues: [{ path: ['token'], message: 'This link does not work, or does not work any more.' }],
    })
  return ctx.transaction(async (tx) => {
    const place = await tx
      .selectFrom('place')
      .select('displayName')
      .where('id', '=', placeId)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
    if (!place) return undefined
    // Whoever holds the link need not be signed in.
    await sql`select set_config('app.email_reader', ${userId}, true)`.execute(tx)
    if (isToStop) await mute(tx, placeId, userId)
    return { placeId, placeName: place.displayName, isOn: !(await isMuted(tx, placeId, userId)) }
  })
}

async function mute(tx: Tx, placeId: string, userId: string): Promise<void> {
  // Selected: an account that is gone has nothing to stop.
  await sql`
    insert into error_report_mute (place_id, user_id) select ${placeId}, ${userId}
    on conflict do nothing`.execute(tx)
}

async function unmute(tx: Tx, placeId: string, userId: string): Promise<void> {
  await tx.deleteFrom('errorReportMute').where('placeId', '=', placeId).where('userId', '=', userId).execute()
}

async function isMuted(db: Pick<Tx, 'selectFrom'>, placeId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('errorReportMute')
    .select('userId')
    .where('placeId', '=', placeId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}
