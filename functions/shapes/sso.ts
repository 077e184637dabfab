import * as v from 'valibot'
import { hostOf } from './domain.ts'
import { plainName } from './options.ts'
import { Time, TimeOrNull, listOf } from './returns.ts'

const discoveryPath = '/.well-known/openid-configuration'

/**
 * The issuer of an OpenID provider, as its tokens name it: given as such, or as the address of its discovery document
 * (OpenID Connect Discovery 1.0, section 4).
 */
const Issuer = v.pipe(
  v.string('Must be a text.'),
  v.trim(),
  v.maxLength(500, 'Must be at most 500 characters.'),
  v.regex(/^https:\/\/[^\s?#@]+$/i, 'Must be an https address, such as https://login.example.org.'),
  v.transform((text) => (text.endsWith(discoveryPath) ? text.slice(0, -discoveryPath.length) : text)),
)

/** `secret` left out: the one that is kept stays. */
export const SsoChanges = v.strictObject({
  name: plainName(60),
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

/** A domain of mail addresses, in lower case and punycode. */
export const NewMailDomain = v.strictObject({
  domain: v.pipe(
    v.string('Must be a text.'),
    v.trim(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const domain = hostOf(dataset.value.replace(/^@/, ''))
      if (domain !== null) return domain
      addIssue({ message: 'Must be a mail domain such as example.org.' })
      return NEVER
    }),
  ),
})

export const MailDomainChanges = v.strictObject({ letsJoin: v.boolean('Must be true or false.') })
export type MailDomainChanges = v.InferOutput<typeof MailDomainChanges>

/** The record that proves a mail domain. */
const Proof = v.strictObject({ type: v.literal('TXT'), name: v.string(), value: v.string() })

const mailDomain = {
  /** The domain. */
  id: v.string(),
  /** Null: not proved, or not any more. */
  verifiedAt: TimeOrNull,
  checkedAt: TimeOrNull,
  /** Daily checks in a row that did not find the proof; the third takes the domain away. */
  failures: v.number(),
  /** Whether who has a confirmed address of it comes in by themselves, as a viewer, while it is proved. */
  letsJoin: v.boolean(),
  createdAt: Time,
  proof: Proof,
}
export const MailDomain = v.strictObject(mailDomain)
export const MailDomains = listOf(MailDomain)

/** What was asked of the name servers just now; null: they could not be asked. */
export const CheckedMailDomain = v.strictObject({ ...mailDomain, found: v.nullable(v.array(v.string())) })

/** How the people of a place sign in. `provider` null: nothing is set up. Never a secret. */
export const Sso = v.strictObject({
  /** What the provider is to be told: where people are sent back to. */
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
      /** Why the last try failed; null: it did not. */
      lastError: v.nullable(v.string()),
      lastErrorAt: v.nullable(v.date()),
      /** How many people have signed in by it. */
      people: v.number(),
    }),
  ),
})

const placeId = v.pipe(
  v.string('Must be a text.'),
  v.regex(/^[a-z0-9-]{1,63}$/, 'Must be the id of a place.'),
)

/** `isAgain`: the person is to prove to the provider anew that it is them. */
export const StartSso = v.strictObject({
  placeId,
  redirectTo: v.optional(v.pipe(v.string(), v.maxLength(2000, 'Too long.'))),
  isAgain: v.optional(v.boolean()),
})
/** Where the browser goes on to. */
export const StartedSso = v.strictObject({ url: v.string() })

/** The query that the provider sent the browser back with. */
export const FinishSso = v.strictObject({
  query: v.pipe(v.string('Must be a text.'), v.maxLength(8000, 'Too long.')),
})
/** `link`: the address has an account, which its owner connects by signing in. `redirectTo`: what was remembered. */
export const FinishedSso = v.strictObject({
  outcome: v.picklist(['signedIn', 'link']),
  redirectTo: v.string(),
})

/** By a mail address: the places one may sign in to with it. */
export const SsoMatches = v.strictObject({
  results: v.array(v.strictObject({ placeId: v.string(), placeName: v.string(), name: v.string() })),
})

/** What waits in a browser to be connected with an account; null: nothing does. */
export const WaitingLink = v.strictObject({
  waiting: v.nullable(
    v.strictObject({ placeName: v.string(), name: v.string(), issuer: v.string(), email: v.string() }),
  ),
})

/** A provider by which a person signs in. */
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
