import { redirect, type ActionFunctionArgs } from '@remix-run/cloudflare'
import { knows } from '#functions/domain/access/allowed.ts'
import { isOwnOrigin } from '#functions/api/origin.ts'
import { Failure } from '#functions/errors.ts'
import { safeRedirect } from '#functions/domain/identity/redirect.ts'
import { buildPlaceCookie } from '#functions/shapes/place-cookie.ts'
import { toErrorResponse } from '#app/server/load.server.ts'

/** Switches the active place, and redirects to the requested path of this site, else /. */
export async function switchPlace(args: ActionFunctionArgs): Promise<Response> {
  const { request, context } = args
  const { ctx } = context
  if (ctx.site.mode !== 'main') throw toErrorResponse(new Failure('notFound'), args)
  if (!isOwnOrigin(request, ctx.site.origin)) throw toErrorResponse(new Failure('forbidden'), args)
  if (!ctx.actor.user) throw toErrorResponse(new Failure('unauthenticated'), args)
  const form = await request.formData()
  const text = (name: string) => String(form.get(name) ?? '')
  const placeId = text('placeId')
  if (!knows(ctx.actor, placeId)) throw toErrorResponse(new Failure('forbidden'), args)
  return redirect(safeRedirect(text('to')), { headers: { 'set-cookie': buildPlaceCookie(placeId) } })
}
