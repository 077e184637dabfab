import type { Limiter, LimitName } from '#functions/context.ts'
import type { Env } from '#functions/settings.ts'

const names: readonly LimitName[] = ['anonymous', 'key', 'heavy']

/**
 * The rate limiter configured in the environment, which uses the platform's own; null where none is configured. Throws
 * when the setting is not three numbers, or a limiter is not bound.
 */
export function createLimiter(env: Env): Limiter | null {
  if (!env.RATE_LIMITS) return null
  const rates = parseRates(env.RATE_LIMITS)
  const limiters = { anonymous: env.RATE_ANONYMOUS, key: env.RATE_KEY, heavy: env.RATE_HEAVY }
  return {
    rates,
    async consumeToken(name, who) {
      const limiter = limiters[name]
      if (!limiter) throw new Error(`RATE_LIMITS is set, but there is no limiter for "${name}".`)
      return (await limiter.limit({ key: who })).success
    },
  }
}

/** Reads `anonymous=60,key=600,heavy=30`. */
export function parseRates(text: string): Record<LimitName, number> {
  const rates = Object.fromEntries(
    text.split(',').map((part) => {
      const [name, number] = part.trim().split('=')
      return [name, Number(number)]
    }),
  ) as Record<LimitName, number>
  for (const name of names)
    if (!Number.isInteger(rates[name]) || rates[name] < 1)
      throw new Error(
        `RATE_LIMITS must say how often "${name}" may ask a minute: anonymous=60,key=600,heavy=30.`,
      )
  return rates
}
