import type { Settings } from '../context.ts'

type Hosts = Pick<Settings, 'publicHost' | 'scheme'>

/** A host without its port, in lower case and without a trailing dot: how hosts are compared and stored. */
export function hostname(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
}

/** Every hostname a place answers on: its own below the public host, then its verified domains. */
export function placeHostnames(place: { id: string; domains: string[] }, settings: Hosts): string[] {
  return [`${place.id}.${hostname(settings.publicHost)}`, ...place.domains]
}

/** The public address of a place: "custom domain if set, else {placeId}.{public host}". No trailing slash. */
export function placeUrl(place: { id: string; domains: string[] }, settings: Hosts): string {
  const port = /:\d+$/.exec(settings.publicHost)?.[0] ?? ''
  const host = place.domains[0] ?? `${place.id}.${hostname(settings.publicHost)}`
  return `${settings.scheme}://${host}${port}`
}
