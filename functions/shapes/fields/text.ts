const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)
const topLevel = /^(?:[a-z\u00a1-\u00a8\u00aa-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]{2,}|xn[a-z0-9-]{2,})$/i
const label = /^[a-z0-9\u00a1-\uff00\uff5f-\uffff-]{1,63}$/i
const unsafe = /[\s<>\\\p{Cc}]/u
const authority = /^([a-z]+):\/\/([^/?#]+)/i
const port = /^\d{1,5}$/
const localPart = /^[a-z\d!#$%&'*+\-/=?^_`{|}~\u00a1-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]+$/i
const quotedPart = /^"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"$/u

/** The length a URL may have, in UTF-16 units. */
const maxUrlLength = 2082

/**
 * True for an absolute URL of one of the schemes (lower case) whose host looks public: labels with a dot and a top
 * level name, or an IP address. User and password, port and international names are accepted.
 */
export function isUrl(text: string, schemes: readonly string[]): boolean {
  if (text.length > maxUrlLength || unsafe.test(text)) return false
  const parts = authority.exec(text)
  if (parts === null || !schemes.includes(parts[1]!.toLowerCase())) return false
  const named = parts[2]!.split('@')
  if (named.length > 2 || (named.length === 2 && !/^[^:]+(?::[^:]*)?$/.test(named[0]!))) return false
  const place = named.at(-1)!
  const end = place.startsWith('[') ? place.indexOf(']') + 1 : place.lastIndexOf(':')
  const host = end > 0 ? place.slice(0, end) : place
  const rest = place.slice(host.length)
  if (rest !== '' && !(rest.startsWith(':') && isPort(rest.slice(1)))) return false
  return isHostName(host) || ipv4.test(host) || isIpv6(host)
}

/** True for one address: a local part (quoted or not, 64 bytes) and a host name (254 bytes); no display name. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > 320) return false
  const local = text.slice(0, at)
  const host = text.slice(at + 1)
  if (bytesOf(local) > 64 || bytesOf(host) > 254 || !isHostName(host)) return false
  return quotedPart.test(local) || local.split('.').every((part) => localPart.test(part))
}

function isHostName(host: string): boolean {
  const labels = host.split('.')
  if (labels.length < 2 || !topLevel.test(labels.at(-1)!)) return false
  return labels.every((part) => label.test(part) && !part.startsWith('-') && !part.endsWith('-'))
}

function isPort(text: string): boolean {
  return port.test(text) && Number(text) > 0 && Number(text) <= 65_535
}

function isIpv6(host: string): boolean {
  if (!/^\[[0-9a-f:.]{2,45}\]$/i.test(host)) return false
  return URL.canParse(`http://${host}`)
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
