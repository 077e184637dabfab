/** Labels of hosts that are the product's own or that others' software asks for; and the word for "no place". */
export const reservedIds: ReadonlySet<string> = new Set(
  `www www1 www2 web api app apps admin administrator root system internal internals status support help docs blog news
  mail email smtp imap pop pop3 mx mx1 mx2 ns ns1 ns2 dns ftp sftp ssh vpn proxy gateway cdn static assets files media
  images img tiles data-api auth login logout signup sso oauth account accounts billing pay security abuse postmaster
  hostmaster webmaster noreply no-reply mailer-daemon autodiscover autoconfig wpad isatap localhost broadcasthost
  v1 v2 graphql explore hub hubs public private dev development stage staging test preview local verify
  personal-account`.split(/\s+/),
)

/** An id as the eye takes it in an address: `0` for `o`, `1` for `l`, `rn` for `m`. */
const seenAs = (id: string) => id.replaceAll('rn', 'm').replaceAll('0', 'o').replaceAll('1', 'l')

const reservedAsSeen = new Set([...reservedIds].map(seenAs))

/** Whether an id reads like one of the product's own. */
export const isReserved = (id: string): boolean => reservedAsSeen.has(seenAs(id))

/** So many characters an id has at least for which one that differs in one of them is too much alike: `parks` and `marks` are not. */
const longEnough = 6

/**
 * Whether one id may be taken for another: read alike, or, of six characters and more, with one character more, less or another.
 * An id is too much like itself.
 */
export function isLookAlike(one: string, other: string): boolean {
  const [a, b] = [seenAs(one), seenAs(other)]
  if (a === b) return true
  return Math.min(one.length, other.length) >= longEnough && isOneEditApart(a, b)
}

/** Whether a text becomes another by one character that is added, left out or replaced. Equal texts do. */
function isOneEditApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  const rest = start + (short.length === long.length ? 1 : 0)
  return short.slice(rest) === long.slice(start + 1)
}

/** An id made of a name, as its first suggestion: `Ciudad de México` gives `ciudad-de-mexico`. Empty where nothing is left. */
export function idOfName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 40)
    .replace(/-+$/, '')
}
