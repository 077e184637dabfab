import { setTimeout as delay } from 'node:timers/promises'
import { Stop } from './local.ts'
import type { Builds } from '#functions/shapes/internal.ts'

/** A product that runs somewhere, and the key of a super admin of it. */
export interface Product {
  url: string
  key: string
  fetch?: typeof fetch
}

const everyMs = 3000
/** How long a deployment takes to be everywhere. */
const arrivesMs = 3 * 60_000

/** How far a product's hubs are; null: it is of before builds were kept, and has no such answer. */
export async function readBuilds(product: Product): Promise<Builds | null> {
  const answer = await send(product, 'GET', '/v1/internals/builds')
  if (answer.status === 404) return null
  return (await good(answer)).json() as Promise<Builds>
}

/** Has a product make its hubs again that are of another build than the one that runs. */
export async function startRerender(product: Product): Promise<void> {
  await good(await send(product, 'POST', '/v1/internals/rerender'))
}

/** One line for a person: "12 of 340 hubs are at build abc1234, seattle-wa is being made, 2 failed (…)". */
export function lineOf({ build, total, done, making, failed }: Builds): string {
  const parts = [
    `${done} of ${total} ${total === 1 ? 'hub is' : 'hubs are'} at build ${build?.slice(0, 7) ?? '(none)'}`,
  ]
  if (making.length > 0)
    parts.push(`${making.slice(0, 3).join(', ')} ${making.length === 1 ? 'is' : 'are'} being made`)
  const reasons = failed.slice(0, 5).map(({ id, pages, message }) => {
    const rest = pages.length > 1 ? ` and ${pages.length - 1} more` : ''
    return `${id}: ${message}${rest}`
  })
  if (failed.length > 0)
    parts.push(`${failed.length} failed (${reasons.join('; ')}${failed.length > 5 ? '; …' : ''})`)
  return parts.join(', ')
}

/** Waits until a product is of a build; false when it is not in time. */
export async function untilDeployed(product: Product, version: string): Promise<boolean> {
  const until = Date.now() + arrivesMs
  for (;;) {
    const builds = await readBuilds(product).catch(() => null)
    if (builds?.build === version) return true
    if (Date.now() > until) return false
    await delay(everyMs)
  }
}

/**
 * Says how far the hubs are whenever that changes, until all are at the build that runs, or only those are left that failed. Gives how
 * many failed. Whoever ends it ends nothing but the watching.
 */
export async function watchBuilds(
  product: Product,
  log: (line: string) => void,
  ms = everyMs,
): Promise<number> {
  let output = ''
  for (;;) {
    const builds = await readBuilds(product)
    if (!builds) throw new Stop(`${product.url} is of a version that cannot say how far its hubs are.`)
    const line = lineOf(builds)
    if (line !== output) log(line)
    output = line
    const failures = builds.failed.filter(({ nextAt }) => nextAt !== null).length
    if (builds.done + failures >= builds.total) return failures
    await delay(ms)
  }
}

function send({ url, key, fetch: ask = fetch }: Product, method: string, path: string): Promise<Response> {
  return ask(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  })
}

async function good(answer: Response): Promise<Response> {
  if (answer.ok) return answer
  const explanations = {
    401: 'COMMONPLACE_KEY is no key of it',
    403: 'COMMONPLACE_KEY is no key of a super admin with the scope “internals”',
  }
  const message = explanations[answer.status as 401 | 403] ?? (await answer.text()).slice(0, 200)
  throw new Stop(
    `${new URL(answer.url || 'http://the.product').host} refused (${answer.status}): ${message}.`,
  )
}
