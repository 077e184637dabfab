import * as v from 'valibot'
import { listOptions } from './options.ts'
import { Time, TimeOrNull, buildListShape } from './returns.ts'

/**
 * Public suffixes, below which anyone may register: none of these is an organization's own. The most common ones; the proof of
 * ownership guards the rest.
 */
const publicSuffixes = [
  /^(?:ac|co|com|edu|gob|gov|gouv|govt|go|gv|ltd|me|mil|ne|net|nhs|nom|or|org|plc|police|sch)\.[a-z]{2}$/,
  /^(?:(?:k12|cc|lib)\.)?[a-z]{2}\.us$/,
  /^(?:github\.io|pages\.dev|workers\.dev|netlify\.app|vercel\.app|web\.app|herokuapp\.com|azurewebsites\.net)$/,
  /^(?:cloudfront\.net|s3\.amazonaws\.com|blogspot\.com|fly\.dev|onrender\.com|appspot\.com)$/,
]
/** Top-level labels that do not exist on the public Internet. */
const notPublic = /\.(?:localhost|local|internal|onion|arpa|invalid)$/
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Normalizes a hostname: lower case, punycode, without a trailing dot. Null if it cannot be an organization's domain: URLs, ports, IP
 * addresses, single labels, public suffixes, private networks.
 */
export function normalizeHostname(text: string): string | null {
  // Letters, digits and dots of any script; nothing with a meaning in URLs.
  if (!/^[\p{L}\p{M}\p{N}.\-。．｡]{3,253}$/u.test(text)) return null
  let host: string
  try {
    host = new URL(`http://${text}/`).hostname.replace(/\.$/, '')
  } catch {
    return null
  }
  const labels = host.split('.')
  const isName = labels.every((each) => label.test(each)) && /[a-z]/.test(labels.at(-1) ?? '')
  if (!isName || labels.length < 2 || host.length > 253) return null
  return notPublic.test(host) || publicSuffixes.some((suffix) => suffix.test(host)) ? null : host
}

/** The domain of an email address, as `normalizeHostname`; null if it cannot be an organization's. */
export const parseMailDomain = (email: string): string | null =>
  normalizeHostname(email.slice(email.lastIndexOf('@') + 1))

export const VerifyDomain = v.strictObject({
  domain: v.pipe(
    v.string(),
    v.trim(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const host = normalizeHostname(dataset.value)
      if (host !== null) return host
      addIssue({ message: 'Must be a host name such as data.example.org.' })
      return NEVER
    }),
  ),
})
export type VerifyDomain = v.InferOutput<typeof VerifyDomain>

const Record = v.strictObject({
  /** ALIAS: also called ANAME or flattened CNAME, which the apex of a zone may have. */
  type: v.picklist(['TXT', 'CNAME', 'ALIAS', 'A', 'AAAA', 'CAA']),
  name: v.string(),
  value: v.string(),
})
export type PastedRecord = v.InferOutput<typeof Record>

/** Machine-readable reasons for the state of a check. */
export const lightCauses = [
  ...['resolver', 'dnssec', 'servfail'],
  ...['proofMissing', 'proofOther', 'proofBare', 'proofAlias', 'proofAtHost', 'proofDoubled', 'proofAtAlias'],
  ...['noName', 'noAddress', 'wwwOnly', 'apexOnly', 'aliasMissing', 'dangling', 'loop', 'otherPlace'],
  ...[
    'verifyTarget',
    'wildcard',
    'private',
    'loopback',
    'staleAaaa',
    'staleA',
    'mixed',
    'proxied',
    'elsewhere',
  ],
  ...['caaBlocks', 'caaForbidsAll', 'caaRestricted', 'caaCritical', 'caaUnanswered'],
  ...['certificatePending', 'certificateFailed', 'certificateEnds', 'serviceUnreached'],
  ...['proofFirst', 'addressFirst', 'hubClosed', 'notYet', 'otherServer', 'redirects', 'unreachable'],
] as const

/** One of the five checks of a domain, in order: ownership, DNS target, CAA, certificate, and that the hub responds. */
export const Light = v.strictObject({
  name: v.picklist(['ownership', 'address', 'caa', 'certificate', 'content']),
  /** good; waiting: resolves by itself or after another check; bad: needs action; unknown: could not be checked. */
  state: v.picklist(['good', 'waiting', 'bad', 'unknown']),
  /** Null: nothing to report. */
  cause: v.nullable(v.picklist(lightCauses)),
  /** The state and what to do, in plain words. */
  says: v.string(),
  /** Records to add; of A and AAAA all, of TXT all, of the others any. */
  paste: v.array(Record),
  /** Records to remove. */
  remove: v.array(Record),
})
export type Light = v.InferOutput<typeof Light>

/**
 * The result of the DNS queries. Either of the first two records proves ownership; the third routes the visitors. `found` null: the
 * name servers did not respond.
 */
export const Verified = v.strictObject({
  verified: v.boolean(),
  records: v.array(
    v.strictObject({
      type: v.picklist(['TXT', 'CNAME']),
      name: v.string(),
      expected: v.string(),
      found: v.nullable(v.array(v.string())),
    }),
  ),
  /** Five, in order. */
  lights: v.array(Light),
})
export type Verified = v.InferOutput<typeof Verified>

export const DomainOptions = listOptions({ id: 'text', verifiedAt: 'date', createdAt: 'date' })

const columns = {
  /** The hostname. */
  id: v.string(),
  /** Null: not owned any more. */
  verifiedAt: TimeOrNull,
  /** When it was released, by the place or because its proof disappeared; for 30 days no other place can get it. */
  releasedAt: TimeOrNull,
  checkedAt: TimeOrNull,
  /** Consecutive daily checks without the proof; after the third the domain is removed. */
  failures: v.number(),
  /** The state of its certificate when last checked. */
  certificate: v.picklist(['pending', 'active', 'failed']),
  /** Why it is not active; null if it is, or if unknown. */
  certificateReason: v.nullable(v.string()),
  certificateExpiresAt: TimeOrNull,
  createdAt: Time,
}

export const Domains = buildListShape(v.strictObject(columns))
/** The domains of all places, for the operator. */
export const AllDomains = buildListShape(v.strictObject({ ...columns, placeId: v.string() }))
