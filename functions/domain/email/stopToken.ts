import type { Context } from '#functions/context.ts'
import { isSigned, signature } from '#functions/engine/media/sign.ts'

/** How long the link of an email works that stops such emails. */
const daysGood = 90

const boundTo = (about: readonly string[], userId: string, expires: string) => [...about, userId, expires]

/**
 * The token of a link that stops emails to a person, for 90 days: signed for that person and what the emails are about alone. Stored
 * nowhere. `about`: kinds of emails differ in how many values they name.
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

/** Whom such a token was made for; null when it is not ours, about something else, or too old. */
export async function stopTokenHolder(
  ctx: Pick<Context, 'settings' | 'now'>,
  about: readonly string[],
  token: string,
): Promise<string | null> {
  const [, expires = '', value = '', signature = ''] =
    /^(\d{1,16})\.([\w-]{43})\.([^.]{1,300}.*)$/.exec(token) ?? []
  const userId = decode(signature)
  if (!userId) return null
  const isOurs = await isSigned(ctx.settings, 'unsubscribe', boundTo(about, userId, expires), value)
  return isOurs && Number(expires) > ctx.now().getTime() ? userId : null
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
