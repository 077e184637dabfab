import { canonical } from '#functions/engine/http/canonical.ts'
import type { Route } from './routes.ts'
import type { Context } from '#functions/context.ts'
import { hashOf, isKnown } from '#functions/engine/http/etag.ts'

/** Thrown to end a request whose sender already has the answer. No failure, and of no interest to anyone else. */
export class NotModified extends Error {}

/**
 * Gives the context of one GET the means to say what its answer is made of: the ETag is of the question, of who asks
 * and of the versions of the data, so an answer that was given before need not be made again. Weak, since it is of what
 * is said and not of the bytes.
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
      // Only an answer in a format of its own is another one for another Accept.
      const accept = endpoint.stream ? ctx.request.headers.get('accept') : null
      // Written only now: before they were checked, the options may be nested too deep to be written at all.
      const question = canonical([path, request, who, accept])
      const tag = `W/"${await hashOf(`${question}${JSON.stringify(versions)}`)}"`
      ctx.responseHeaders.set('etag', tag)
      if (isKnown(ctx.request.headers.get('if-none-match'), tag)) throw new NotModified()
    },
  }
}
