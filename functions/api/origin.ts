import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/**
 * Rejects cross-site requests of browsers (CSRF). A request that changes something must come from our own origin, unless
 * no browser is involved: it has a key and no cookie, or none of the headers that browsers add.
 */
export function refuseForeign(request: Request, ctx: Context): void {
  const { headers } = request
  const isOfBrowser = headers.has('origin') || headers.has('sec-fetch-site')
  const hasKey = ctx.actor.kind === 'sourceKey' || (ctx.actor.user !== null && ctx.actor.session === null)
  if (!headers.has('cookie') && (hasKey || !isOfBrowser)) return
  if (!isOwnOrigin(request, ctx.site.origin)) throw new Failure('forbidden', { message: otherSiteMessage })
}

/** The message of a rejected cross-site request. */
export const otherSiteMessage = 'This request came from another site.'

/**
 * Whether the headers of a browser show that a page of `own` (scheme, host and port) sent a request; false without such
 * headers.
 */
export function isOwnOrigin(request: Request, own: string): boolean {
  const { headers } = request
  const isSaid = headers.has('origin') || headers.get('sec-fetch-site') === 'same-origin'
  return isSaid && !isForeignOrigin(request, own)
}

/**
 * Whether the headers of a browser show that a page of another site sent a request. An invalid `Origin` is foreign too,
 * except `null` with `Sec-Fetch-Site: same-origin`: a plain form of a page with `Referrer-Policy: no-referrer` is sent
 * like that (Fetch, "append a request Origin header"). Pages cannot set either header, and a sandboxed frame, whose
 * `Origin` is `null` too, is `cross-site`.
 */
export function isForeignOrigin({ headers }: Request, own: string): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isHidden = origin === 'null' && site === 'same-origin'
  return (
    (origin !== null && origin !== own && !isHidden) ||
    (site !== null && site !== 'same-origin' && site !== 'none')
  )
}

/**
 * CORS headers: any site may read a response without credentials, unless it was made for a session. No origin ever gets
 * credentials, so a cookie gives other sites no access.
 */
export function corsHeaders(ctx: Context): Record<string, string> {
  if (ctx.actor.session) return {}
  return { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed }
}

const exposed =
  'content-disposition, link, etag, retry-after, ratelimit, ratelimit-policy, x-request-id, x-row-count, x-data-version'

/** The response to a CORS preflight. The same for everyone, so it needs no authentication. */
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
