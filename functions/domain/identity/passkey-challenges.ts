import type { Context } from '#functions/context.ts'
import { createInputFailure, Failure } from '#functions/errors.ts'
import type { Db, Tx } from '#db/schema.ts'
import { limits, countAttempt } from './attempts.ts'
import { clearPasskeyCookie, passkeyCookieName, tokenFrom } from './cookie.ts'
import { hashText } from './keys.ts'
import { addSigned, findErrorCode, headersInSession, isSignedOut, tokenSet } from './library.ts'
import { readAsPerson } from './own-keys.ts'
import type { PasskeyAuth } from './passkey-auth.ts'

/**
 * Who may answer a challenge, and where: in a session, or in a sign-in between password and second factor.
 */
export interface ChallengeOwner {
  userId: string
  during: string
}

/** A challenge for a signed-in person. */
export const buildSessionOwner = (userId: string, sessionId: string): ChallengeOwner => ({
  userId,
  during: `session ${sessionId}`,
})

/** A challenge between password and second factor; `identifier`: that of the pending second factor. */
export const buildSecondStepOwner = async (userId: string, identifier: string): Promise<ChallengeOwner> => ({
  userId,
  during: `step ${await hashText(identifier)}`,
})

/**
 * Creates a challenge for that person in that session or sign-in, valid for five minutes and one response.
 * Returns the library's response. Failure `forbidden` on a host other than the workspace's, to whose name
 * passkeys are bound.
 */
export async function makeChallenge<T>(
  ctx: Context,
  request: ChallengeOwner,
  make: (auth: PasskeyAuth, headers: Headers) => Promise<{ headers: Headers; response: T }>,
): Promise<T> {
  if (ctx.site.mode !== 'main')
    throw new Failure('forbidden', { message: 'Passkeys are used on the host of the workspace.' })
  await countAttempt(ctx, limits.challenge(ctx))
  const auth = await openWithPasskeys(ctx, ctx.accounts.db)
  const { headers, response } = await make(auth, await headersInSession(ctx)).catch(rethrowSignedOut)
  const set = await tokenSet(ctx, headers, passkeyCookieName(ctx.settings))
  const { internalAdapter } = await auth.$context
  const challenge = set && (await internalAdapter.findVerificationValue(set.token))
  if (!challenge) throw new Failure('broken', { cause: new Error('The library made no challenge.') })
  const { userId: id, during } = request
  const { userData, ...rest } = JSON.parse(challenge.value) as { userData: object }
  const value = JSON.stringify({ ...rest, userData: { ...userData, id }, during })
  await internalAdapter.updateVerificationByIdentifier(set.token, { value })
  ctx.responseHeaders.append('set-cookie', set.cookie)
  return response
}

/**
 * Checks the response to a challenge, in a transaction of that person. The challenge is used up either way.
 * Failure `invalid` (path `passkey`) for an invalid response, and for a challenge of someone else or another
 * session.
 */
export async function answerChallenge<T>(
  ctx: Context,
  request: ChallengeOwner,
  answer: (tx: Tx, auth: PasskeyAuth, headers: Headers) => Promise<T>,
): Promise<T> {
  const name = passkeyCookieName(ctx.settings)
  const token = await tokenFrom(ctx.request.headers, ctx.settings, name)
  ctx.responseHeaders.append('set-cookie', clearPasskeyCookie(ctx.settings))
  if (token === null) throw createTooLateError()
  const headers = await headersInSession(ctx)
  await addSigned(ctx, headers, name)
  try {
    return await ctx.accounts.transaction(async (tx) => {
      await readAsPerson(tx, request.userId)
      const auth = await openWithPasskeys(ctx, tx)
      const { internalAdapter } = await auth.$context
      const verification = await internalAdapter.findVerificationValue(token)
      if (!verification || !isForOwner(verification.value, request)) throw createTooLateError()
      return answer(tx, auth, headers)
    })
  } catch (error) {
    // Use up the challenge again: that was rolled back with the transaction.
    const auth = await openWithPasskeys(ctx, ctx.accounts.db)
    const { internalAdapter } = await auth.$context
    await internalAdapter.deleteVerificationByIdentifier(token)
    if (isSignedOut(error)) return rethrowSignedOut(error)
    throw findErrorCode(error) === null ? error : wrongPasskey(error)
  }
}

/** Failure `invalid` (path `passkey`) for a passkey that is not the person's, or an invalid response. */
export const wrongPasskey = (cause?: unknown): Failure =>
  refusal('This passkey was not accepted. Please try again.', cause)

async function openWithPasskeys({ settings }: Context, db: Db): Promise<PasskeyAuth> {
  const { createPasskeyAuth } = await import('./passkey-auth.ts')
  return createPasskeyAuth(db, settings)
}

/** Failure `unauthenticated` where the session has ended since the request began; rethrows other errors. */
function rethrowSignedOut(error: unknown): never {
  throw isSignedOut(error) ? new Failure('unauthenticated', { cause: error }) : error
}

function createTooLateError(): Failure {
  return refusal('This took too long, or was begun in another window. Please try again.')
}

const refusal = (message: string, cause?: unknown) => createInputFailure('passkey', message, cause)

function isForOwner(value: string, { userId, during }: ChallengeOwner): boolean {
  const content = JSON.parse(value) as { userData?: { id?: unknown }; during?: unknown }
  return content.userData?.id === userId && content.during === during
}
