import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Done, SignedIn } from '#functions/shapes/auth.ts'
import type { Proof, SecondStep } from '#functions/shapes/factor.ts'
import { limits, refund, spend } from './attempts.ts'
import { noSecondStepCookie, secondStepCookieName, tokenFrom } from './cookie.ts'
import { begin, codeOf, headersBetweenSteps, headersInSession, open, type Auth } from './library.ts'
import { isOwnPassword } from './password.ts'
import { recordFailure, recordOwn } from './own-activity.ts'
import { factorLimits } from './sign-in-limits.ts'
import { codeAsKept } from './recovery-codes.ts'
import { unreadableApp, unreadableCodes } from './unreadable-factor.ts'

/**
 * Ends a sign-in whose password was right, with the second factor: only now there is a session. Throws `invalid` (path `code`
 * or `recoveryCode`) for a wrong one, `unauthenticated` (reason `signInAgain`) when it took too long or was tried too often.
 */
export async function secondStep(ctx: Context, { data }: { data: SecondStep }): Promise<SignedIn> {
  const { auth } = await open(ctx, ctx.accounts.db)
  const userId = await waitingUser(ctx, auth)
  if (userId === null) throw signInAgain(ctx)
  const tries = await factorLimits(ctx, userId)
  await spend(ctx, tries)
  const headers = await verify(ctx, auth, userId, data, await headersBetweenSteps(ctx)).catch(
    async (error: unknown) => {
      // Someone knows the password.
      if (error instanceof Failure && error.kind === 'invalid') await recordFailure(ctx, { id: userId })
      throw error
    },
  )
  await refund(ctx, tries)
  const session = await begin(ctx, headers)
  if (!session) throw new Failure('broken', { cause: new Error('The second step gave no session.') })
  await ctx.accounts.transaction((tx) => recordOwn(tx, ctx, userId, 'signedIn'))
  ctx.responseHeaders.append('set-cookie', noSecondStepCookie(ctx.settings))
  return session
}

/**
 * Proves once more that it is the person: for ten minutes what takes such a proof may be done in this session. Who has a
 * second factor gives that, else the password. Throws `invalid` with the path of what is wrong.
 */
export async function prove(ctx: Context, { data }: { data: Proof }): Promise<Done> {
  const { user, session } = ctx.actor
  if (!user || !session)
    throw new Failure('forbidden', { say: 'This takes a session: sign in with a browser.' })
  if ('password' in data) {
    if (await hasFactor(ctx, user.id)) throw wrong('password', 'Please give a code of your second factor.')
    if (!(await isOwnPassword(ctx, data.password))) throw wrong('password', 'The password is not right.')
  } else {
    const tries = limits.factor(ctx, user.id)
    await spend(ctx, tries)
    const { auth } = await open(ctx, ctx.accounts.db)
    if (!(await hasFactor(ctx, user.id)))
      throw wrong(nameOf(data), 'There is no second factor: please give the password.')
    await verify(ctx, auth, user.id, data, await headersInSession(ctx))
    await refund(ctx, tries)
  }
  await ctx.db.updateTable('session').set({ provedAt: ctx.now() }).where('id', '=', session.id).execute()
  return { ok: true }
}

/**
 * Counts a code of the app as used: whoever saw it being typed cannot use it in the two minutes that it would be good for,
 * and no code is guessed at twice. Throws `invalid` (path `code`).
 */
export async function spendCode(ctx: Context, userId: string, code: string): Promise<void> {
  await spend(ctx, limits.code(userId, code)).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.kind !== 'tooMany') throw error
    throw wrong('code', 'This code was tried already. Please wait for the next one.', error)
  })
}

/** The refusal of a code that is not right. */
export function wrongCode(name: 'code' | 'recoveryCode', cause: unknown): Failure {
  const message =
    name === 'code' ? 'The code is not right.' : 'This recovery code is not right, or has been used.'
  return wrong(name, message, cause)
}

/** The person whose password was right in this browser some minutes ago; null: nobody, or it is too long ago. */
async function waitingUser(ctx: Context, auth: Auth): Promise<string | null> {
  const identifier = await tokenFrom(ctx.request.headers, ctx.settings, secondStepCookieName(ctx.settings))
  if (identifier === null) return null
  const { internalAdapter } = await auth.$context
  const waiting = await internalAdapter.findVerificationValue(identifier)
  return waiting && waiting.expiresAt > ctx.now() ? waiting.value : null
}

/** Has the library check a code, for the session or the second step that the headers name. Gives what it answers to the browser. */
async function verify(
  ctx: Context,
  auth: Auth,
  userId: string,
  data: SecondStep,
  headers: Headers,
): Promise<Headers> {
  if ('code' in data) await spendCode(ctx, userId, data.code)
  const answer =
    'code' in data
      ? auth.api.verifyTOTP({ body: { code: data.code }, headers, returnHeaders: true })
      : auth.api.verifyBackupCode({
          body: { code: await keptCode(ctx, userId, data.recoveryCode) },
          headers,
          returnHeaders: true,
        })
  try {
    return (await answer).headers
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === 'INVALID_CODE' || code === 'INVALID_BACKUP_CODE') throw wrongCode(nameOf(data), error)
    if (code === 'ACCOUNT_TEMPORARILY_LOCKED')
      throw new Failure('tooMany', {
        say: 'Too many tries. Please wait a little and try again.',
        cause: error,
      })
    if (ended.includes(code)) throw signInAgain(ctx, error)
    // The stored codes were changed between being read and the used one taken out, by another sign-in or by being sealed anew. The
    // library has forgotten the step then.
    if (isConflict(error)) {
      if (!ctx.actor.session) throw signInAgain(ctx, error)
      throw new Failure('conflict', {
        say: 'Something else came in between. Please try again.',
        cause: error,
      })
    }
    throw (await unreadableApp(ctx, userId, error)) ?? error
  }
}

/** A recovery code as it is stored of the person; as it was typed where none are stored. */
async function keptCode(ctx: Context, userId: string, code: string): Promise<string> {
  const factor = await ctx.accounts.db
    .selectFrom('twoFactor')
    .select('backupCodes')
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!factor) return code
  const kept = await codeAsKept(ctx.settings, factor.backupCodes, code)
  if (kept === null) throw unreadableCodes(ctx)
  return kept
}

/** What the library says of a second step that is over. */
const ended = ['INVALID_TWO_FACTOR_COOKIE', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE', 'TOTP_NOT_ENABLED']

const isConflict = (error: unknown) =>
  error instanceof Error && 'status' in error && error.status === 'CONFLICT'

const nameOf = (data: SecondStep) => ('code' in data ? 'code' : 'recoveryCode')

async function hasFactor({ db }: Context, userId: string): Promise<boolean> {
  const { twoFactorEnabled } = await db
    .selectFrom('user')
    .select('twoFactorEnabled')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return twoFactorEnabled
}

function signInAgain(ctx: Context, cause?: unknown): Failure {
  ctx.responseHeaders.append('set-cookie', noSecondStepCookie(ctx.settings))
  const say = 'Please sign in again: the second step took too long, or was tried too often.'
  return new Failure('unauthenticated', { say, reason: 'signInAgain', cause })
}

function wrong(name: string, message: string, cause?: unknown): Failure {
  return new Failure('invalid', { say: message, issues: [{ path: [name], message }], cause })
}
