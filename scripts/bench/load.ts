import autocannon from 'autocannon'
import { median } from './measure.ts'

/** What is asked as fast as it goes: an address, or many in turns with the host that each is asked of. */
export interface Aim {
  origin: string
  targets: { path: string; host?: string }[]
}

const connections = 16

/** Requests a second, all of which must be answered 200. Each connection asks for a share of its own of what is asked. */
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
      // Requests keep what they are sent as, so no two connections may share one.
      client.setRequests(ownRequests.map((each) => ({ ...each })))
    },
  })
  if (bad.non2xx + bad.errors > 0)
    throw new Error(`${origin}${targets[0]?.path}: ${bad.non2xx} refused, ${bad.errors} broke off.`)
  return rate.average
}

/** The median requests a second of several aims, asked in turns. Each is asked once before it counts. */
export async function compareSpeeds(aims: readonly Aim[], rounds = 5, seconds = 2): Promise<number[]> {
  const all = aims.map(() => [] as number[])
  for (const aim of aims) await speed(aim, seconds)
  for (let i = 0; i < rounds; i += 1)
    for (const [n, aim] of aims.entries()) all[n]?.push(await speed(aim, seconds))
  return all.map(median)
}

/** One address as an aim. */
export function aimAt(url: string): Aim {
  const { origin, pathname, search } = new URL(url)
  return { origin, targets: [{ path: pathname + search }] }
}
