import { Hono } from 'hono'
import { answer, createNotModifiedResponse, refusal } from './answer.ts'
import { readApiRequest, type ApiRequest } from '#functions/engine/http/read-request.ts'
import { readBody } from '#functions/engine/http/body.ts'
import { call } from './call.ts'
import type { Tree } from './endpoint.ts'
import { HttpError } from '#functions/engine/http/http-error.ts'
import { enforceRateLimits } from './limits.ts'
import { apiMap } from './map.ts'
import { preflight, refuseForeign } from './origin.ts'
import { omitExcluded } from './exclusions.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { routes, type Route } from './routes.ts'
import { NotModified, withBasis } from './validator.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { Download } from '#functions/shapes/download.ts'

interface Bindings {
  Bindings: { ctx: Context; options: Record<string, unknown> }
}

const methods = ['get', 'post', 'patch', 'delete'] as const

/**
 * Serves a tree of endpoints over HTTP under a base path. Returns a function from a request (read or not) and its
 * context to the response; that function never throws.
 */
export function serve(
  tree: Tree,
  base = '/v1',
): (request: Request | ApiRequest, ctx: Context) => Promise<Response> {
  const app = router(routes(tree), base)
  return async (input, ctx) => {
    const { request, options, readError } = input instanceof Request ? await readApiRequest(input) : input
    if (request.method === 'OPTIONS') return preflight()
    try {
      if (readError) throw readError
      return await app.fetch(request, { ctx, options })
    } catch (error) {
      return refusal(error, ctx)
    }
  }
}

function router(all: Route[], base: string) {
  const app = new Hono<Bindings>({ strict: false })
  const map = JSON.stringify(apiMap(all, base))
  const mapHeaders = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }
  app.get(
    base,
    () => new Response(map, { headers: { ...mapHeaders, 'cache-control': 'public, max-age=3600' } }),
  )
  for (const route of all)
    app.on(route.method, `${base}${toPattern(route.path)}`, async (c) =>
      handle(route, c.req.raw, c.env.ctx, c.env.options, withoutEnding(route.path, c.req.param())),
    )
  for (const [path, allowed] of methodsByPath(all))
    app.all(`${base}${toPattern(path)}`, () => {
      throw new HttpError(405, 'Method Not Allowed', { allow: allowed.join(', ').toUpperCase() })
    })
  app.notFound((c) => refusal(new Failure('notFound'), c.env.ctx))
  app.onError((error, c) => refusal(error, c.env.ctx))
  return app
}

/** A file extension after the last parameter of a path: `.svg` of `/insights/:insightId.svg`. */
const ending = /:(\w+)(\.[\w.]+)$/

/** Converts a path for hono, where a parameter is always a whole segment: an extension becomes part of a pattern. */
function toPattern(path: string): string {
  return path.replace(ending, (_all, name: string, end: string) => {
    return `:${name}{[^/.]+${end.replaceAll('.', '\\.')}}`
  })
}

/** Removes the file extension, which hono includes in the last parameter. */
function withoutEnding(path: string, params: Record<string, string>): Record<string, string> {
  const [, name, end] = ending.exec(path) ?? []
  if (name === undefined || end === undefined) return params
  return { ...params, [name]: (params[name] ?? '').slice(0, -end.length) }
}

async function handle(
  route: Route,
  request: Request,
  ctx: Context,
  input: Record<string, unknown>,
  params: Record<string, string>,
): Promise<Response> {
  const { response, ...options } = input
  const { endpoint } = route
  await enforceRateLimits(route, ctx)
  if (route.method !== 'get') refuseForeign(request, ctx)
  if (!endpoint.stream) acceptsJson(request)
  const data = endpoint.data && (await readBody(request, endpoint.multipart === true))
  const wantsBody = response !== 'false' && response !== false
  try {
    const under = withBasis(route, ctx, { params, options })
    return await withIdempotencyKey(route, request, under, data, async () => {
      const result: unknown = await call(endpoint, under, { params, options, data })
      if (ctx.settings.environment === 'test') await requireDeclared(route, result)
      const visible = omitExcluded(endpoint, options.exclusions, result)
      return answer(visible, route, request, ctx, wantsBody)
    })
  } catch (error) {
    if (error instanceof NotModified) return createNotModifiedResponse(route, ctx)
    throw error
  }
}

/** In tests a response must conform to its declaration, so that nothing undeclared leaks and no description is wrong. */
async function requireDeclared(route: Route, result: unknown) {
  if (result instanceof Download) return
  const { requireConforming } = await import('./conform.ts')
  requireConforming(route, result)
}

function acceptsJson(request: Request) {
  const accept = request.headers.get('accept')
  if (!accept || /(^|,)\s*(\*\/\*|application\/(\*|json|geo\+json|[\w.-]+\+json))\s*(;|,|$)/i.test(accept))
    return
  throw new HttpError(406, 'Not Acceptable')
}

function methodsByPath(all: Route[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>()
  for (const { path, method } of all) byPath.set(path, [...(byPath.get(path) ?? []), method])
  for (const [path, rows] of byPath)
    byPath.set(
      path,
      methods.filter((method) => rows.includes(method)),
    )
  return byPath
}
