import type { Context } from '#functions/context.ts'
import { createInputFailure, Failure } from '#functions/errors.ts'
import type { Done, SignedIn } from '#functions/shapes/auth.ts'
import type { Proof, SecondStep, StepKinds } from '#functions/shapes/factor.ts'
import type { PasskeyAnswer, PasskeyRequest } from '#functions/shapes/passkey.ts'
import type { Db } from '#db/schema.ts'
import { limits, refund, countAttempt } from './attempts.ts'
import { clearSecondStepCookie, secondStepCookieName, tokenFrom } from './cookie.ts'
import { begin, findErrorCode, headersBetweenSteps, headersInSession, open, type Auth } from './library.ts'
import { isOwnPassword } from './password.ts'
import { recordFailure, recordOwn } from './own-activity.ts'
import { readAsPerson } from './own-keys.ts'
import { buildSecondStepOwner, buildSessionOwner, type ChallengeOwner } from './passkey-challenges.ts'
import { requestPasskey, usePasskey } from './passkey-proof.ts'
import { factorLimits } from './sign-in-limits.ts'
import { codeAsKept } from './recovery-codes.ts'
import { unreadableApp, unreadableCodes } from './unreadable-factor.ts'

/** A code of the app, or a recovery code. */
type Codes = Exclude<SecondStep, { passkey: unknown }>

/**
 * Completes a sign-in with the second factor; the session is only created now. Failure `invalid` (path
 * `code`, `recoveryCode` or `passkey`) for a wrong one, `unauthenticated` (reason `signInAgain`) after too
 * long or too many attempts.
 */
export async function secondStep(ctx: Context, { data }: { data: SecondStep }): Promise<SignedIn> {
  const { auth } = await open(ctx, ctx.accounts.db)
  const waiting = await findPendingSignIn(ctx, auth)
  if (waiting === null) throw signInAgain(ctx)
  const { userId } = waiting
  const tries = await factorLimits(ctx, userId)
  await countAttempt(ctx, tries)
  const verification =
    'passkey' in data
      ? signInByPasskey(ctx, waiting, data.passkey)
      : verify(ctx, auth, userId, data, await headersBetweenSteps(ctx))
  const headers = await verification.catch(async (error: unknown) => {
    // Recorded because someone knows the password.
    if (error instanceof Failure && error.kind === 'invalid') await recordFailure(ctx, { id: userId })
    throw error
  })
  await refund(ctx, tries)
  const session = await begin(ctx, headers)
  if (!session) throw new Failure('broken', { cause: new Error('The second step gave no session.') })
  await ctx.accounts.transaction((tx) => recordOwn(tx, ctx, userId, 'signedIn'))
  ctx.responseHeaders.append('set-cookie', clearSecondStepCookie(ctx.settings))
  return session
}

/** The kinds of second factor available for the pending sign-in of this browser. */
export async function stepKinds(ctx: Context): Promise<StepKinds> {
  const { auth } = await open(ctx, ctx.accounts.db)
  const step = await findPendingSignIn(ctx, auth)
  if (step === null) return { waiting: null }
  const { userId } = step
  return ctx.accounts.transaction(async (tx) => {
    await readAsPerson(tx, userId)
    const passkey = await tx
      .selectFrom('passkey')
      .select('id')
      .where('userId', '=', userId)
      .executeTakeFirst()
    return { waiting: { app: await hasApp({ db: tx }, userId), passkey: passkey !== undefined } }
  })
}

/**
 * Starts the second factor by passkey for the pending sign-in of this browser. Failure `conflict` where the
 * person has none, `unauthenticated` (reason `signInAgain`) when it took too long.
 */
export async function challengeBetweenSteps(ctx: Context): Promise<PasskeyRequest> {
  const { auth } = await open(ctx, ctx.accounts.db)
  const waiting = await findPendingSignIn(ctx, auth)
  if (waiting === null) throw signInAgain(ctx)
  return requestPasskey(ctx, await buildSecondStepOwner(waiting.userId, waiting.identifier))
}

/**
 * Creates a session by a passkey. Consumes the pending second factor, so that another response in the same
 * sign-in creates none.
 */
async function signInByPasskey(
  ctx: Context,
  waiting: PendingSignIn,
  answer: PasskeyAnswer,
): Promise<Headers> {
  const { userId, identifier } = waiting
  return usePasskey(
    ctx,
    await buildSecondStepOwner(userId, identifier),
    answer,
    async (_tx, { headers, auth }) => {
      const { internalAdapter } = await auth.$context
      if (!(await internalAdapter.consumeVerificationValue(identifier))) throw signInAgain(ctx)
      return headers
    },
  )
}

/**
 * Checks a passkey of a signed-in person. Deletes the session that the library creates with it; the current
 * one stays.
 */
async function checkPasskey(ctx: Context, request: ChallengeOwner, answer: PasskeyAnswer): Promise<void> {
  await usePasskey(ctx, request, answer, async (tx, { sessionId }) => {
    await tx.deleteFrom('session').where('id', '=', sessionId).execute()
  })
}

/**
 * Re-authenticates the person: for ten minutes this session may do what requires it. Takes the second factor
 * where there is one, otherwise the password. Failure `invalid` with the path of what is wrong.
 */
