import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Db, Tx } from '#db/schema.ts'
import { limits, spend } from './attempts.ts'
import { noPasskeyCookie, passkeyCookieName, tokenFrom } from './cookie.ts'
import { hashOf } from './keys.ts'
import { addSigned, codeOf, headersInSession, isSignedOut, tokenSet } from './library.ts'
import { actAs } from './own-keys.ts'
import type { PasskeyAuth } from './passkey-auth.ts'

/** Who answers a challenge, and in what: a session, or a sign-in between password and second step. Nothing else may. */
export interface ChallengeOwner {
  userId: string
  during: string
}

/** A challenge to who is signed in. */
export const inSession = (userId: string, sessionId: string): ChallengeOwner => ({
  userId,
  during: `session ${sessionId}`,
})

/** A challenge to whose password was right; `identifier` of the second step that waits. */
export const betweenSteps = async (userId: string, identifier: string): Promise<ChallengeOwner> => ({
  userId,
  during: `step ${await hashOf(identifier)}`,
})

/**
 * Has the library make a challenge for that person in that session or sign-in, good for five minutes and one answer. Gives what it
 * answers. Throws `forbidden` on a host that is not the workspace's: passkeys belong to its name.
 */
export async function makeChallenge<T>(
  ctx: Context,
  request: ChallengeOwner,
  make: (auth: PasskeyAuth, headers: Headers) => Promise<{ headers: Headers; response: T }>,
): Promise<T> {
  if (ctx.site.mode !== 'main')
    throw new Failure('forbidden', { say: 'Passkeys are used on the host of the workspace.' })
  await spend(ctx, limits.challenge(ctx))
  const auth = await openWithPasskeys(ctx, ctx.accounts.db)
  const { headers, response } = await make(auth, await headersInSession(ctx)).catch(signedOut)
  const set = await tokenSet(ctx, headers, passkeyCookieName(ctx.settings))
  const { internalAdapter } = await auth.$context
  const kept = set && (await internalAdapter.findVerificationValue(set.token))
  if (!kept) throw new Failure('broken', { cause: new Error('The library made no challenge.') })
  const { userId: id, during } = request
  const { userData, ...rest } = JSON.parse(kept.value) as { userData: object }
  const value = JSON.stringify({ ...rest, userData: { ...userData, id }, during })
  await internalAdapter.updateVerificationByIdentifier(set.token, { value })
  ctx.responseHeaders.append('set-cookie', set.cookie)
  return response
}

/**
 * Has the library look at what answers a challenge, in a transaction of that person. The challenge is used up, whatever comes of it.
 * Throws `invalid` (path `passkey`) for what the library refuses, and for the challenge of someone or something else.
 */
export async function answerChallenge<T>(
  ctx: Context,
  request: ChallengeOwner,
  answer: (tx: Tx, auth: PasskeyAuth, headers: Headers) => Promise<T>,
): Promise<T> {
  const name = passkeyCookieName(ctx.settings)
  const token = await tokenFrom(ctx.request.headers, ctx.settings, name)
  ctx.responseHeaders.append('set-cookie', noPasskeyCookie(ctx.settings))
  if (token === null) throw tooLate()
  const headers = await headersInSession(ctx)
  await addSigned(ctx, headers, name)
  try {
    return await ctx.accounts.transaction(async (tx) => {
      await actAs(tx, request.userId)
      const auth = await openWithPasskeys(ctx, tx)
      const { internalAdapter } = await auth.$context
      const kept = await internalAdapter.findVerificationValue(token)
      if (!kept || !isOf(kept.value, request)) throw tooLate()
      return answer(tx, auth, headers)
    })
  } catch (error) {
    // What was used up is rolled back with the rest.
    const auth = await openWithPasskeys(ctx, ctx.accounts.db)
    const { internalAdapter } = await auth.$context
    await internalAdapter.deleteVerificationByIdentifier(token)
    if (isSignedOut(error)) return signedOut(error)
    throw codeOf(error) === null ? error : wrongPasskey(error)
  }
}

/** The refusal of a passkey that is not one of the person's, or whose answer is not right. */
export const wrongPasskey = (cause?: unknown): Failure =>
  refusal('This passkey was not accepted. Please try again.', cause)

async function openWithPasskeys({ settings }: Context, db: Db): Promise<PasskeyAuth> {
  const { createPasskeyAuth } = await import('./passkey-auth.ts')
  return createPasskeyAuth(db, settings)
}

/** The session may have ended since the request began. */
function signedOut(error: unknown): never {
  throw isSignedOut(error) ? new Failure('unauthenticated', { cause: error }) : error
}

function tooLate(): Failure {
  return refusal('This took too long, or was begun in another window. Please try again.')
}

function refusal(message: string, cause?: unknown): Failure {
  return new Failure('invalid', { say: message, issues: [{ path: ['passkey'], message }], cause })
}

function isOf(value: string, { userId, during }: ChallengeOwner): boolean {
  const kept = JSON.parse(value) as { userData?: { id?: unknown }; during?: unknown }
  return kept.userData?.id === userId && kept.during === during
}
