import type { Settings } from '#functions/context.ts'
import { hostname } from '#functions/engine/address/urls.ts'

type Transport = Pick<Settings, 'scheme' | 'appHost' | 'publicHost' | 'hstsSeconds'>

/** Shortest max-age in seconds; a problem with a certificate is fixed within a day. */
const minSeconds = 300

/**
 * The Strict-Transport-Security header (RFC 6797) for a host; null where the product is served without TLS.
 * Our own hosts get `hstsSeconds`, which the operator raises in steps. An organization's domain gets at most
 * the time that it has been connected (`since`, in seconds since 1970; null: unknown), because it may leave
 * us, and its next server may have no certificate. Never includes subdomains, which are not ours.
 */
export function strictTransport(
  host: string,
  settings: Transport,
  since: number | null,
  now: number,
): string | null {
  const { scheme, hstsSeconds } = settings
  if (scheme !== 'https') return null
  const name = hostname(host)
  if (name === hostname(settings.appHost)) return `max-age=${hstsSeconds}; includeSubDomains`
  if (name.endsWith(`.${hostname(settings.publicHost)}`)) return `max-age=${hstsSeconds}`
  const secondsConnected = since === null ? 0 : Math.floor(now / 1000) - since
  return `max-age=${Math.min(hstsSeconds, Math.max(minSeconds, secondsConnected))}`
}

/** Adds the headers that every response has: nosniff, and `transport` if there is one. */
export function secureResponse(response: Response, transport: string | null): Response {
  // The headers of a protocol switch cannot be changed.
  if (response.status === 101) return response
  const answer = new Response(response.body, response)
  answer.headers.set('x-content-type-options', 'nosniff')
  if (transport !== null) answer.headers.set('strict-transport-security', transport)
  return answer
}

export const securityPath = '/.well-known/security.txt'

/** Days until security.txt expires; RFC 9116 recommends less than a year. */
const securityDays = 180

/** security.txt (RFC 9116): the same on every host, canonical on the workspace. */
export function securityText(
  settings: Pick<Settings, 'scheme' | 'appHost' | 'securityContact'>,
  now: Date,
): Response {
  // Constant for a day, so that copies are equal.
  const day = Math.floor(now.getTime() / 86_400_000) + securityDays
  const lines = [
    `Contact: ${settings.securityContact}`,
    `Expires: ${new Date(day * 86_400_000).toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${settings.scheme}://${settings.appHost}${securityPath}`,
  ]
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' }
  return new Response(`${lines.join('\n')}\n`, { headers })
}
