import { Hono } from 'hono'
import { answer, refusal } from './answer.ts'
import { maxBodyBytes, maxQueryBytes, readJson } from './body.ts'
import { call } from './call.ts'
import type { Tree } from './endpoint.ts'
import { HttpError } from './http-error.ts'
import { apiMap } from './map.ts'
import { preflight, refuseForeign } from './origin.ts'
import { parseQuery } from './querystring.ts'
import { routes, type Route } from './routes.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

interface Asked {
  Bindings: { ctx: Context; options: Record<string, unknown> }
}

/** Longest URL in characters; larger questions come as POST with `X-HTTP-Method-Override: GET`. */
const maxUrl = 16_384
const methods = ['get', 'post', 'patch', 'delete'] as const

/**
 * Puts a tree of endpoints on HTTP under a base path. Gives a function from a request and its context to the answer;
 * it never throws.
 */
export function serve(tree: Tree, base = '/v1'): (request: Request, ctx: Context) => Promise<Response> {
  const app = router(routes(tree), base)
  return async (request, ctx) => {
    if (request.method === 'OPTIONS') return preflight()
    try {
      const { options, request: asked } = await readOptions(request)
      return await app.fetch(asked, { ctx, options })
    } catch (error) {
      return refusal(error, ctx)
    }
  }
}

function router(all: Route[], base: string) {
  const app = new Hono<Asked>({ strict: false })
  const map = JSON.stringify(apiMap(all, base))
  const mapHeaders = { 'content-type': 'application/json', 'access-control-allow-origin': '*' }
  app.get(
    base,
    () => new Response(map, { headers: { ...mapHeaders, 'cache-control': 'public, max-age=3600' } }),
  )
  for (const route of all)
    app.on(route.method, `${base}${route.path}`, async (c) =>
      handle(route, c.req.raw, c.env.ctx, c.env.options, c.req.param()),
    )
  for (const [path, allowed] of methodsByPath(all))
    app.all(`${base}${path}`, () => {
      throw new HttpError(405, 'Method Not Allowed', { allow: allowed.join(', ').toUpperCase() })
    })
  app.notFound((c) => refusal(new Failure('notFound'), c.env.ctx))
  app.onError((error, c) => refusal(error, c.env.ctx))
  return app
}

async function handle(
  route: Route,
  request: Request,
  ctx: Context,
  given: Record<string, unknown>,
  params: Record<string, string>,
): Promise<Response> {
  const { key: _key, response, ...options } = given
  if (route.method !== 'get') refuseForeign(request, ctx)
  if (!route.endpoint.stream) acceptsJson(request)
  const data = route.endpoint.data && (await readJson(request, maxBodyBytes))
  const result: unknown = await call(route.endpoint, ctx, { params, options, data })
  return answer(result, route, request, ctx, response !== 'false' && response !== false)
}

/** The options of a request, and the request as the routes should see it: a rewritten GET is a GET. */
async function readOptions(request: Request) {
  if (request.url.length > maxUrl) throw new Failure('tooLarge', { say: 'The address is too long.' })
  const query = parseQuery(new URL(request.url).search)
  const override = request.headers.get('x-http-method-override')?.toLowerCase()
  if (request.method !== 'POST' || override !== 'get') return { options: query, request }
  const body = await readJson(request, maxQueryBytes)
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body)))
    throw new Failure('invalid', { say: 'The body of a rewritten GET is an object.' })
  const headers = new Headers(request.headers)
  for (const name of ['content-type', 'content-length', 'x-http-method-override']) headers.delete(name)
  return { options: { ...query, ...body }, request: new Request(request.url, { method: 'GET', headers }) }
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
  for (const [path, found] of byPath)
    byPath.set(
      path,
      methods.filter((method) => found.includes(method)),
    )
  return byPath
}
