import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { makeStopToken, stopTokenHolder } from '#functions/domain/email/stop-token.ts'
import type { StopOptions } from '#functions/shapes/observer.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'

/** Whose letters of which observer. */
interface Letters {
  placeId: string
  observerId: string
  userId: string
}

const about = ({ placeId, observerId }: Omit<Letters, 'userId'>) => [placeId, observerId]

/**
 * The path by which a person unsubscribes from an observer without signing in. Its token is created when an
 * email is sent.
 */
export function stopPath({ placeId, observerId }: Omit<Letters, 'userId'>, token: string): string {
  return `/places/${encodeURIComponent(placeId)}/observers/${encodeURIComponent(observerId)}/unsubscribe?token=${token}`
}

/** The token of such a path, valid for 90 days: signed for that person and observer, not stored. */
export async function stopToken(secret: string, letters: Letters, at: Date): Promise<string> {
  return makeStopToken(secret, about(letters), letters.userId, at)
}

/**
 * The observer of an unsubscribe link, and whether the person is still a recipient. Changes nothing, because
 * mail programs open links too. Failure `invalid` for a forged or expired link; undefined when the observer
 * was deleted.
 */
export async function subscription(ctx: Context, request: NounRequest<StopOptions>) {
  return readOrStopSubscription(ctx, request, false)
}

/** Unsubscribes the holder of a link; repeating it changes nothing. Failures as for `subscription`. */
export async function unsubscribe(ctx: Context, request: NounRequest<StopOptions>) {
  return readOrStopSubscription(ctx, request, true)
}

async function readOrStopSubscription(ctx: Context, request: NounRequest<StopOptions>, isToStop: boolean) {
  const [placeId, observerId] = [param(request, 'placeId'), param(request, 'observerId')]
  const { token } = request.options
  const userId = await stopTokenHolder(ctx, about({ placeId, observerId }), token)
  if (userId === null)
    throw new Failure('invalid', {
      issues: [{ path: ['token'], message: 'This link does not work, or does not work any more.' }],
    })
  // By a function of the database's owner, because the holder of the link need not be signed in.
  const { rows } = await sql<{ name: string; isRecipient: boolean }>`
    select name, is_recipient from observer_letters(${placeId}, ${observerId}, ${userId}, ${isToStop})`.execute(
    ctx.db,
  )
  return rows[0] && { observerId, ...rows[0] }
}
