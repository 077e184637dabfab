import type { Settings } from '#functions/context.ts'

/** The path of a hub's page of results, and of the stored page that is filled with them. */
export const searchPath = '/search'

/** The path of the search box's suggestions. */
export const wordsPath = '/search/words'

/** The path of a hub's page of a domain. */
export const domainPath = (dataTypeId: string): string => `/domains/${dataTypeId}`

type Hosts = Pick<Settings, 'publicHost' | 'scheme'>

/** Normalises a host for comparison and storage: without port, in lower case and without a trailing dot. Idempotent. */
export function hostname(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/(?<!\.)\.$/, '')
}

/** A path without trailing slashes. A regular expression would take quadratic time for many slashes. */
export function withoutSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** The port of a host with its colon; '' without one. */
export function getPort(host: string): string {
  return /:\d+$/.exec(host)?.[0] ?? ''
}

/** Every hostname a place answers on: its own below the public host, then its verified domains. */
export function placeHostnames(place: { id: string; domains: string[] }, settings: Hosts): string[] {
  return [`${place.id}.${hostname(settings.publicHost)}`, ...place.domains]
}

/** The public address of a place: "custom domain if set, else {placeId}.{public host}". No trailing slash. */
export function placeUrl(place: { id: string; domains: string[] }, settings: Hosts): string {
  const host = place.domains[0] ?? `${place.id}.${hostname(settings.publicHost)}`
  return `${settings.scheme}://${host}${getPort(settings.publicHost)}`
}
