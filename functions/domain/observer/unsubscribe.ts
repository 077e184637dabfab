import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { makeStopToken, stopTokenHolder } from '#functions/domain/email/stopToken.ts'
import type { StopOptions } from '#functions/shapes/observer.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'

/** Whose letters of which observer. */
interface Letters {
  placeId: string
  observerId: string
  userId: string
}

const about = ({ placeId, observerId }: Omit<Letters, 'userId'>) => [placeId, observerId]

/** The path under which a person stops the letters of an observer without signing in. Its token is made when a letter is sent. */
export function stopPath({ placeId, observerId }: Omit<Letters, 'userId'>, token: string): string {
  return `/places/${encodeURIComponent(placeId)}/observers/${encodeURIComponent(observerId)}/unsubscribe?token=${token}`
}

/** The token of such a path, for 90 days: signed for that person and that observer alone. Stored nowhere. */
export async function stopToken(secret: string, letters: Letters, at: Date): Promise<string> {
  return makeStopToken(secret, about(letters), letters.userId, at)
}

/**
 * What the link of a letter is about, and whether its holder still gets letters of it. Changes nothing: mail programs
 * visit links too. Failure `invalid` for a link that is not ours or has expired; undefined when the observer is gone.
 */
export async function subscription(ctx: Context, request: NounRequest<StopOptions>) {
  return lettersOf(ctx, request, false)
}

/** Stops the letters of an observer to who holds the link of one. Again it changes nothing. Refuses as `subscription`. */
export async function unsubscribe(ctx: Context, request: NounRequest<StopOptions>) {
  return lettersOf(ctx, request, true)
}

async function lettersOf(ctx: Context, request: NounRequest<StopOptions>, isToStop: boolean) {
  const [placeId, observerId] = [param(request, 'placeId'), param(request, 'observerId')]
  const { token } = request.options
  const userId = await stopTokenHolder(ctx, about({ placeId, observerId }), token)
  if (userId === null)
    throw new Failure('invalid', {
      issues: [{ path: ['token'], message: 'This link does not work, or does not work any more.' }],
    })
  // As the owner: whoever holds the link need not be signed in.
  const { rows } = await sql<{ name: string; isRecipient: boolean }>`
    select name, is_recipient from observer_letters(${placeId}, ${observerId}, ${userId}, ${isToStop})`.execute(
    ctx.db,
  )
  return rows[0] && { observerId, ...rows[0] }
}
