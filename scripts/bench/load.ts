import autocannon from 'autocannon'
import { median } from './measure.ts'

/** The target of a load test: one address, or many in turns, each with its host. */
export interface Aim {
  origin: string
  targets: { path: string; host?: string }[]
}

const connections = 16

/**
 * Measures requests per second, all of which must be answered 200. With at least as many targets as
 * connections, each connection gets a share of its own.
 */
async function speed({ origin, targets }: Aim, seconds: number): Promise<number> {
  const requests = targets.map(({ path, host }) => ({ path, ...(host && { headers: { host } }) }))
  let turn = 0
  const { requests: rate, ...bad } = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    setupClient: (client) => {
      const ownRequests =
        requests.length < connections ? requests : requests.filter((_, i) => i % connections === turn)
      turn += 1
      // The client mutates its requests, so connections must not share them.
      client.setRequests(ownRequests.map((each) => ({ ...each })))
    },
  })
  if (bad.non2xx + bad.errors > 0)
    throw new Error(`${origin}${targets[0]?.path}: ${bad.non2xx} refused, ${bad.errors} broke off.`)
  return rate.average
}

/**
 * Returns the median requests per second of several targets, which take turns. Each has a warm-up round that
 * does not count.
 */
export async function compareSpeeds(aims: readonly Aim[], rounds = 5, seconds = 2): Promise<number[]> {
  const all = aims.map(() => [] as number[])
  for (const aim of aims) await speed(aim, seconds)
  for (let i = 0; i < rounds; i += 1)
    for (const [n, aim] of aims.entries()) all[n]?.push(await speed(aim, seconds))
  return all.map(median)
}

/** Makes a target of one address. */
export function aimAt(url: string): Aim {
  const { origin, pathname, search } = new URL(url)
  return { origin, targets: [{ path: pathname + search }] }
}
