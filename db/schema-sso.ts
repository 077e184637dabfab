import type { Generated } from 'kysely'
import type { Time, TimeOrNull } from './schema-columns.ts'

/** The OpenID provider of a place. */
export interface PlaceSsoTable {
  placeId: string
  /** The label of the button. */
  name: string
  issuer: string
  clientId: string
  /** Encrypted: see functions/domain/secrets/encrypt.ts. */
  secret: string
  /** The role of people who sign in for the first time. */
  role: string
  isOn: Generated<boolean>
  createdAt: Time
  updatedAt: Time
  lastUsedAt: TimeOrNull
  /** Why the last attempt failed, in our own words; null: it did not fail. */
  lastError: string | null
  lastErrorAt: TimeOrNull
}

/** A mail domain that a place claims. */
export interface MailDomainTable {
  placeId: string
  domain: string
  /** The token in DNS that proves it. */
  token: string
  createdAt: Time
  /** Null: not verified, or not any more. */
  verifiedAt: TimeOrNull
  checkedAt: TimeOrNull
  /** Consecutive daily checks that did not find the token. */
  failures: Generated<number>
  /**
   * Whether people with a confirmed address of the domain may join as viewers without approval, while it is
   * verified.
   */
  letsJoin: Generated<boolean>
}

/** The identity of a person at a place's provider. */
export interface SsoIdentityTable {
  id: string
  placeId: string
  issuer: string
  subject: string
  userId: string
  createdAt: Time
  lastUsedAt: Generated<Date>
}
