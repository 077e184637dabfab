import { sql } from 'kysely'
import { stopTokenHolder } from '#functions/domain/email/stop-token.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { Failure } from '#functions/errors.ts'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'
import type { ErrorReportEmails } from '#functions/shapes/error-report.ts'
import type { StopOptions } from '#functions/shapes/observer.ts'

/** The path to unsubscribe from the emails of a place about reports without signing in. */
export const stopReportsPath = (placeId: string, token: string) =>
  `/places/${encodeURIComponent(placeId)}/error-reports/unsubscribe?token=${token}`

/** Whether the actor gets emails about new reports of a place. False without an account. */
export async function emails(ctx: Context, request: NounRequest) {
  const userId = ctx.actor.user?.id
  if (userId === undefined) return { isOn: false }
  return { isOn: !(await isMuted(ctx.db, param(request, 'placeId'), userId)) }
}

/** Subscribes the actor to emails about new reports of a place, or unsubscribes. */
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
 * The subscription of an unsubscribe link. Changes nothing, because mail clients open links too. Failure `invalid` for a
 * forged or expired link; undefined when the place no longer exists.
 */
export async function subscription(ctx: Context, request: NounRequest<StopOptions>) {
  return followStopLink(ctx, request, false)
}

/** Unsubscribes the holder of a link; repeating it changes nothing. Failures as for `subscription`. */
export async function unsubscribe(ctx: Context, request: NounRequest<StopOptions>) {
  return followStopLink(ctx, request, true)
}

async function followStopLink(ctx: Context, request: NounRequest<StopOptions>, isToStop: boolean) {
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
    // The holder of the link need not be signed in.
    await sql`select set_config('app.email_reader', ${userId}, true)`.execute(tx)
    if (isToStop) await mute(tx, placeId, userId)
    return { placeId, placeName: place.displayName, isOn: !(await isMuted(tx, placeId, userId)) }
  })
}

async function mute(tx: Tx, placeId: string, userId: string): Promise<void> {
  // Selects the account: a deleted one has no subscription.
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
