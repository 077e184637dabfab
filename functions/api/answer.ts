import { isRewritten } from '#functions/engine/http/read-request.ts'
import { toFailure } from '#functions/engine/http/failure.ts'
import { HttpError } from '#functions/engine/http/http-error.ts'
import { buildNextLink } from '#functions/engine/http/next-link.ts'
import { corsHeaders } from './origin.ts'
import type { Route } from './routes.ts'
import { hashText, matchesEtag } from '#functions/engine/http/etag.ts'
import type { Context } from '#functions/context.ts'
import { contentDisposition } from '#functions/engine/media/disposition.ts'
import { Download } from '#functions/shapes/download.ts'

/** The response of a successful call: 201 for a created row, 204 without a result, 304 where the client already has it. */
export async function answer(
  result: unknown,
  route: Route,
  request: Request,
  ctx: Context,
  wantsBody: boolean,
): Promise<Response> {
  const headers = baseHeaders(ctx)
  headers.set('cache-control', cacheControl(route, ctx))
  const status = ctx.responded.status ?? (route.verb === 'create' ? 201 : 200)
  if (!wantsBody) return new Response(null, { status: status === 201 ? 201 : 204, headers })
  if (result === null) return new Response(null, { status: 204, headers })
  if (result instanceof Download) {
    ctx.about.isExport = true
    headers.set('content-type', result.contentType)
    headers.set('x-content-type-options', 'nosniff')
    if (result.fileName) headers.set('content-disposition', contentDisposition('attachment', result.fileName))
    return new Response(result.body, { status, headers })
  }
  headers.set('content-type', 'application/json')
  const body = JSON.stringify(result)
  if (route.method === 'get') {
    if (!headers.has('etag')) headers.set('etag', `"${await hashText(body)}"`)
    if (matchesEtag(request.headers.get('if-none-match'), headers.get('etag')))
      return createNotModifiedResponse(route, ctx, headers)
    const next = findNextUrl(result, request)
    // Appended to the `link` headers that the endpoint has set itself.
    if (next) headers.append('link', next)
  }
  return new Response(body, { status, headers })
}

/** A 304 response: the headers that the 200 would have had (RFC 9110, 15.4.5), and no body. */
export function createNotModifiedResponse(route: Route, ctx: Context, headers = baseHeaders(ctx)): Response {
  headers.delete('content-type')
  headers.set('cache-control', cacheControl(route, ctx))
  return new Response(null, { status: 304, headers })
}

/** The URL of the next page; null on the last page, or where the query came as a body. */
function findNextUrl(result: unknown, request: Request): string | null {
  const { meta } = (typeof result === 'object' && result !== null ? result : {}) as {
    meta?: { next?: unknown }
  }
  if (typeof meta?.next !== 'string' || isRewritten(request)) return null
  return buildNextLink(request.url, meta.next)
}

/** The most issues in one response. */
const maxIssues = 500

/** The response of a failed call. An unexpected error is reported with the id of the request; its message is never sent. */
export function refusal(error: unknown, ctx: Context): Response {
  const { status, kind, message, issues, reason, extra, beside } = describe(error, ctx)
  const headers = baseHeaders(ctx)
  for (const [name, value] of Object.entries(extra)) headers.set(name, value)
  headers.set('content-type', 'application/json')
  // It was set for the successful response, which is not sent.
  headers.delete('etag')
  headers.set('cache-control', 'private, no-store')
  if (status === 429 || status === 503) if (!headers.has('retry-after')) headers.set('retry-after', '5')
  const body = {
    ...beside,
    error: { status, kind, message, ...(reason && { reason }), fields: issues },
    fields: issues,
    requestId: ctx.request.id,
  }
  return new Response(JSON.stringify(body), { status, headers })
}

function describe(error: unknown, ctx: Context) {
  if (error instanceof HttpError)
    return {
      status: error.status,
      kind: error.kind,
      message: error.message,
      issues: [],
      reason: null,
      extra: error.headers,
      beside: {},
    }
  const failure = toFailure(error)
  if (failure.kind === 'broken') ctx.report(failure.cause ?? failure, { requestId: ctx.request.id })
  const { status, kind, message, reason } = failure
  // A request with thousands of issues gets only the first of them.
  const issues = failure.issues
    .slice(0, maxIssues)
    .map((issue) => ({ ...issue, validator: issue.validator ?? 'valid' }))
  // A Failure may carry data that the client needs anyway: a visitor who is not signed in still learns of the hub.
  const beside = 'beside' in failure ? (failure.beside as object) : {}
  return { status, kind, message, issues, reason, extra: {}, beside }
}

function baseHeaders(ctx: Context): Headers {
  const headers = new Headers(ctx.responseHeaders)
  headers.set('x-request-id', ctx.request.id)
  for (const [name, value] of Object.entries(corsHeaders(ctx))) headers.set(name, value)
  return headers
}

/** Only anonymous responses may be stored by shared caches. */
function cacheControl({ endpoint }: Route, ctx: Context): string {
  const isShared = endpoint.cache !== undefined && ctx.actor.kind === 'anonymous'
  return isShared ? (endpoint.cache as string) : 'private, no-cache'
}
