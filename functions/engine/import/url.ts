/** An allowed URL, or a sentence that says why it is not. */
type CheckedUrl = { url: URL; refusal?: undefined } | { url?: undefined; refusal: string }

const maxLength = 4000
const ports = ['', '80', '443', '8080', '8443']
const notPublic = 'Must not lead into a private network.'

/** Domains that are never on the public internet, and those that resolve to an address in the name. */
const closedZones = [
  ...['localhost', 'localdomain', 'local', 'internal', 'intranet', 'private', 'corp', 'home', 'lan'],
  ...['test', 'invalid', 'onion', 'arpa', 'alt'],
  ...['nip.io', 'sslip.io', 'xip.io', 'localtest.me', 'lvh.me', 'lacolhost.com', 'vcap.me', 'fuf.me'],
]

/**
 * Whether a URL may be fetched: http or https, a public host in plain spelling, a usual port, no password. Pure:
 * resolved addresses and redirects have to be checked while fetching, with this and `isPublicAddress`. Path and query
 * may contain `{name}` placeholders.
 */
export function checkImportUrl(text: string): CheckedUrl {
  const refuse = (refusal: string): CheckedUrl => ({ refusal })
  if (text.length > maxLength) return refuse(`Must not be longer than ${maxLength} characters.`)
  // The URL parser would normalise these to something that a reader does not expect.
  const spelled = /^(https?):\/\/([^/?#\\\s]+)([/?#][^\s\\]*)?$/i.exec(text)
  if (!spelled)
    return refuse(/^https?:/i.test(text) ? 'Invalid source url' : 'Must be an http or https address.')
  const authority = spelled[2] ?? ''
  if (authority.includes('@')) return refuse('Must not contain a user name or password: use a header.')
  const url = parse(text)
  if (!url) return refuse('Invalid source url')
  if (url.username || url.password) return refuse('Must not contain a user name or password: use a header.')
  if (!ports.includes(url.port)) return refuse('The port must be 80, 443, 8080 or 8443.')
  const host = url.hostname.replace(/\.$/, '')
  const spelledHost = authority.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
  const address = addressIn(host)
  if (address !== null) {
    const isPlain = spelledHost === host
    return isPlain && isPublicAddress(address) ? { url } : refuse(notPublic)
  }
  if (
    !/^[a-z0-9_]([a-z0-9_-]{0,62}\.)*[a-z0-9_-]{0,62}$/.test(host) ||
    host.length > 253 ||
    /\.\.|^\./.test(host)
  )
    return refuse('Invalid source url')
  if (!host.includes('.')) return refuse('Must be a full host name.')
  if (closedZones.some((zone) => host === zone || host.endsWith(`.${zone}`))) return refuse(notPublic)
  return { url }
}

/** Whether an IPv4 or IPv6 address is one of the public internet. Text that is no address is not. */
export function isPublicAddress(address: string): boolean {
  const v4 = parseIpv4(address)
  if (v4) return !closedV4.some(([network, bits]) => startsWith(toNumber(v4), network, bits))
  const v6 = parseIpv6(address)
  if (!v6) return false
  const [first = 0, second = 0, third = 0] = v6
  // Global unicast, without tunnels that embed an IPv4 address (Teredo, 6to4) and ranges for documentation and tests.
  if (first < 0x2000 || first > 0x3fff) return false
  if (first === 0x2001 && (second < 0x0200 || second === 0x0db8)) return false
  // Answers for the names of private networks (AS112), as two networks of IPv4 below
  if (first === 0x2620 && second === 0x004f && third === 0x8000) return false
  return first !== 0x2002 && !(first === 0x3fff && second < 0x1000)
}

function parse(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** The IP address of a host, without the brackets of IPv6; null for a name. */
function addressIn(host: string): string | null {
  if (host.startsWith('[')) return host.slice(1, -1)
  return parseIpv4(host) ? host : null
}

const v4 = (text: string, bits: number): [number, number] => [toNumber(parseIpv4(text) ?? []), bits]

/** Networks that are not of the public internet: IANA's special-purpose registry, and one cloud's own. */
const closedV4: [network: number, bits: number][] = [
  v4('0.0.0.0', 8),
  v4('10.0.0.0', 8),
  v4('100.64.0.0', 10),
  v4('127.0.0.0', 8),
  v4('168.63.129.16', 32),
  v4('169.254.0.0', 16),
  v4('172.16.0.0', 12),
  v4('192.0.0.0', 24),
  v4('192.0.2.0', 24),
  v4('192.31.196.0', 24),
  v4('192.52.193.0', 24),
  v4('192.88.99.0', 24),
  v4('192.168.0.0', 16),
  v4('192.175.48.0', 24),
  v4('198.18.0.0', 15),
  v4('198.51.100.0', 24),
  v4('203.0.113.0', 24),
  v4('224.0.0.0', 3),
]

function parseIpv4(text: string): number[] | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return null
  const bytes = text.split('.').map(Number)
  return bytes.every((byte) => byte < 256) ? bytes : null
}

function toNumber(bytes: number[]): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0)
}

function startsWith(address: number, network: number, bits: number): boolean {
  const size = 2 ** (32 - bits)
  return Math.floor(address / size) === Math.floor(network / size)
}

/** The eight groups of an IPv6 address; null for anything else. */
function parseIpv6(text: string): number[] | null {
  // A zone names an interface of the machine.
  if (!text.includes(':') || text.includes('%')) return null
  const url = parse(`http://[${text}]/`)
  if (!url) return null
  const [head = '', tail] = url.hostname.slice(1, -1).split('::')
  const parseGroups = (part: string | undefined) =>
    part ? part.split(':').map((group) => parseInt(group, 16)) : []
  const [before, after] = [parseGroups(head), parseGroups(tail)]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}
