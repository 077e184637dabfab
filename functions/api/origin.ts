import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/**
 * Refuses what another site made a browser send. A request that changes something must come from our own origin,
 * unless no browser is in play: a key and no cookie, or none of the headers that browsers add.
 */
export function refuseForeign(request: Request, ctx: Context): void {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  const hasCookie = request.headers.has('cookie')
  const hasKey = ctx.actor.kind === 'sourceKey' || (ctx.actor.user !== null && ctx.actor.session === null)
  if (!hasCookie && (hasKey || (origin === null && site === null))) return
  const isOwn = origin === null ? site === 'same-origin' : origin === ctx.site.origin
  const isForeign = site !== null && site !== 'same-origin' && site !== 'none'
  if (!isOwn || isForeign) throw new Failure('forbidden', { say: 'This request came from another site.' })
}

/**
 * Who may read an answer in a browser: any site, without credentials, unless it was made for a session. No origin is
 * ever given credentials, so a cookie opens nothing to another site.
 */
export function corsHeaders(ctx: Context): Record<string, string> {
  if (ctx.actor.session) return {}
  return { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed }
}

const exposed =
  'content-disposition, link, etag, retry-after, ratelimit, ratelimit-policy, x-request-id, x-row-count, x-data-version'

/** The answer to a browser asking whether it may ask. The same for everyone, so it needs no look at who asks. */
export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers':
        'content-type, authorization, idempotency-key, if-match, if-none-match, x-http-method-override',
      'access-control-max-age': '86400',
    },
  })
}
