import type { Context } from '#functions/context.ts'
import { createResolver, type Ports } from '#functions/engine/import/fetch/index.ts'
import { isSecretName } from '#functions/shapes/secret-name.ts'

/** The ports by which sources are fetched. */
export function fetchPorts(ctx: Context): Ports {
  return {
    fetch: ctx.fetch,
    now: ctx.now,
    sleep,
    resolve: createResolver(ctx.fetch, ctx.settings.dnsResolver),
    random: Math.random,
    isSecretName,
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
