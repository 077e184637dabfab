import { canonical } from '#functions/engine/http/canonical.ts'
import type { Route } from './routes.ts'
import type { Context } from '#functions/context.ts'
import { hashText, matchesEtag } from '#functions/engine/http/etag.ts'

/** Thrown to end a request whose client already has the response. Not an error, and never reported. */
export class NotModified extends Error {}

/**
 * Lets the endpoint of a GET declare what its response is made of: the ETag is a hash of the request, the actor and the
 * data versions, so an unchanged response need not be made again. Weak, because it identifies the content and not the
 * bytes.
 */
export function withBasis(
  { method, path, endpoint }: Route,
  ctx: Context,
  request: { params: Record<string, string>; options: unknown },
): Context {
  if (method !== 'get') return ctx
  const versions: Record<string, number | string> = {}
  let isNeverAlike = false
  const { actor, site, placeId } = ctx
  const who = [actor.user?.id, actor.user?.role, actor.source?.id, actor.memberships, site.mode, placeId]
  return {
    ...ctx,
    async basis(more, isOfNow = false) {
      await ctx.basis(more, isOfNow)
      Object.assign(versions, more)
      isNeverAlike ||= isOfNow
      if (isNeverAlike) return void ctx.responseHeaders.delete('etag')
      // `Accept` matters only for responses in a format of their own.
      const accept = endpoint.stream ? ctx.request.headers.get('accept') : null
      // Serialised only here: unvalidated options may be nested too deeply to serialise.
      const question = canonical([path, request, who, accept])
      const tag = `W/"${await hashText(`${question}${JSON.stringify(versions)}`)}"`
      ctx.responseHeaders.set('etag', tag)
      if (matchesEtag(ctx.request.headers.get('if-none-match'), tag)) throw new NotModified()
    },
  }
}
