import type { Generated } from 'kysely'
import type { Time, TimeOrNull } from './schemaColumns.ts'

/** The OpenID provider by which the people of a place sign in. */
export interface PlaceSsoTable {
  placeId: string
  /** What people read on the button. */
  name: string
  issuer: string
  clientId: string
  /** Sealed: see functions/domain/secrets/encrypt.ts. */
  secret: string
  /** What someone becomes in the place who signs in for the first time. */
  role: string
  isOn: Generated<boolean>
  createdAt: Time
  updatedAt: Time
  lastUsedAt: TimeOrNull
  /** Why the last try failed, in our words; null: it did not. */
  lastError: string | null
  lastErrorAt: TimeOrNull
}

/** A domain of mail addresses that a place says is its own. */
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
  /** Whether who has a confirmed address of it comes into the place by themselves, as a viewer, while it is proved. */
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
