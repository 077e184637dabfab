import * as v from 'valibot'
import { PasskeyAnswer } from './passkey.ts'

const Code = v.pipe(
  v.string('Must be a text.'),
  v.transform((text) => text.replace(/\s/g, '')),
  v.regex(/^\d{6}$/, 'Must be the six digits of the app.'),
)
const RecoveryCode = v.pipe(
  v.string('Must be a text.'),
  v.minLength(1, 'Required.'),
  v.maxLength(100, 'Too long.'),
)
const Password = v.pipe(
  v.string('Must be a text.'),
  v.minLength(1, 'Required.'),
  v.maxLength(128, 'Too long.'),
)

/** The second step of signing in: an app's code, a recovery code, or a passkey assertion. */
export const SecondStep = v.union(
  [
    v.strictObject({ code: Code }),
    v.strictObject({ recoveryCode: RecoveryCode }),
    v.strictObject({ passkey: PasskeyAnswer }),
  ],
  'Must have a code of the app, a recovery code or the answer of a passkey.',
)
/** Re-authentication: by the second factor, else by password. */
export const Proof = v.union(
  [...SecondStep.options, v.strictObject({ password: Password })],
  'Must have a code of the app, a recovery code, the answer of a passkey or the password.',
)
export const NewFactor = v.strictObject({ password: Password })
export const FirstCode = v.strictObject({ code: Code })

/** `isOn`: signing in requires a second factor, an app (`hasApp`) or a passkey. `isRequired`: for super admins. */
export const FactorState = v.strictObject({
  isOn: v.boolean(),
  hasApp: v.boolean(),
  hasPasskey: v.boolean(),
  isRequired: v.boolean(),
  codesLeft: v.number(),
})
/** The second factors for the pending sign-in in this browser, besides recovery codes. Null: none is pending. */
export const StepKinds = v.strictObject({
  waiting: v.nullable(v.strictObject({ app: v.boolean(), passkey: v.boolean() })),
})
/** The secret for an authenticator app as URL, as QR code (SVG) and as text; and the recovery codes, empty if existing ones stay valid. */
export const BegunFactor = v.strictObject({
  uri: v.string(),
  picture: v.string(),
  key: v.string(),
  recoveryCodes: v.array(v.string()),
})
export const RecoveryCodes = v.strictObject({ recoveryCodes: v.array(v.string()) })

export type StepKinds = v.InferOutput<typeof StepKinds>
export type SecondStep = v.InferOutput<typeof SecondStep>
export type Proof = v.InferOutput<typeof Proof>
export type NewFactor = v.InferOutput<typeof NewFactor>
export type FirstCode = v.InferOutput<typeof FirstCode>
export type FactorState = v.InferOutput<typeof FactorState>
export type BegunFactor = v.InferOutput<typeof BegunFactor>
export type RecoveryCodes = v.InferOutput<typeof RecoveryCodes>
