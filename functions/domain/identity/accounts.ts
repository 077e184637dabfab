import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type {
  Address,
  Done,
  Login,
  OwnKey,
  Reset,
  ResetToken,
  SignedIn,
  SignUp,
} from '#functions/shapes/auth.ts'
import type { Tx } from '#db/schema.ts'
import { limits, refund, countAttempt } from './attempts.ts'
import type { Notice } from './auth.ts'
import { lockUnconfirmed, renewConfirmation, invalidateConfirmations } from './confirmations.ts'
import { clearSessionCookie, secondStepCookieName, signUpCookie } from './cookie.ts'
import { cancelEmailChange } from './email-change.ts'
import { forgetDevices, rememberDevice } from './devices.ts'
import { endPending, findTokenSubject } from './email-tokens.ts'
import { randomText } from './keys.ts'
import { passwordChangedEmail, resetEmail, verificationEmail } from './emails.ts'
import { recordFailure, recordOwn } from './own-activity.ts'
import {
  begin,
  findErrorCode,
  endPresent,
  toFailure,
  buildLibraryHeaders,
  open,
  sendNotices,
  createLinkFailure,
  type Auth,
} from './library.ts'
import { readAsPerson, endOwnKeys, listOwnKeys } from './own-keys.ts'
import { withMinimumDuration, sleepUntil } from './pace.ts'
import { listOrganizationNames, requireFreshPassword } from './refused-passwords.ts'
import { emailLimits, startSignIn } from './sign-in-limits.ts'

interface DataInput<Data> {
  data: Data
}

const ok: Done = { ok: true }

/**
 * Creates an unverified account and sends the email that confirms it. The response is the same for an address
 * that has an account; its owner gets a different email. Signing up again before confirming replaces name and
 * password and invalidates earlier links. The browser gets a secret cookie that replaces the password when it
 * follows the link. Failure `invalid` (path `password`) for a stolen or easily guessed password, judged by
 * what was typed alone so that nothing about accounts is revealed.
 */
export async function signup(ctx: Context, { data }: DataInput<SignUp>): Promise<Done> {
  await requireFreshPassword(data.password, { ...data, organizations: [] })
  await countAttempt(ctx, limits.signup(ctx, data.email))
  const secret = randomText()
  await withMinimumDuration(ctx, 600, async () => {
    const { notices, userId } = await register(ctx, data, secret).catch((error: unknown) => {
      // Two concurrent sign-ups with one address: the second finds the first now.
      if (findErrorCode(error) === 'FAILED_TO_CREATE_USER') return register(ctx, data, secret)
      throw toFailure(findErrorCode(error), error)
    })
    if (userId === null) await sendNotices(ctx, notices)
    else await ctx.sendMail(verificationEmail(data.email, userId, ctx.settings))
  })
  // Also set where the address has an account, because the response must not reveal that.
  ctx.responseHeaders.append('set-cookie', signUpCookie(secret, ctx.settings))
  return ok
}

/** `userId`: the account that has to confirm this sign-up; null where the address is confirmed already. */
async function register(
  ctx: Context,
  data: SignUp,
  secret: string,
): Promise<{ notices: Notice[]; userId: string | null }> {
  return ctx.accounts.transaction(async (tx) => {
    const { auth, notices } = await open(ctx, tx)
    const account = await auth.api.signUpEmail({ body: data, headers: buildLibraryHeaders(ctx) })
    const [notice] = notices
    const userId = notice?.user.id ?? account.user.id
    // Checked under a lock: it may have been confirmed meanwhile, and then its password must not be replaced.
    if (!(await lockUnconfirmed(tx, userId))) return { notices, userId: null }
    if (notice) {
      const { internalAdapter, password } = await auth.$context
      await internalAdapter.updatePassword(userId, await password.hash(data.password))
      await tx.updateTable('user').set({ name: data.name }).where('id', '=', userId).execute()
    }
    await renewConfirmation(tx, userId, secret)
    return { notices, userId }
  })
}

/**
 * Signs in: always creates a new session and ends the one this browser had. Failure `unauthenticated` for a
 * wrong address or password alike and (reason `secondFactor`, with a cookie for it) where a second step
 * follows; `forbidden` for an unconfirmed address, but only to those who know the password.
 */
export async function login(ctx: Context, { data }: DataInput<Login>): Promise<SignedIn> {
  const attempt = await startSignIn(ctx, data.email)
  const { auth } = await open(ctx, ctx.accounts.db)
  const startMs = Date.now()
  const { headers, response } = await auth.api
    .signInEmail({ body: data, headers: buildLibraryHeaders(ctx), returnHeaders: true })
    .catch(async (error: unknown) => {
      const code = findErrorCode(error)
      if (code === 'EMAIL_NOT_VERIFIED') await attempt.succeeded()
      if (code === 'INVALID_EMAIL_OR_PASSWORD') await recordFailure(ctx, { email: data.email })
      await sleepUntil(ctx, startMs + 300)
      throw toFailure(code, error)
    })
  await attempt.succeeded()
  if ('twoFactorRedirect' in response) {
    const cookie = headers
      .getSetCookie()
      .find((text) => text.startsWith(`${secondStepCookieName(ctx.settings)}=`))
    if (cookie) ctx.responseHeaders.append('set-cookie', cookie)
    const message = 'The password is right. Now the second step: the code of your authenticator app.'
    throw new Failure('unauthenticated', { message, reason: 'secondFactor' })
  }
  const session = await begin(ctx, headers)
  if (!session) throw new Failure('broken', { cause: new Error('Signing in gave no session.') })
  await ctx.accounts.transaction((tx) => recordOwn(tx, ctx, session.user.id, 'signedIn'))
  return session
}

