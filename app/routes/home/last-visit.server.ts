import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { cookiesNamed, hostCookie, setCookie } from '#functions/domain/identity/cookie.ts'

type Args = Pick<LoaderFunctionArgs, 'request' | 'context'>

/** Visits within this time count as one, so that navigating hides nothing. */
const sameVisitMs = 30 * 60_000
const keptSeconds = 180 * 86_400

/**
 * The time of the person's previous visit of this place in this browser; null if unknown. Records the current visit. Stored only in a
 * cookie, so the server does not track visits.
 */
export function recordVisit({ request, context: { ctx } }: Args, placeId: string): Date | null {
  const name = `seen-${placeId}`
  const userId = ctx.actor.user?.id ?? ''
  const now = ctx.now().getTime()
  const [cookie = ''] = cookiesNamed(request.headers, hostCookie(name, ctx.settings).name)
  const [who, at, before] = cookie.split('.')
  // A cookie of another user of this browser is ignored.
  const last = who === userId ? momentIn(at, now) : null
  const earlier = who === userId ? momentIn(before, now) : null
  const since = last !== null && now - last > sameVisitMs ? last : earlier
  const value = `${userId}.${now.toString(36)}.${since === null ? '' : since.toString(36)}`
  ctx.responseHeaders.append('set-cookie', setCookie(name, ctx.settings, value, keptSeconds))
  return since === null ? null : new Date(since)
}

/** Parses a moment of the cookie; null if invalid or in the future. */
function momentIn(text: string | undefined, now: number): number | null {
  if (!text || !/^[0-9a-z]{1,9}$/.test(text)) return null
  const at = Number.parseInt(text, 36)
  return at <= now ? at : null
}
