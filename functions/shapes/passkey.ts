import * as v from 'valibot'
import { buildNameShape } from './options.ts'
import { Time, TimeOrNull } from './returns.ts'

/** Bytes in WebAuthn JSON: base64url without padding. */
const bytes = (most: number) =>
  v.pipe(
    v.string('Must be a text.'),
    v.minLength(1, 'Required.'),
    v.maxLength(most, 'Too long.'),
    v.regex(/^[\w-]+$/, 'Must be base64url.'),
  )
// 1023 bytes, the maximum length of a credential id.
const credentialId = bytes(1364)
const Type = v.literal('public-key', 'Must be “public-key”.')

/** An assertion from the browser: `PublicKeyCredential.toJSON()`. Extra members are ignored. */
export const PasskeyAnswer = v.object(
  {
    id: credentialId,
    rawId: credentialId,
    type: Type,
    response: v.object({
      clientDataJSON: bytes(8000),
      authenticatorData: bytes(8000),
      signature: bytes(2000),
    }),
  },
  'Must be the answer of a passkey.',
)

/** The same for a new passkey. */
const MadePasskey = v.object(
  {
    id: credentialId,
    rawId: credentialId,
    type: Type,
    response: v.object({
      clientDataJSON: bytes(8000),
      attestationObject: bytes(20_000),
      transports: v.optional(
        v.pipe(v.array(v.pipe(v.string(), v.regex(/^[a-z-]{1,20}$/))), v.maxLength(10, 'Too many.')),
      ),
    }),
  },
  'Must be a passkey that was made.',
)

export const NewPasskey = v.strictObject({ name: buildNameShape(60), passkey: MadePasskey })
export const PasskeyChanges = v.strictObject({ name: buildNameShape(60) })

const passkeyId = v.strictObject({
  id: v.string(),
  type: Type,
  transports: v.optional(v.array(v.string())),
})

/** The options for `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const PasskeyCreation = v.strictObject({
  publicKey: v.strictObject({
    rp: v.strictObject({ id: v.string(), name: v.string() }),
    user: v.strictObject({ id: v.string(), name: v.string(), displayName: v.string() }),
    challenge: v.string(),
    pubKeyCredParams: v.array(v.strictObject({ type: Type, alg: v.number() })),
    timeout: v.number(),
    excludeCredentials: v.array(passkeyId),
    authenticatorSelection: v.strictObject({ residentKey: v.string(), userVerification: v.string() }),
    attestation: v.string(),
  }),
})

/** The options for `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const PasskeyRequest = v.strictObject({
  publicKey: v.strictObject({
    rpId: v.string(),
    challenge: v.string(),
    timeout: v.number(),
    userVerification: v.string(),
    allowCredentials: v.array(passkeyId),
  }),
})

const passkey = {
  id: v.string(),
  name: v.string(),
  createdAt: Time,
  /** Null: never used. */
  lastUsedAt: TimeOrNull,
  /** Whether it is synced, and so usable on several devices. */
  isSynced: v.boolean(),
}
export const Passkeys = v.strictObject({ results: v.array(v.strictObject(passkey)) })
export const Passkey = v.strictObject(passkey)
/** Recovery codes are created with a person's first factor and shown once; later ones have none. */
export const AddedPasskey = v.strictObject({ ...passkey, recoveryCodes: v.array(v.string()) })

export type PasskeyAnswer = v.InferOutput<typeof PasskeyAnswer>
export type NewPasskey = v.InferOutput<typeof NewPasskey>
export type PasskeyChanges = v.InferOutput<typeof PasskeyChanges>
export type PasskeyCreation = v.InferOutput<typeof PasskeyCreation>
export type PasskeyRequest = v.InferOutput<typeof PasskeyRequest>
