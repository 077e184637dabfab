import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Address, Confirm, Done, Login, Reset, SignedIn, SignUp } from '#functions/shapes/auth.ts'
import { limits, refund, spend } from './attempts.ts'
import type { Notice } from './auth.ts'
import { noSessionCookie } from './cookie.ts'
import { begin, codeOf, endPresent, failureOf, headersOf, open, tell } from './library.ts'
import { atLeast, until } from './pace.ts'

interface Given<Data> {
  data: Data
}

const done: Done = { ok: true }

/**
 * Makes an unverified account and writes the letter that confirms it. The same answer for an address that has an
 * account: its owner gets a letter instead. Signing up again before confirming replaces the password, so that
 * nobody can set one for an address they do not own and wait for the owner to confirm it.
 */
export async function signup(ctx: Context, { data }: Given<SignUp>): Promise<Done> {
  await spend(ctx, limits.signup(ctx, data.email))
  await atLeast(600, async () => {
    const notices = await register(ctx, data).catch((error: unknown) => {
      // Two sign-ups of one address at once: the second finds the first now.
      if (codeOf(error) === 'FAILED_TO_CREATE_USER') return register(ctx, data)
      throw failureOf(codeOf(error), error)
    })
    await tell(ctx, notices)
  })
  return done
}

async function register(ctx: Context, data: SignUp): Promise<Notice[]> {
  return ctx.transaction(async (tx) => {
    const { auth, notices } = await open(ctx, tx)
    await auth.api.signUpEmail({ body: data, headers: headersOf(ctx) })
    const waiting = notices.find((notice) => notice.kind === 'exists' && !notice.user.emailVerified)
    if (!waiting) return notices
    const { createEmailVerificationToken } = await import('better-auth/api')
    const { internalAdapter, password } = await auth.$context
    await internalAdapter.updatePassword(waiting.user.id, await password.hash(data.password))
    const token = await createEmailVerificationToken(
      ctx.settings.authSecret,
      data.email,
      undefined,
      24 * 60 * 60,
    )
    return [{ kind: 'verify' as const, user: waiting.user, token }]
  })
}

/**
 * Signs in: a new session id always, and the one this browser had ends. Throws `unauthenticated` for a wrong
 * address or password alike, `forbidden` for an address that is not confirmed (only to who knows the password).
 */
export async function login(ctx: Context, { data }: Given<Login>): Promise<SignedIn> {
  const tries = limits.login(ctx, data.email)
  await spend(ctx, tries)
  const { auth } = await open(ctx, ctx.db)
  const started = Date.now()
  const { headers } = await auth.api
    .signInEmail({ body: data, headers: headersOf(ctx), returnHeaders: true })
    .catch(async (error: unknown) => {
      const code = codeOf(error)
      if (code === 'EMAIL_NOT_VERIFIED') await refund(ctx, tries)
      await until(started + 300)
      throw failureOf(code, error)
    })
  await refund(ctx, tries)
  const session = await begin(ctx, headers, 'replace')
  if (!session) throw new Failure('broken', { cause: new Error('Signing in gave no session.') })
  return session
}

/** Ends the session of this browser. Nothing to end is fine. */
export async function logout(ctx: Context): Promise<Done> {
  await endPresent(ctx)
  ctx.responseHeaders.append('set-cookie', noSessionCookie())
  return done
}

/** Writes a letter that lets the owner of an address choose a new password. The same answer for every address. */
export async function forgot(ctx: Context, { data }: Given<Address>): Promise<Done> {
  await spend(ctx, limits.letter(ctx, data.email))
  await atLeast(300, async () => {
    const { auth, notices } = await open(ctx, ctx.db)
    await auth.api.requestPasswordReset({ body: data, headers: headersOf(ctx) })
    await tell(ctx, notices)
  })
  return done
}

/**
 * Sets a new password with the token of a letter, once. Every session ends and every other such letter is void.
 * The address counts as confirmed: the letter was read. Throws `invalid` (path `token`) for a token that is spent,
 * old or made up.
 */
export async function reset(ctx: Context, { data }: Given<Reset>): Promise<Done> {
  const tries = limits.token(ctx)
  await spend(ctx, tries)
  const notices = await ctx
    .transaction(async (tx) => {
      const { auth, notices } = await open(ctx, tx)
      await auth.api.resetPassword({ body: { token: data.token, newPassword: data.password } })
      for (const { user } of notices) {
        await tx.updateTable('user').set({ emailVerified: true }).where('id', '=', user.id).execute()
        await tx.deleteFrom('verification').where('value', '=', user.id).execute()
      }
      return notices
    })
    .catch((error: unknown) => {
      throw failureOf(codeOf(error), error)
    })
  await refund(ctx, tries)
  if (ctx.actor.session) ctx.responseHeaders.append('set-cookie', noSessionCookie())
  await tell(ctx, notices)
  return done
}

/**
 * Confirms an address with the token of a letter and signs its owner in. `session` null: it was confirmed before,
 * or this browser is signed in as someone else and stays so. Throws `invalid` (path `token`).
 */
export async function confirm(ctx: Context, { data }: Given<Confirm>): Promise<{ session: SignedIn | null }> {
  const tries = limits.token(ctx)
  await spend(ctx, tries)
  const headers = await ctx
    .transaction(async (tx) => {
      const { auth } = await open(ctx, tx)
      const answer = await auth.api.verifyEmail({
        query: { token: data.token },
        headers: headersOf(ctx),
        returnHeaders: true,
      })
      return answer.headers
    })
    .catch((error: unknown) => {
      throw failureOf(codeOf(error), error)
    })
  await refund(ctx, tries)
  return { session: await begin(ctx, headers, 'keep') }
}

/** Writes the letter that confirms an address again. The same answer for every address. */
export async function resend(ctx: Context, { data }: Given<Address>): Promise<Done> {
  await spend(ctx, limits.letter(ctx, data.email))
  const { auth, notices } = await open(ctx, ctx.db)
  await atLeast(600, async () => {
    await auth.api.sendVerificationEmail({ body: data, headers: headersOf(ctx) })
    await tell(ctx, notices)
  })
  return done
}
