import * as v from 'valibot'
import { PersonName } from './options.ts'
import { accountScopes } from './keyScope.ts'

/** One form of each address: compatibility characters folded first, then checked, then lower case. */
export const Email = v.pipe(
  v.string('Must be a text.'),
  v.trim(),
  v.normalize('NFKC'),
  v.toLowerCase(),
  v.maxLength(254, 'Must be at most 254 characters.'),
  v.email('Must be an e-mail address.'),
)

/** A password that is being chosen. Not trimmed: every character counts. */
export const NewPassword = v.pipe(
  v.string('Must be a text.'),
  v.minLength(10, 'Must be at least 10 characters.'),
  v.maxLength(128, 'Must be at most 128 characters.'),
)

const Token = v.pipe(v.string('Must be a text.'), v.minLength(1, 'Required.'), v.maxLength(2000, 'Too long.'))
const Password = v.pipe(
  v.string('Must be a text.'),
  v.minLength(1, 'Required.'),
  v.maxLength(128, 'Too long.'),
)

export const SignUp = v.strictObject({ name: PersonName, email: Email, password: NewPassword })
export const Login = v.strictObject({ email: Email, password: Password })
export const Address = v.strictObject({ email: Email })
/** The token of the email that lets choose a new password. */
export const ResetToken = v.strictObject({ token: Token })
/** The token of a link in any other email. */
export const LinkToken = v.strictObject({ token: Token })
/** `keepKeys`: ids of the person's keys that go on working; every other one ends. */
export const Reset = v.strictObject({
  token: Token,
  password: NewPassword,
  keepKeys: v.optional(
    v.pipe(
      v.array(v.pipe(v.string('Must be a text.'), v.maxLength(100, 'Too long.'))),
      v.maxLength(1000, 'Too many.'),
    ),
  ),
})
/** `current`: the present one, asked once more. */
export const ChangedPassword = v.strictObject({ current: Password, password: NewPassword })
/** `password`: the one chosen at the sign-up; the browser that signed up needs none. */
export const Confirm = v.strictObject({ token: Token, password: v.optional(Password) })
/** The host a visitor is on; without one the host that was asked. */
export const AskState = v.optional(
  v.strictObject({
    hostname: v.optional(v.pipe(v.string('Must be a text.'), v.maxLength(260, 'Too long.'))),
  }),
)

/** The answer of everything that must not tell whether an address is known. */
export const Done = v.strictObject({ ok: v.literal(true) })

/**
 * A key of a person: one that acts as them (`account`), or one they made that writes a source (`source`). `sourceName` null
 * where it opens no source, or one the person may not see any more.
 */
export const OwnKey = v.strictObject({
  id: v.string(),
  name: v.string(),
  prefix: v.string(),
  scope: v.picklist(['source', ...accountScopes]),
  placeName: v.nullable(v.string()),
  sourceName: v.nullable(v.string()),
  createdAt: v.date(),
  lastUsedAt: v.nullable(v.date()),
})
export const OwnKeys = v.strictObject({ keys: v.array(OwnKey) })
/** The password is changed; `keys` go on working. */
export const PasswordChanged = v.strictObject({ ok: v.literal(true), keys: v.array(OwnKey) })

/** The address an account has again. */
export const UndoneEmail = v.strictObject({ email: v.string() })

/** A place as the workspace switcher and the hub header need it. `role`: the person's in it, null for none. */
export const StatePlace = v.strictObject({
  id: v.string(),
  name: v.string(),
  displayName: v.string(),
  isHub: v.boolean(),
  timeZone: v.string(),
  theme: v.record(v.string(), v.string()),
})

export const StateUser = v.strictObject({
  id: v.string(),
  email: v.string(),
  name: v.string(),
  image: v.nullable(v.string()),
  authMethod: v.string(),
  verified: v.boolean(),
  createdAt: v.date(),
  role: v.nullable(v.string()),
  onboarding: v.strictObject({ welcomed: v.boolean() }),
  /** The invitation that waits for the confirmed address, newest first; null for none. */
  inviteId: v.nullable(v.string()),
  places: v.array(v.strictObject({ ...StatePlace.entries, role: v.nullable(v.string()) })),
})

export const SignedIn = v.strictObject({ id: v.string(), expiresAt: v.date(), user: StateUser })

/** `session` null: not signed in. `hub` null: the host is the workspace's own; `invalid`: the host of no hub. */
export const State = v.strictObject({
  session: v.nullable(SignedIn),
  hub: v.nullable(v.strictObject({ place: v.nullable(StatePlace), invalid: v.boolean() })),
  config: v.strictObject({
    clientKey: v.string(),
    appHost: v.string(),
    publicHost: v.string(),
    environment: v.string(),
  }),
})

export type SignUp = v.InferOutput<typeof SignUp>
export type Login = v.InferOutput<typeof Login>
export type Address = v.InferOutput<typeof Address>
export type ResetToken = v.InferOutput<typeof ResetToken>
export type LinkToken = v.InferOutput<typeof LinkToken>
export type UndoneEmail = v.InferOutput<typeof UndoneEmail>
export type OwnKey = v.InferOutput<typeof OwnKey>
export type PasswordChanged = v.InferOutput<typeof PasswordChanged>
export type Reset = v.InferOutput<typeof Reset>
export type ChangedPassword = v.InferOutput<typeof ChangedPassword>
export type Confirm = v.InferOutput<typeof Confirm>
export type AskState = v.InferOutput<typeof AskState>
export type Done = v.InferOutput<typeof Done>
export type State = v.InferOutput<typeof State>
export type StateUser = v.InferOutput<typeof StateUser>
export type SignedIn = v.InferOutput<typeof SignedIn>
