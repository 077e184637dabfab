import type { Generated } from 'kysely'
import type { Time, TimeOrNull } from './schema-columns.ts'

/**
 * The authenticator app and the recovery codes of a person. `verified` false: enrolment of an app was not started, or
 * not finished.
 */
export interface TwoFactorTable {
  id: string
  userId: string
  /** Encrypted by the auth library. Null: recovery codes of someone who has passkeys only. */
  secret: string | null
  /** JSON: the hashes of the recovery codes that were not used yet. */
  backupCodes: string
  verified: Generated<boolean>
  failedVerificationCount: Generated<number>
  lockedUntil: TimeOrNull
}

/** A passkey of a person. */
export interface PasskeyTable {
  id: string
  userId: string
  name: string
  /** The credential id of the authenticator (base64url). */
  credentialId: string
  /** COSE, in base64. */
  publicKey: string
  /** The signature counter of the authenticator. Many always report 0. */
  counter: number
  /** `singleDevice`, or `multiDevice` for a synced one. */
  deviceType: string
  backedUp: boolean
  transports: string | null
  /** The model of the authenticator, as it reports itself. */
  aaguid: string | null
  createdAt: Time
  lastUsedAt: TimeOrNull
}
