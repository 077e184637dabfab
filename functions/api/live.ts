import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/cloudflare'
import { boundRequest } from '#functions/platform/bounded-request.ts'
import { readGrants } from '#functions/domain/access/grants.ts'
import { isForeignOrigin, otherSiteMessage } from './origin.ts'
import type { Context, HubSite } from '#functions/context.ts'
import { splitLocale } from '#functions/engine/address/locales.ts'

declare module '@remix-run/cloudflare' {
  interface AppLoadContext {
    ctx: Context
    /** For the Content-Security-Policy of a live answer. */
    nonce: string
  }
}

// A virtual module of Vite, which TypeScript cannot resolve.
const loadBuild = () => import('virtual:remix/server-build') as Promise<ServerBuild>

/** Request handlers by build: creating one per request would cost more than rendering many a page. */
const handlers = new WeakMap<ServerBuild, RequestHandler>()

function getHandler(build: ServerBuild): RequestHandler {
  const handler = handlers.get(build) ?? createRequestHandler(build, build.mode)
  handlers.set(build, handler)
  return handler
}

/**
 * Most bytes that a screen is sent at once. A form is held more than twice while it is read, so that a larger one would
 * not fit into an isolate, whoever sends it. Files that a form may carry (25 MB) are refused by their endpoints, in words.
 */
const maxSentBytes = 35_000_000

/**
 * Renders a page of the workspace or a live hub page with Remix. Loaded only by requests that need a framework. The
 * language prefix of a hub page is removed here: routes match paths without it, and read the language from the site.
 */
export async function renderLive(pageRequest: Request, input: Context): Promise<Response> {
  if (
    pageRequest.method !== 'GET' &&
    pageRequest.method !== 'HEAD' &&
    isForeignOrigin(pageRequest, input.site.origin)
  )
    return new Response(`${otherSiteMessage}\n`, {
      status: 403,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    })
  const boundedRequest = boundRequest(pageRequest, maxSentBytes)
  if (boundedRequest.isTooLarge()) return createTooLargeResponse()
  const { request, ctx } =
    input.site.mode === 'hub'
      ? resolveRequestLocale(boundedRequest.request, input, input.site)
      : { request: boundedRequest.request, ctx: input }
  const [build] = await Promise.all([loadBuild(), readGrants(ctx)])
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
  const handle = getHandler(build)
  const response = await handle(withKnownHost(request), { ctx, nonce })
  if (boundedRequest.isTooLarge()) return createTooLargeResponse()
  const movedPath = response.status === 404 ? await findMovedTypePath(request, ctx) : null
  if (movedPath !== null)
    return new Response(null, { status: 308, headers: { location: movedPath, 'cache-control': 'no-store' } })
  const answer = new Response(response.body, response)
  for (const cookie of ctx.responseHeaders.getSetCookie()) answer.headers.append('set-cookie', cookie)
  if (ctx.site.mode === 'main' && leadsOn(answer) && !answer.headers.has('cache-control'))
    answer.headers.set('cache-control', 'private, no-cache')
  return answer
}

function createTooLargeResponse(): Response {
  return new Response('This is too large to be sent by a form. A file in a form may have 25 MB.\n', {
    status: 413,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
}

/** Whether a response redirects, which depends on the actor. Remix sends redirects of scripts as a 202. */
const leadsOn = ({ status }: Response) => status === 202 || (status >= 300 && status < 400 && status !== 304)

/**
 * Removes headers that make Remix reject the request as cross-origin: `X-Forwarded-Host`, because only the URL decides
 * which host is requested, and `Origin: null`, which is a page of ours once it has passed the origin check.
 */
function withKnownHost(request: Request): Request {
  const isHidden = request.headers.get('origin') === 'null'
  if (!isHidden && !request.headers.has('x-forwarded-host')) return request
  const headers = new Headers(request.headers)
  headers.delete('x-forwarded-host')
  if (isHidden) headers.delete('origin')
  return new Request(request, { headers })
}

function resolveRequestLocale(
  request: Request,
  input: Context,
  site: HubSite,
): { request: Request; ctx: Context } {
  const url = new URL(request.url)
  const { locale, path } = splitLocale(url.pathname, site.languages)
  url.pathname = path
  return { request: new Request(url, request), ctx: { ...input, site: { ...site, locale } } }
}

/** The path of a data type's screen after the place's sources have moved to a data type of its own; null where they have not. */
async function findMovedTypePath({ method, url }: Request, ctx: Context): Promise<string | null> {
  const { pathname, search } = new URL(url)
  const [, dataTypeId, after = ''] = /^\/types\/([a-z0-9-]+)(\/.*)?$/.exec(pathname) ?? []
  if (method !== 'GET' || ctx.site.mode !== 'main' || ctx.placeId === null || dataTypeId === undefined)
    return null
  const { findMovedType } = await import('#functions/domain/data-type/moved.ts')
  const to = await findMovedType(ctx, ctx.placeId, dataTypeId)
  return to && `/types/${to}${after}${search}`
}
