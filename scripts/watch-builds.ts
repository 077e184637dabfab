import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from './local.ts'
import type { Builds } from '#functions/shapes/internal.ts'

/** A deployed product, and the API key of one of its super admins. */
export interface Product {
  url: string
  key: string
  fetch?: typeof fetch
}

const everyMs = 3000
/** The time until a deployment has arrived everywhere, in milliseconds. */
const arrivesMs = 3 * 60_000

/**
 * Returns the progress of a product's hubs; null: its version does not yet track builds, and has no such
 * endpoint.
 */
export async function readBuilds(product: Product): Promise<Builds | null> {
  const answer = await send(product, 'GET', '/v1/internals/builds')
  if (answer.status === 404) return null
  return (await good(answer)).json() as Promise<Builds>
}

/** Makes a product render again its hubs that are of another build than the running one. */
export async function startRerender(product: Product): Promise<void> {
  await good(await send(product, 'POST', '/v1/internals/rerender'))
}

/**
 * Formats the progress for a person: "12 of 340 hubs are at build abc1234, seattle-wa is being made, 2 failed
 * (…)".
 */
export function formatProgress({ build, total, done, making, failed: failures }: Builds): string {
  const parts = [
    `${done} of ${total} ${total === 1 ? 'hub is' : 'hubs are'} at build ${build?.slice(0, 7) ?? '(none)'}`,
  ]
  if (making.length > 0)
    parts.push(`${making.slice(0, 3).join(', ')} ${making.length === 1 ? 'is' : 'are'} being made`)
  const reasons = failures.slice(0, 5).map(({ id, pages, message }) => {
    const rest = pages.length > 1 ? ` and ${pages.length - 1} more` : ''
    return `${id}: ${message}${rest}`
  })
  if (failures.length > 0)
    parts.push(`${failures.length} failed (${reasons.join('; ')}${failures.length > 5 ? '; …' : ''})`)
  return parts.join(', ')
}

/** Waits until a product runs a build; false on timeout. */
export async function waitUntilDeployed(product: Product, version: string): Promise<boolean> {
  const until = Date.now() + arrivesMs
  for (;;) {
    const builds = await readBuilds(product).catch(() => null)
    if (builds?.build === version) return true
    if (Date.now() > until) return false
    await delay(everyMs)
  }
}

/**
 * Logs the progress of the hubs whenever it changes, until all are at the running build, or only failed ones
 * are left. Returns the number of failures. Aborting it only ends the reporting.
 */
export async function watchBuilds(
  product: Product,
  log: (line: string) => void,
  ms = everyMs,
): Promise<number> {
  let output = ''
  for (;;) {
    const builds = await readBuilds(product)
    if (!builds)
      throw new CommandError(`${product.url} is of a version that cannot say how far its hubs are.`)
    const line = formatProgress(builds)
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
  throw new CommandError(
    `${new URL(answer.url || 'http://the.product').host} refused (${answer.status}): ${message}.`,
  )
}