export async function prove(ctx: Context, { data }: { data: Proof }): Promise<Done> {
  const { user, session } = ctx.actor
  if (!user || !session)
    throw new Failure('forbidden', { message: 'This takes a session: sign in with a browser.' })
  if ('password' in data) {
    if (await hasFactor(ctx, user.id))
      throw createInputFailure('password', 'Please give a code of your second factor.')
    if (!(await isOwnPassword(ctx, data.password)))
      throw createInputFailure('password', 'The password is not right.')
  } else {
    const tries = limits.factor(ctx, user.id)
    await countAttempt(ctx, tries)
    const { auth } = await open(ctx, ctx.accounts.db)
    if (!(await hasFactor(ctx, user.id)))
      throw createInputFailure(getFactorName(data), 'There is no second factor: please give the password.')
    if ('passkey' in data) await checkPasskey(ctx, buildSessionOwner(user.id, session.id), data.passkey)
    else await verify(ctx, auth, user.id, data, await headersInSession(ctx))
    await refund(ctx, tries)
  }
  await ctx.db.updateTable('session').set({ provedAt: ctx.now() }).where('id', '=', session.id).execute()
  return { ok: true }
}

/**
 * Marks a code of the app as used, so that someone who saw it cannot reuse it in the two minutes of its
 * validity. Failure `invalid` (path `code`) for a used one.
 */
export async function consumeCode(ctx: Context, userId: string, code: string): Promise<void> {
  await countAttempt(ctx, limits.code(userId, code)).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.kind !== 'tooMany') throw error
    throw createInputFailure('code', 'This code was tried already. Please wait for the next one.', error)
  })
}

/** Failure `invalid` for a wrong code. */
export function wrongCode(name: 'code' | 'recoveryCode', cause: unknown): Failure {
  const message =
    name === 'code' ? 'The code is not right.' : 'This recovery code is not right, or has been used.'
  return createInputFailure(name, message, cause)
}

/** A sign-in with a correct password that waits for its second factor. */
interface PendingSignIn {
  identifier: string
  userId: string
}

/** The pending second factor of this browser; null: there is none, or it has expired. */
async function findPendingSignIn(ctx: Context, auth: Auth): Promise<PendingSignIn | null> {
  const identifier = await tokenFrom(ctx.request.headers, ctx.settings, secondStepCookieName(ctx.settings))
  if (identifier === null) return null
  const { internalAdapter } = await auth.$context
  const waiting = await internalAdapter.findVerificationValue(identifier)
  return waiting && waiting.expiresAt > ctx.now() ? { identifier, userId: waiting.value } : null
}

/**
 * Lets the library check a code, for the session or sign-in in the headers. Returns the headers of its
 * response.
 */
async function verify(
  ctx: Context,
  auth: Auth,
  userId: string,
  data: Codes,
  headers: Headers,
): Promise<Headers> {
  if ('code' in data) {
    await consumeCode(ctx, userId, data.code)
    // The library would also accept the code of a pending enrolment, and confirm that by it.
    if (!(await hasApp(ctx.accounts, userId)))
      throw createInputFailure('code', 'There is no authenticator app.')
  }
  const answer =
    'code' in data
      ? auth.api.verifyTOTP({ body: { code: data.code }, headers, returnHeaders: true })
      : auth.api.verifyBackupCode({
          body: { code: await readStoredCode(ctx, userId, data.recoveryCode) },
          headers,
          returnHeaders: true,
        })
  try {
    return (await answer).headers
  } catch (error) {
    const code = findErrorCode(error) ?? ''
    if (code === 'INVALID_CODE' || code === 'INVALID_BACKUP_CODE')
      throw wrongCode('code' in data ? 'code' : 'recoveryCode', error)
    if (code === 'ACCOUNT_TEMPORARILY_LOCKED')
      throw new Failure('tooMany', {
        message: 'Too many tries. Please wait a little and try again.',
        cause: error,
      })
    if (endCodes.includes(code)) throw signInAgain(ctx, error)
    // The stored codes were changed meanwhile, by another sign-in or by being re-encrypted. The library has
    // dropped the pending sign-in then.
    if (isConflict(error)) {
      if (!ctx.actor.session) throw signInAgain(ctx, error)
      throw new Failure('conflict', {
        message: 'Something else came in between. Please try again.',
        cause: error,
      })
    }
    throw (await unreadableApp(ctx, userId, error)) ?? error
  }
}

/** The stored form of a person's recovery code; as typed where none are stored. */
async function readStoredCode(ctx: Context, userId: string, code: string): Promise<string> {
  const factor = await ctx.accounts.db
    .selectFrom('twoFactor')
    .select('backupCodes')
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!factor) return code
  const restOfCodes = await codeAsKept(ctx.settings, factor.backupCodes, code)
  if (restOfCodes === null) throw unreadableCodes(ctx)
  return restOfCodes
}

/** Error codes of the library for a pending sign-in that has ended. */
const endCodes = ['INVALID_TWO_FACTOR_COOKIE', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE', 'TOTP_NOT_ENABLED']

const isConflict = (error: unknown) =>
  error instanceof Error && 'status' in error && error.status === 'CONFLICT'

const getFactorName = (data: SecondStep) =>
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
  ctx.responseHeaders.append('set-cookie', clearSecondStepCookie(ctx.settings))
  const message = 'Please sign in again: the second step took too long, or was tried too often.'
  return new Failure('unauthenticated', { message, reason: 'signInAgain', cause })
}
