import type { Context } from '#functions/context.ts'

/** The key of the rate limit: the person, the source of a write key, else the client's network. */
export function rateLimitKey({ actor, request }: Pick<Context, 'actor' | 'request'>): string {
  return actor.user?.id ?? actor.source?.id ?? toNetwork(request.ip) ?? 'unknown'
}

/**
 * The network of an IP address: an IPv4 address itself; for IPv6 the /64, since a customer has at least that much (RFC
 * 6177) and may use another address for each request. An IPv4 address written as IPv6 (::ffff:1.2.3.4) is that IPv4
 * address. Null for null; anything else is returned unchanged.
 */
export function toNetwork(ip: string | null): string | null {
  if (ip === null || !ip.includes(':')) return ip
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (ipv4 !== undefined) return ipv4
  return `${parseAddressGroups(ip).slice(0, 4).join(':')}::/64`
}

/** The part of an IP that is shown to its owner: enough to recognise a network, not a person. */
export function ipPrefix(ip: string | null): string | null {
  const network = toNetwork(ip)
  if (!network) return null
  return network.includes(':')
    ? `${network.split(':').slice(0, 3).join(':')}::`
    : `${network.split('.').slice(0, 3).join('.')}.0`
}

/** The eight groups of an IPv6 address, in lower case and without leading zeros. */
function parseAddressGroups(ip: string): string[] {
  const [head = '', tail] = (ip.split('%', 1)[0] ?? '').toLowerCase().split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return groups.map((group) => group.replace(/^0+(?=.)/, ''))
}
