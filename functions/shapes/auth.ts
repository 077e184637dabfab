import * as v from 'valibot'
import { PersonName } from './options.ts'
import { accountScopes } from './key-scope.ts'

/** A normalized email address: compatibility characters folded, then validated, then lower-cased. */
export const Email = v.pipe(
  v.string('Must be a text.'),
  v.trim(),
  v.normalize('NFKC'),
  v.toLowerCase(),
  v.maxLength(254, 'Must be at most 254 characters.'),
  v.email('Must be an e-mail address.'),
)

/** A new password. Not trimmed: every character counts. */
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
/** The token of an email that resets a password. */
export const ResetToken = v.strictObject({ token: Token })
/** The token of a link in any other email. */
export const LinkToken = v.strictObject({ token: Token })
/** `keepKeys`: ids of the person's keys that stay valid; all others are revoked. */
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
/** `current`: the present password, for re-authentication. */
export const ChangedPassword = v.strictObject({ current: Password, password: NewPassword })
/** `password`: the one chosen at sign-up; not needed in the browser that signed up. */
export const Confirm = v.strictObject({ token: Token, password: v.optional(Password) })
/** The host a visitor is on; by default that of the request. */
export const AskState = v.optional(
  v.strictObject({
    hostname: v.optional(v.pipe(v.string('Must be a text.'), v.maxLength(260, 'Too long.'))),
  }),
)

/** The response of endpoints that must not reveal whether an address is known. */
export const Done = v.strictObject({ ok: v.literal(true) })

/**
 * A key of a person: one that acts as them (`account`), or one they created for a source (`source`). `sourceName` null for account
 * keys, and if the source is no longer visible.
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
/** The password was changed; `keys` stay valid. */
export const PasswordChanged = v.strictObject({ ok: v.literal(true), keys: v.array(OwnKey) })

/** The restored address of an account. */
export const UndoneEmail = v.strictObject({ email: v.string() })

/** A place for the workspace switcher and the hub header. `role`: the person's role in it, null for none. */
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
  /** The newest pending invitation to the confirmed address; null for none. */
  inviteId: v.nullable(v.string()),
  places: v.array(v.strictObject({ ...StatePlace.entries, role: v.nullable(v.string()) })),
})

export const SignedIn = v.strictObject({ id: v.string(), expiresAt: v.date(), user: StateUser })

/** `session` null: not signed in. `hub` null: the workspace's own host; `invalid`: a host without a hub. */
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
