import type { Context } from '#functions/context.ts'
import { isSigned, signature } from '#functions/engine/media/sign.ts'
import { decodePercents } from '#functions/shapes/percent-encoding.ts'

/** How long an unsubscribe link is valid, in days. */
const daysGood = 90

const boundTo = (about: readonly string[], userId: string, expires: string) => [...about, userId, expires]

/**
 * Creates the token of an unsubscribe link, valid for 90 days: signed for one person and one subject. Stored nowhere.
 * `about`: the number of values depends on the kind of email.
 */
export async function makeStopToken(
  secret: string,
  about: readonly string[],
  userId: string,
  at: Date,
): Promise<string> {
  const expires = String(at.getTime() + daysGood * 86_400_000)
  return [
    expires,
    await signature(secret, 'unsubscribe', boundTo(about, userId, expires)),
    encodeURIComponent(userId),
  ].join('.')
}

/** The person that an unsubscribe token was made for; null when it is forged, about something else, or expired. */
export async function stopTokenHolder(
  ctx: Pick<Context, 'settings' | 'now'>,
  about: readonly string[],
  token: string,
): Promise<string | null> {
  const [, expires = '', value = '', signature = ''] =
    /^(\d{1,16})\.([\w-]{43})\.([^.]{1,300}.*)$/.exec(token) ?? []
  const userId = decodePercents(signature)
  if (!userId) return null
  const isOurs = await isSigned(ctx.settings, 'unsubscribe', boundTo(about, userId, expires), value)
  return isOurs && Number(expires) > ctx.now().getTime() ? userId : null
}
