import type { Settings, Site } from '../context.ts'
import type { Snapshot } from './snapshot.ts'
import { hostname } from './urls.ts'

/** What a host means: a site to serve, a place that has no hub (go to the workspace's explore page), or nothing. */
export type Resolved = { site: Site; snapshot: Snapshot | null } | { redirect: string } | null

/**
 * Which place a host means. Nothing else in the code reads the Host header.
 * `find` looks a hostname up among those of places (their own and their verified domains).
 */
export async function resolve(
  host: string,
  settings: Pick<Settings, 'appHost' | 'scheme'>,
  find: (hostname: string) => Promise<Snapshot | null>,
): Promise<Resolved> {
  const name = hostname(host)
  const { appHost, scheme } = settings
  if (name === hostname(appHost)) {
    return { site: { mode: 'main', host, origin: `${scheme}://${appHost}` }, snapshot: null }
  }
  const snapshot = await find(name)
  if (!snapshot) return null
  if (!snapshot.isHub) return { redirect: `${scheme}://${appHost}/explore` }
  const { placeId, canonicalHost } = snapshot
  return { site: { mode: 'hub', host, origin: `${scheme}://${host}`, placeId, canonicalHost }, snapshot }
}
