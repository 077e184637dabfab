import type { Settings, Site } from '#functions/context.ts'
import { toHubLanguages } from '#functions/shapes/locale.ts'
import type { Alias, ClosedHost, Snapshot } from './snapshot.ts'
import { hostname, getPort } from '#functions/engine/address/urls.ts'

/**
 * The result for a host: a site to serve, a redirect, a closed place, or null for an unknown host. 302: a place without a
 * hub, to the workspace's explore page. 308: an alias with or without www; path and query stay.
 */
type ResolvedHost =
  | { site: Site; snapshot: Snapshot | null }
  | { redirect: string; status: 302 | 308 }
  | ClosedHost
  | null

/**
 * Resolves a host. Nothing else in the code reads the Host header. `find` looks a hostname up among those of
 * places (their own, their verified domains, and www beside those).
 */
export async function resolve(
  host: string,
  settings: Pick<Settings, 'appHost' | 'publicHost' | 'scheme'>,
  find: (hostname: string) => Promise<Snapshot | Alias | ClosedHost | null>,
): Promise<ResolvedHost> {
  const name = hostname(host)
  const { appHost, scheme } = settings
  if (name === hostname(appHost)) {
    return { site: { mode: 'main', host, origin: `${scheme}://${appHost}` }, snapshot: null }
  }
  const match = await find(name)
  if (!match) return null
  if ('redirect' in match)
    return { redirect: `${scheme}://${match.redirect}${getPort(settings.publicHost)}`, status: 308 }
  if ('closed' in match) return match
  if (!match.isHub) return { redirect: `${scheme}://${appHost}/explore`, status: 302 }
  const { placeId, canonicalHost } = match
  const languages = toHubLanguages(match.languages)
  return {
    // The language is determined by the path, not by the host.
    site: {
      mode: 'hub',
      host,
      origin: `${scheme}://${host}`,
      placeId,
      canonicalHost,
      locale: languages[0],
      languages,
    },
    snapshot: match,
  }
}

/**
 * The redirect response. A permanent one is cached for an hour only, because a host can be released and
 * assigned to another place. 308 instead of 301, so that a POST to the API stays one.
 */
export function sendOn(
  { redirect, status }: { redirect: string; status: 302 | 308 },
  { pathname, search }: URL,
): Response {
  const location = status === 308 ? `${redirect}${pathname}${search}` : redirect
  const cacheControl = status === 308 ? 'public, max-age=3600' : 'no-store'
  return new Response(null, { status, headers: { location, 'cache-control': cacheControl } })
}
