import * as v from 'valibot'
import { listOptions } from './options.ts'
import { Time, TimeOrNull, listOf } from './returns.ts'

/** Ends of names below which anyone may register: a whole one is no one's host. The usual ones; the proof guards the rest. */
const publicSuffixes = [
  /^(?:ac|co|com|edu|gob|gov|gouv|govt|go|gv|ltd|me|mil|ne|net|nhs|nom|or|org|plc|police|sch)\.[a-z]{2}$/,
  /^(?:(?:k12|cc|lib)\.)?[a-z]{2}\.us$/,
  /^(?:github\.io|pages\.dev|workers\.dev|netlify\.app|vercel\.app|web\.app|herokuapp\.com|azurewebsites\.net)$/,
  /^(?:cloudfront\.net|s3\.amazonaws\.com|blogspot\.com|fly\.dev|onrender\.com|appspot\.com)$/,
]
/** Last labels that the public Internet does not have. */
const notPublic = /\.(?:localhost|local|internal|onion|arpa|invalid)$/
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * A host as it is compared and stored: lower case, punycode, without the trailing dot. Null for what is no host that an
 * organisation can have: addresses, ports, IP numbers, single labels, public suffixes, names of private networks.
 */
export function hostOf(text: string): string | null {
  // Letters, digits and dots of any script; nothing that means something in an address.
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

/** The domain of an email address, as `hostOf`; null where it is none that an organisation can have. */
export const mailDomainOf = (email: string): string | null => hostOf(email.slice(email.lastIndexOf('@') + 1))

export const VerifyDomain = v.strictObject({
  domain: v.pipe(
    v.string(),
    v.trim(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const host = hostOf(dataset.value)
      if (host !== null) return host
      addIssue({ message: 'Must be a host name such as data.example.org.' })
      return NEVER
    }),
  ),
})
export type VerifyDomain = v.InferOutput<typeof VerifyDomain>

const Record = v.strictObject({
  /** ALIAS: what name servers call ALIAS, ANAME or a flattened CNAME, which the top of a zone may have. */
  type: v.picklist(['TXT', 'CNAME', 'ALIAS', 'A', 'AAAA', 'CAA']),
  name: v.string(),
  value: v.string(),
})
export type PastedRecord = v.InferOutput<typeof Record>

/** Why a light is as it is, for programs. */
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

/**
 * One of the five things that an address needs, in the order in which they are put right: the proof that it is the
 * place's, where it leads, which certificate authorities may issue for it, its certificate, and that the hub answers.
 */
export const Light = v.strictObject({
  name: v.picklist(['ownership', 'address', 'caa', 'certificate', 'content']),
  /** good; waiting: comes by itself or after another light; bad: someone has to do something; unknown: could not be asked. */
  state: v.picklist(['good', 'waiting', 'bad', 'unknown']),
  /** Null: there is nothing to say. */
  cause: v.nullable(v.picklist(lightCauses)),
  /** What is so and what to do, in plain words. */
  says: v.string(),
  /** Records to set; of A and AAAA all, of TXT all, of the others any. */
  paste: v.array(Record),
  /** Records to take away. */
  remove: v.array(Record),
})
export type Light = v.InferOutput<typeof Light>

/**
 * What was asked of the name servers. Either of the first two records proves that the host is the place's; the third
 * brings the visitors. `found` null: the name servers could not be asked.
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
  /** Five, in the order in which they are put right. */
  lights: v.array(Light),
})
export type Verified = v.InferOutput<typeof Verified>

export const DomainOptions = listOptions({ id: 'text', verifiedAt: 'date', createdAt: 'date' })

const columns = {
  /** The host. */
  id: v.string(),
  /** Null: not the place's any more. */
  verifiedAt: TimeOrNull,
  /** Given up then, by the place or because its proof was gone; for 30 days no other place gets it. */
  releasedAt: TimeOrNull,
  checkedAt: TimeOrNull,
  /** Daily checks in a row that did not find the proof; the third takes the host away. */
  failures: v.number(),
  /** Whether there is a certificate that holds, as last seen. */
  certificate: v.picklist(['pending', 'active', 'failed']),
  /** Why it is not active; null when it is or nothing is known. */
  certificateReason: v.nullable(v.string()),
  certificateExpiresAt: TimeOrNull,
  createdAt: Time,
}

export const Domains = listOf(v.strictObject(columns))
/** The hosts of all places, for the operator. */
export const AllDomains = listOf(v.strictObject({ ...columns, placeId: v.string() }))