/** Ends the session of this browser, if there is one. */
export async function logout(ctx: Context): Promise<Done> {
  await endPresent(ctx)
  ctx.responseHeaders.append('set-cookie', clearSessionCookie(ctx.settings))
  return ok
}

/** Sends an email with a link to choose a new password. The response is the same for every address. */
export async function forgot(ctx: Context, { data }: DataInput<Address>): Promise<Done> {
  await countAttempt(ctx, await emailLimits(ctx, data.email))
  await withMinimumDuration(ctx, 300, async () => {
    const user = await ctx.db
      .selectFrom('user')
      .select(['id', 'email'])
      .where('email', '=', data.email)
      .executeTakeFirst()
    if (user) await ctx.sendMail(resetEmail(user.email, user.id, ctx.settings))
  })
  return ok
}

/**
 * Sets a new password with the single-use token of an email. Ends every session, invalidates the other such
 * emails, and ends every key the person has or made except `keepKeys`. The address becomes confirmed, because
 * the email was read. Failure `invalid`, without any change: path `token` for one that is used, expired or
 * forged; path `password` for a stolen or easily guessed one; path `keepKeys.n` for a key that is not theirs.
 */
export async function reset(ctx: Context, { data }: DataInput<Reset>): Promise<Done> {
  const tries = limits.token(ctx)
  await countAttempt(ctx, tries)
  const { email, keys } = await ctx.accounts
    .transaction(async (tx) => {
      const { auth } = await open(ctx, tx)
      const user = await readTokenHolder(tx, data.token)
      const organizations = await listOrganizationNames(tx, user.id)
      await requireFreshPassword(data.password, { ...user, organizations })
      const keys = await endOwnKeys(tx, ctx, user, data.keepKeys ?? [])
      await setPassword(auth, user.id, data.password)
      await tx.updateTable('user').set({ emailVerified: true }).where('id', '=', user.id).execute()
      await endPending(tx, user.id)
      await forgetDevices(tx, ctx, user.id, { all: true })
      await rememberDevice(tx, ctx, user.id)
      await recordOwn(tx, ctx, user.id, 'passwordReset')
      await invalidateConfirmations(tx, user.id)
      await cancelEmailChange(tx, user.id)
      return { email: user.email, keys }
    })
    .catch((error: unknown) => {
      throw toFailure(findErrorCode(error), error)
    })
  await refund(ctx, tries)
  if (ctx.actor.session) ctx.responseHeaders.append('set-cookie', clearSessionCookie(ctx.settings))
  await ctx.sendMail(passwordChangedEmail(email, ctx.settings, { signedOut: 'every device', ...keys }))
  return ok
}

/**
 * The keys that a new password would end unless they are kept, for the holder of the email's token, which
 * stays valid. Failure `invalid` (path `token`).
 */
export async function resetKeys(ctx: Context, { data }: DataInput<ResetToken>): Promise<{ keys: OwnKey[] }> {
  const tries = limits.token(ctx)
  await countAttempt(ctx, tries)
  const keys = await ctx.accounts.transaction(async (tx) => {
    const user = await readTokenHolder(tx, data.token)
    await readAsPerson(tx, user.id)
    return listOwnKeys(tx, user.id)
  })
  await refund(ctx, tries)
  return { keys }
}

/**
 * The person to whom the token of a reset email was sent, locked until the transaction ends. Failure
 * `invalid` (path `token`).
 */
async function readTokenHolder(tx: Tx, token: string) {
  const userId = await findTokenSubject(tx, 'reset', token)
  if (userId === null) throw createLinkFailure()
  const user = await tx
    .selectFrom('user')
    .select(['id', 'email', 'name'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  // Checked again under the lock: the link may have been used while this waited for it.
  if (!user || (await findTokenSubject(tx, 'reset', token)) === null) throw createLinkFailure()
  return user
}

/**
 * Lets the library set a password, end every session and apply its password rules, with a library token
 * created just for this.
 */
async function setPassword(auth: Auth, userId: string, newPassword: string): Promise<void> {
  const token = randomText()
  const { internalAdapter } = await auth.$context
  const expiresAt = new Date(Date.now() + 60_000)
  await internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: userId,
    expiresAt,
  })
  await auth.api.resetPassword({ body: { token, newPassword } })
}
