import * as v from 'valibot'
import { normalizeHostname } from './domain.ts'
import { buildNameShape } from './options.ts'
import { Time, TimeOrNull, buildListShape } from './returns.ts'

const discoveryPath = '/.well-known/openid-configuration'

/** The issuer of an OpenID provider: given as such, or by the URL of its discovery document (OpenID Connect Discovery 1.0, section 4). */
const Issuer = v.pipe(
  v.string('Must be a text.'),
  v.trim(),
  v.maxLength(500, 'Must be at most 500 characters.'),
  v.regex(/^https:\/\/[^\s?#@]+$/i, 'Must be an https address, such as https://login.example.org.'),
  v.transform((text) => (text.endsWith(discoveryPath) ? text.slice(0, -discoveryPath.length) : text)),
)

/** Without `secret` the stored one is kept. */
export const SsoChanges = v.strictObject({
  name: buildNameShape(60),
  issuer: Issuer,
  clientId: v.pipe(
    v.string('Must be a text.'),
    v.trim(),
    v.minLength(1, 'Required.'),
    v.maxLength(255, 'Must be at most 255 characters.'),
  ),
  secret: v.optional(
    v.pipe(v.string('Must be a text.'), v.minLength(1, 'Required.'), v.maxLength(1000, 'Too long.')),
  ),
  role: v.pipe(v.string('Must be a text.'), v.minLength(1, 'Required.')),
  isOn: v.boolean('Must be true or false.'),
})

/** An email domain, in lower case and punycode. */
export const NewMailDomain = v.strictObject({
  domain: v.pipe(
    v.string('Must be a text.'),
    v.trim(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const domain = normalizeHostname(dataset.value.replace(/^@/, ''))
      if (domain !== null) return domain
      addIssue({ message: 'Must be a mail domain such as example.org.' })
      return NEVER
    }),
  ),
})

export const MailDomainChanges = v.strictObject({ letsJoin: v.boolean('Must be true or false.') })
export type MailDomainChanges = v.InferOutput<typeof MailDomainChanges>

/** The record that proves ownership of an email domain. */
const Proof = v.strictObject({ type: v.literal('TXT'), name: v.string(), value: v.string() })

const mailDomain = {
  /** The domain. */
  id: v.string(),
  /** Null: not verified, or not any more. */
  verifiedAt: TimeOrNull,
  checkedAt: TimeOrNull,
  /** Consecutive daily checks without the proof; after the third the domain is removed. */
  failures: v.number(),
  /** Whether people with a confirmed address of the domain can join as viewers, while it is verified. */
  letsJoin: v.boolean(),
  createdAt: Time,
  proof: Proof,
}
export const MailDomain = v.strictObject(mailDomain)
export const MailDomains = buildListShape(MailDomain)

/** The DNS records found just now; null: the name servers did not respond. */
export const CheckedMailDomain = v.strictObject({ ...mailDomain, found: v.nullable(v.array(v.string())) })

/** The single sign-on of a place. `provider` null: not set up. Never includes a secret. */
export const Sso = v.strictObject({
  /** The redirect URI to configure at the provider. */
  redirectUri: v.string(),
  provider: v.nullable(
    v.strictObject({
      name: v.string(),
      issuer: v.string(),
      clientId: v.string(),
      role: v.string(),
      isOn: v.boolean(),
      updatedAt: v.date(),
      lastUsedAt: v.nullable(v.date()),
      /** The error of the last attempt; null without one. */
      lastError: v.nullable(v.string()),
      lastErrorAt: v.nullable(v.date()),
      /** The number of people who have signed in by it. */
      people: v.number(),
    }),
  ),
})

const placeId = v.pipe(
  v.string('Must be a text.'),
  v.regex(/^[a-z0-9-]{1,63}$/, 'Must be the id of a place.'),
)

/** `isAgain`: the provider must re-authenticate the person. */
export const StartSso = v.strictObject({
  placeId,
  redirectTo: v.optional(v.pipe(v.string(), v.maxLength(2000, 'Too long.'))),
  isAgain: v.optional(v.boolean()),
})
/** The URL to redirect to. */
export const StartedSso = v.strictObject({ url: v.string() })

/** The query of the provider's redirect. */
export const FinishSso = v.strictObject({
  query: v.pipe(v.string('Must be a text.'), v.maxLength(8000, 'Too long.')),
})
/** `link`: an account with the address exists, which its owner links by signing in. `redirectTo`: the remembered page. */
export const FinishedSso = v.strictObject({
  outcome: v.picklist(['signedIn', 'link']),
  redirectTo: v.string(),
})

/** The places that an email address can sign in to. */
export const SsoMatches = v.strictObject({
  results: v.array(v.strictObject({ placeId: v.string(), placeName: v.string(), name: v.string() })),
})

/** The pending link of an account in this browser; null without one. */
export const WaitingLink = v.strictObject({
  waiting: v.nullable(
    v.strictObject({ placeName: v.string(), name: v.string(), issuer: v.string(), email: v.string() }),
  ),
})

/** A sign-on identity of a person. */
const SsoIdentity = v.strictObject({
  id: v.string(),
  placeId: v.string(),
  placeName: v.string(),
  issuer: v.string(),
  createdAt: v.date(),
  lastUsedAt: v.date(),
})
export const SsoIdentities = v.strictObject({ results: v.array(SsoIdentity) })

export type SsoChanges = v.InferOutput<typeof SsoChanges>
export type NewMailDomain = v.InferOutput<typeof NewMailDomain>
export type Sso = v.InferOutput<typeof Sso>
export type StartSso = v.InferOutput<typeof StartSso>
export type StartedSso = v.InferOutput<typeof StartedSso>
export type FinishSso = v.InferOutput<typeof FinishSso>
export type FinishedSso = v.InferOutput<typeof FinishedSso>
export type SsoMatches = v.InferOutput<typeof SsoMatches>
export type WaitingLink = v.InferOutput<typeof WaitingLink>
