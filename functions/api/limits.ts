import type { Route } from './routes.ts'
import type { Context, LimitName } from '#functions/context.ts'
import { rateLimitKey } from '#functions/platform/rate-limit-key.ts'
import { Failure } from '#functions/errors.ts'

/** The limiters count by the minute. */
const windowSeconds = 60

/**
 * Counts a request against the rate limits of its actor: `tooMany` with a time to retry when one is exceeded. Every
 * response states the limit (draft-ietf-httpapi-ratelimit-headers). Requests of the product itself are not counted.
 */
export async function enforceRateLimits({ endpoint }: Route, ctx: Context): Promise<void> {
  const { limits, actor } = ctx
  if (!limits || actor.kind === 'system') return
  const names: LimitName[] = [actor.kind === 'anonymous' ? 'anonymous' : 'key']
  if (endpoint.heavy) names.push('heavy')
  ctx.responseHeaders.set(
    'ratelimit-policy',
    names.map((name) => policy(name, limits.rates[name])).join(', '),
  )
  const who = rateLimitKey(ctx)
  for (const name of names) {
    if (await limits.consumeToken(name, who)) continue
    ctx.responseHeaders.set('ratelimit', `"${name}";r=0;t=${windowSeconds}`)
    ctx.responseHeaders.set('retry-after', String(windowSeconds))
    throw new Failure('tooMany', { message: `No more than ${limits.rates[name]} such requests a minute.` })
  }
}

const policy = (name: LimitName, rate: number) => `"${name}";q=${rate};w=${windowSeconds}`
