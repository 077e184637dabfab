/** Reserved host labels: the product's own, those requested by common software, and the word for "no place". */
export const reservedIds: ReadonlySet<string> = new Set(
  `www www1 www2 web api app apps admin administrator root system internal internals status support help docs blog news
  mail email smtp imap pop pop3 mx mx1 mx2 ns ns1 ns2 dns ftp sftp ssh vpn proxy gateway cdn static assets files media
  images img tiles data-api auth login logout signup sso oauth account accounts billing pay security abuse postmaster
  hostmaster webmaster noreply no-reply mailer-daemon autodiscover autoconfig wpad isatap localhost broadcasthost
  v1 v2 graphql explore hub hubs public private dev development stage staging test preview local verify
  personal-account`.split(/\s+/),
)

/** Similar-looking single characters, then pairs that look like one character, with what they look like. */
export const lookAlikes = {
  characters: { from: '015', to: 'ols' },
  pairs: [
    ['rn', 'm'],
    ['vv', 'w'],
    ['cl', 'd'],
  ],
} as const

/** An id with similar-looking single characters unified. */
function unifyCharacters(id: string): string {
  const { from, to } = lookAlikes.characters
  return id.replace(/[015]/g, (digit) => to.charAt(from.indexOf(digit)))
}

/** An id with similar-looking characters and pairs unified. */
const unifyLookAlikes = (id: string): string =>
  lookAlikes.pairs.reduce((text, [pair, character]) => text.replaceAll(pair, character), unifyCharacters(id))

const reservedAsSeen = new Set([...reservedIds].map(unifyLookAlikes))

/** Whether an id looks like a reserved one. */
export const isReserved = (id: string): boolean => reservedAsSeen.has(unifyLookAlikes(id))

/** Minimum length of ids for which one edit is too similar: `parks` and `marks` are different enough. */
const longEnough = 6

/**
 * Whether two ids can be confused: similar-looking, or, from six characters on, one edit apart. Equal ids count. Ids that
 * end with different numbers cannot: sister organizations are called `ward-1` and `ward-2`.
 */
export function isLookAlike(one: string, other: string): boolean {
  const [a, b] = [unifyLookAlikes(one), unifyLookAlikes(other)]
  if (a === b) return true
  const [number, otherNumber] = [numberAtEnd(one), numberAtEnd(other)]
  if (number !== null && otherNumber !== null && number !== otherNumber) return false
  if (Math.min(one.length, other.length) < longEnough) return false
  // Also letter by letter: an edit may make a pair, as in `city` and `c1ty`.
  return isOneEditApart(a, b) || isOneEditApart(unifyCharacters(one), unifyCharacters(other))
}

/** The number at the end of an id without leading zeros; null without one. */
function numberAtEnd(id: string): string | null {
  const digits = /\d+$/.exec(id)?.[0]
  return digits === undefined ? null : digits.replace(/^0+(?=\d)/, '')
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
