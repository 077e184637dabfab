/** Reserved host labels: the product's own, those requested by common software, and the word for "no place". */
export const reservedIds: ReadonlySet<string> = new Set(
  `www www1 www2 web api app apps admin administrator root system internal internals status support help docs blog news
  mail email smtp imap pop pop3 mx mx1 mx2 ns ns1 ns2 dns ftp sftp ssh vpn proxy gateway cdn static assets files media
  images img tiles data-api auth login logout signup sso oauth account accounts billing pay security abuse postmaster
  hostmaster webmaster noreply no-reply mailer-daemon autodiscover autoconfig wpad isatap localhost broadcasthost
  v1 v2 graphql explore hub hubs public private dev development stage staging test preview local verify
  personal-account`.split(/\s+/),
)

/** An id with similar-looking characters unified: `0` and `o`, `1` and `l`, `rn` and `m`. */
const seenAs = (id: string) => id.replaceAll('rn', 'm').replaceAll('0', 'o').replaceAll('1', 'l')

const reservedAsSeen = new Set([...reservedIds].map(seenAs))

/** Whether an id looks like a reserved one. */
export const isReserved = (id: string): boolean => reservedAsSeen.has(seenAs(id))

/** Minimum length of ids for which one edit is too similar: `parks` and `marks` are different enough. */
const longEnough = 6

/** Whether two ids can be confused: similar-looking, or, from six characters on, one edit apart. Equal ids count. */
export function isLookAlike(one: string, other: string): boolean {
  const [a, b] = [seenAs(one), seenAs(other)]
  if (a === b) return true
  return Math.min(one.length, other.length) >= longEnough && isOneEditApart(a, b)
}

/** Whether two texts are at most one insertion, deletion or replacement apart. */
function isOneEditApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  const rest = start + (short.length === long.length ? 1 : 0)
  return short.slice(rest) === long.slice(start + 1)
}

/** A suggested id made from a name: `Ciudad de México` gives `ciudad-de-mexico`. '' if nothing is left. */
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
