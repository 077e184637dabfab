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

/** The second step of signing in: the code of the app, one of the recovery codes, or what a passkey answered. */
export const SecondStep = v.union(
  [
    v.strictObject({ code: Code }),
    v.strictObject({ recoveryCode: RecoveryCode }),
    v.strictObject({ passkey: PasskeyAnswer }),
  ],
  'Must have a code of the app, a recovery code or the answer of a passkey.',
)
/** How a person proves once more that it is them: by the second factor, or the password where there is none. */
export const Proof = v.union(
  [...SecondStep.options, v.strictObject({ password: Password })],
  'Must have a code of the app, a recovery code, the answer of a passkey or the password.',
)
export const NewFactor = v.strictObject({ password: Password })
export const FirstCode = v.strictObject({ code: Code })

/**
 * `isOn`: signing in takes a second factor, an app (`hasApp`) or a passkey. `isRequired`: the person is a super admin, and super
 * admins need one here.
 */
export const FactorState = v.strictObject({
  isOn: v.boolean(),
  hasApp: v.boolean(),
  hasPasskey: v.boolean(),
  isRequired: v.boolean(),
  codesLeft: v.number(),
})
/** With what the second step can be done of the sign-in that waits in this browser, besides recovery codes. Null: none waits. */
export const StepKinds = v.strictObject({
  waiting: v.nullable(v.strictObject({ app: v.boolean(), passkey: v.boolean() })),
})
/**
 * What an authenticator app needs, as an address, as a picture of it (SVG) and as text to type; and the recovery codes, none where
 * those the person has stay.
 */
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
