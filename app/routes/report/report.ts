import type { ActionFunctionArgs } from '@remix-run/cloudflare'
import { isOwnOrigin } from '#app/server/load.server.ts'
import { guard } from '#app/server/session.server.ts'

/** Maximum number of characters of each text in a report. */
const most = { message: 500, stack: 4000, path: 300 }

/** Receives errors in the browser of a signed-in person from our own pages, for error reporting. */
export async function action(args: ActionFunctionArgs) {
  const { request, context } = args
  const { ctx } = context
  guard(args, 'signedIn')
  const isShort = Number(request.headers.get('content-length') ?? Infinity) <= 20_000
  if (request.method !== 'POST' || !isOwnOrigin(request, ctx.site.origin) || !isShort)
    return new Response(null, { status: 400 })
  const form = await request.formData()
  const text = (name: keyof typeof most) => String(form.get(name) ?? '').slice(0, most[name])
  const path = text('path')
  ctx.report(text('message'), { requestId: ctx.request.id, during: 'browser', path, stack: text('stack') })
  ctx.track('errorView', { kind: 'browser', status: 'browser', path, requestId: ctx.request.id })
  return new Response(null, { status: 204 })
}
