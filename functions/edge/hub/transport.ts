import type { Settings } from '#functions/context.ts'
import { hostname } from '#functions/engine/address/urls.ts'

type Transport = Pick<Settings, 'scheme' | 'appHost' | 'publicHost' | 'hstsSeconds'>

/** A browser remembers for no shorter than this: what is wrong with a certificate is put right in less time than a day. */
const leastSeconds = 300

/**
 * The Strict-Transport-Security header (RFC 6797) of a host's answers; null where the product is served without TLS. Hosts of
 * the product get `hstsSeconds`, which the operator raises in steps. A domain of an organisation gets no more than the time
 * that it has been connected (`since`, in seconds of the epoch; null where that is not known): it may leave us, and what stands
 * there then may have no certificate. For its subdomains it is not ours to speak.
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
  return `max-age=${Math.min(hstsSeconds, Math.max(leastSeconds, secondsConnected))}`
}

/** An answer with what every answer says: its type is not to be guessed, and `transport` where there is any. */
export function secureResponse(response: Response, transport: string | null): Response {
  // A switched protocol has no headers to change.
  if (response.status === 101) return response
  const answer = new Response(response.body, response)
  answer.headers.set('x-content-type-options', 'nosniff')
  if (transport !== null) answer.headers.set('strict-transport-security', transport)
  return answer
}

export const securityPath = '/.well-known/security.txt'

/** Days after which a reader should no longer trust a copy of security.txt; RFC 9116 recommends less than a year. */
const securityDays = 180

/** Where to report a weakness, as RFC 9116 has it: the same on every host, and said to be the workspace's. */
export function securityText(
  settings: Pick<Settings, 'scheme' | 'appHost' | 'securityContact'>,
  now: Date,
): Response {
  // The same text all day, so that copies of it are equal.
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
