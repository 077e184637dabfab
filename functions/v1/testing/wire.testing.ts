import { v1 } from '../index.ts'
import { serveV1 } from '../serve.ts'
import { conforms } from '#functions/api/conform.ts'
import { routes } from '#functions/api/routes.ts'
import type { Context } from '#functions/context.ts'

/** The response to a request. */
interface Answer {
  status: number
  headers: Headers
  body: Record<string, unknown> & { error?: { message: string; fields?: { path: (string | number)[] }[] } }
}

const all = routes(v1).map((route) => ({
  ...route,
  pattern: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`),
}))

/**
 * Sends a request with the actor of `ctx`: each with a request id of its own, over the same connection. Throws if a successful
 * response does not match the declared schema.
 */
export async function ask(ctx: Context, requestLine: string, body?: unknown): Promise<Answer> {
  const [method = '', path = ''] = requestLine.split(' ')
  const response = await serveV1(
    new Request(`http://localhost:8787/v1${path}`, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    }),
    { ...ctx, responseHeaders: new Headers() },
  )
  const answer = (await response.json()) as Answer['body']
  if (response.ok) {
    const [plain = ''] = path.split('?')
    const route = all.find((each) => each.method === method.toLowerCase() && each.pattern.test(plain))
    const issues = route?.endpoint.returns ? conforms(route.endpoint.returns, answer) : ['Nothing declared.']
    if (issues.length) throw new Error(`${requestLine}: ${JSON.stringify(issues)}`)
  }
  return { status: response.status, headers: response.headers, body: answer }
}
