import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Done, SignedIn } from '#functions/shapes/auth.ts'
import type { Proof, SecondStep, StepKinds } from '#functions/shapes/factor.ts'
import type { PasskeyAnswer, PasskeyRequest } from '#functions/shapes/passkey.ts'
import type { Db } from '#db/schema.ts'
import { limits, refund, spend } from './attempts.ts'
import { noSecondStepCookie, secondStepCookieName, tokenFrom } from './cookie.ts'
import { begin, codeOf, headersBetweenSteps, headersInSession, open, type Auth } from './library.ts'
import { isOwnPassword } from './password.ts'
import { recordFailure, recordOwn } from './own-activity.ts'
import { actAs } from './own-keys.ts'
import { betweenSteps, inSession, type ChallengeOwner } from './passkey-challenges.ts'
import { requestPasskey, usePasskey } from './passkey-proof.ts'
import { factorLimits } from './sign-in-limits.ts'
import { codeAsKept } from './recovery-codes.ts'
import { unreadableApp, unreadableCodes } from './unreadable-factor.ts'

/** What gives no password: a code of the app, or one of the recovery codes. */
type Codes = Exclude<SecondStep, { passkey: unknown }>

/**
 * Ends a sign-in whose password was right, with the second factor: only now there is a session. Throws `invalid` (path `code`,
 * `recoveryCode` or `passkey`) for a wrong one, `unauthenticated` (reason `signInAgain`) when it took too long or was tried too often.
 */
export async function secondStep(ctx: Context, { data }: { data: SecondStep }): Promise<SignedIn> {
  const { auth } = await open(ctx, ctx.accounts.db)
  const waiting = await waitingStep(ctx, auth)
  if (waiting === null) throw signInAgain(ctx)
  const { userId } = waiting
  const tries = await factorLimits(ctx, userId)
  await spend(ctx, tries)
  const verified =
    'passkey' in data
      ? signInByPasskey(ctx, waiting, data.passkey)
      : verify(ctx, auth, userId, data, await headersBetweenSteps(ctx))
  const headers = await verified.catch(async (error: unknown) => {
    // Someone knows the password.
    if (error instanceof Failure && error.kind === 'invalid') await recordFailure(ctx, { id: userId })
    throw error
  })
  await refund(ctx, tries)
  const session = await begin(ctx, headers)
  if (!session) throw new Failure('broken', { cause: new Error('The second step gave no session.') })
  await ctx.accounts.transaction((tx) => recordOwn(tx, ctx, userId, 'signedIn'))
  ctx.responseHeaders.append('set-cookie', noSecondStepCookie(ctx.settings))
  return session
}

/** With what the second step can be done of the sign-in that waits in this browser. */
export async function stepKinds(ctx: Context): Promise<StepKinds> {
  const { auth } = await open(ctx, ctx.accounts.db)
  const step = await waitingStep(ctx, auth)
  if (step === null) return { waiting: null }
  const { userId } = step
  return ctx.accounts.transaction(async (tx) => {
    await actAs(tx, userId)
    const passkey = await tx
      .selectFrom('passkey')
      .select('id')
      .where('userId', '=', userId)
      .executeTakeFirst()
    return { waiting: { app: await hasApp({ db: tx }, userId), passkey: passkey !== undefined } }
  })
}

/**
 * Asks for a passkey of the person whose password was right in this browser. Throws `conflict` where they have none, `unauthenticated`
 * (reason `signInAgain`) when it took too long.
 */
export async function challengeBetweenSteps(ctx: Context): Promise<PasskeyRequest> {
  const { auth } = await open(ctx, ctx.accounts.db)
  const waiting = await waitingStep(ctx, auth)
  if (waiting === null) throw signInAgain(ctx)
  return requestPasskey(ctx, await betweenSteps(waiting.userId, waiting.identifier))
}

/** Begins a session by a passkey. The second step that waited is over with it: another answer in the same sign-in begins none. */
async function signInByPasskey(ctx: Context, waiting: Waiting, answer: PasskeyAnswer): Promise<Headers> {
  const { userId, identifier } = waiting
  return usePasskey(ctx, await betweenSteps(userId, identifier), answer, async (_tx, { headers, auth }) => {
    const { internalAdapter } = await auth.$context
    if (!(await internalAdapter.consumeVerificationValue(identifier))) throw signInAgain(ctx)
    return headers
  })
}

/** Checks a passkey of who is signed in. The session that the library begins with it is not wanted: the present one stays. */
async function checkPasskey(ctx: Context, request: ChallengeOwner, answer: PasskeyAnswer): Promise<void> {
  await usePasskey(ctx, request, answer, async (tx, { sessionId }) => {
    await tx.deleteFrom('session').where('id', '=', sessionId).execute()
  })
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
    if ('passkey' in data) await checkPasskey(ctx, inSession(user.id, session.id), data.passkey)
    else await verify(ctx, auth, user.id, data, await headersInSession(ctx))
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

/** A sign-in whose password was right some minutes ago. */
interface Waiting {
  identifier: string
  userId: string
}

/** The second step that waits in this browser; null: none does, or it is too long ago. */
async function waitingStep(ctx: Context, auth: Auth): Promise<Waiting | null> {
  const identifier = await tokenFrom(ctx.request.headers, ctx.settings, secondStepCookieName(ctx.settings))
  if (identifier === null) return null
  const { internalAdapter } = await auth.$context
  const waiting = await internalAdapter.findVerificationValue(identifier)
  return waiting && waiting.expiresAt > ctx.now() ? { identifier, userId: waiting.value } : null
}

/** Has the library check a code, for the session or the second step that the headers name. Gives what it answers to the browser. */
async function verify(
  ctx: Context,
  auth: Auth,
  userId: string,
  data: Codes,
  headers: Headers,
): Promise<Headers> {
  if ('code' in data) {
    await spendCode(ctx, userId, data.code)
    // The library would take the code of an app that is only being set up, and count that as its confirmation.
    if (!(await hasApp(ctx.accounts, userId))) throw wrong('code', 'There is no authenticator app.')
  }
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
    if (code === 'INVALID_CODE' || code === 'INVALID_BACKUP_CODE')
      throw wrongCode('code' in data ? 'code' : 'recoveryCode', error)
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

const nameOf = (data: SecondStep) =>
  'passkey' in data ? 'passkey' : 'code' in data ? 'code' : 'recoveryCode'

async function hasApp({ db }: { db: Db }, userId: string): Promise<boolean> {
  const app = await db
    .selectFrom('twoFactor')
    .select('id')
    .where('userId', '=', userId)
    .where('verified', '=', true)
    .executeTakeFirst()
  return app !== undefined
}

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
