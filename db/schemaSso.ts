import type { Generated } from 'kysely'
import type { Time, TimeOrNull } from './schemaColumns.ts'

/** The OpenID provider of a place. */
export interface PlaceSsoTable {
  placeId: string
  /** The label of the button. */
  name: string
  issuer: string
  clientId: string
  /** Sealed: see functions/domain/secrets/encrypt.ts. */
  secret: string
  /** The role of people who sign in for the first time. */
  role: string
  isOn: Generated<boolean>
  createdAt: Time
  updatedAt: Time
  lastUsedAt: TimeOrNull
  /** Why the last attempt failed, in our own words; null: it did not. */
  lastError: string | null
  lastErrorAt: TimeOrNull
}

/** A mail domain that a place claims. */
export interface MailDomainTable {
  placeId: string
  domain: string
  /** What proves it in DNS. */
  token: string
  createdAt: Time
  /** Null: not proved, or not any more. */
  verifiedAt: TimeOrNull
  checkedAt: TimeOrNull
  /** Daily checks in a row that did not find the proof. */
  failures: Generated<number>
  /** Whether people with a confirmed address of the domain may join as viewers without approval, while it is proved. */
  letsJoin: Generated<boolean>
}

/** Who someone is whom a place's provider vouches for. */
export interface SsoIdentityTable {
  id: string
  placeId: string
  issuer: string
  subject: string
  userId: string
  createdAt: Time
  lastUsedAt: Generated<Date>
}
