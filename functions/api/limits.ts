import type { Route } from './routes.ts'
import type { Context, LimitName } from '#functions/context.ts'
import { limitedAs } from '#functions/platform/limitedAs.ts'
import { Failure } from '#functions/errors.ts'

/** The limiters count by the minute. */
const windowSeconds = 60

/**
 * Counts a request against the limits of who asks: `tooMany` beyond them, with when to come back. Every answer says
 * what the limit is, as draft-ietf-httpapi-ratelimit-headers has it. The product's own work is not counted.
 */
export async function spend({ endpoint }: Route, ctx: Context): Promise<void> {
  const { limits, actor } = ctx
  if (!limits || actor.kind === 'system') return
  const names: LimitName[] = [actor.kind === 'anonymous' ? 'anonymous' : 'key']
  if (endpoint.heavy) names.push('heavy')
  ctx.responseHeaders.set(
    'ratelimit-policy',
    names.map((name) => policy(name, limits.rates[name])).join(', '),
  )
  const who = limitedAs(ctx)
  for (const name of names) {
    if (await limits.take(name, who)) continue
    ctx.responseHeaders.set('ratelimit', `"${name}";r=0;t=${windowSeconds}`)
    ctx.responseHeaders.set('retry-after', String(windowSeconds))
    throw new Failure('tooMany', { say: `No more than ${limits.rates[name]} such requests a minute.` })
  }
}

const policy = (name: LimitName, rate: number) => `"${name}";q=${rate};w=${windowSeconds}`
