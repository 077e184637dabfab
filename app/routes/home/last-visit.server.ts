import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { cookiesNamed, hostCookie, setCookie } from '#functions/domain/identity/cookie.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context'>

/** Who looks again within this time is still on the same visit, so that going to a screen and back hides nothing. */
const sameVisitMs = 30 * 60_000
const keptSeconds = 180 * 86_400

/**
 * When the person was last at home in this place with this browser, before the present visit; null: never yet, or the browser forgot.
 * Notes that they are here now. Kept in a cookie of the browser: the server learns nothing about when people look.
 */
export function noteVisit({ request, context: { ctx } }: Args, placeId: string): Date | null {
  const name = `seen-${placeId}`
  const userId = ctx.actor.user?.id ?? ''
  const now = ctx.now().getTime()
  const [kept = ''] = cookiesNamed(request.headers, hostCookie(name, ctx.settings).name)
  const [who, at, before] = kept.split('.')
  // Of someone else who uses this browser it says nothing about this person.
  const last = who === userId ? momentIn(at, now) : null
  const earlier = who === userId ? momentIn(before, now) : null
  const since = last !== null && now - last > sameVisitMs ? last : earlier
  const value = `${userId}.${now.toString(36)}.${since === null ? '' : since.toString(36)}`
  ctx.responseHeaders.append('set-cookie', setCookie(name, ctx.settings, value, keptSeconds))
  return since === null ? null : new Date(since)
}

/** A moment as the cookie has it; null for what is none, or lies ahead. */
function momentIn(text: string | undefined, now: number): number | null {
  if (!text || !/^[0-9a-z]{1,9}$/.test(text)) return null
  const at = Number.parseInt(text, 36)
  return at <= now ? at : null
}
