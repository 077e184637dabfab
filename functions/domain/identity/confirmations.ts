import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { createInputFailure } from '#functions/errors.ts'
import type { Address, Confirm, Done, SignedIn } from '#functions/shapes/auth.ts'
import type { Tx } from '#db/schema.ts'
import { limits, refund, countAttempt } from './attempts.ts'
import { clearSignUpCookie, sessionCookie, signUpSecretFrom } from './cookie.ts'
import { findTokenSubject, invalidateEmails } from './email-tokens.ts'
import { hashText } from './keys.ts'
import { verificationEmail } from './emails.ts'
import { recordOwn } from './own-activity.ts'
import { newSession, open, start, createLinkFailure } from './library.ts'
import { withMinimumDuration } from './pace.ts'
import { emailLimits } from './sign-in-limits.ts'

/**
 * Locks a person with an unconfirmed address until the transaction ends, so that signing up again, confirming
 * and resetting a password are serialised. False: the address is confirmed, or the person was deleted.
 */
export async function lockUnconfirmed(tx: Tx, userId: string): Promise<boolean> {
  const user = await tx
    .selectFrom('user')
    .select('emailVerified')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return user?.emailVerified === false
}

/**
 * Registers a new confirmation of a person's address, replacing earlier ones; the link is created when its
 * email is sent. `secret`: that of the browser that signs up; null keeps the browser of the same sign-up when
 * only the email is sent again.
 */
export async function renewConfirmation(tx: Tx, userId: string, secret: string | null): Promise<void> {
  const browserHash = secret === null ? null : await hashText(secret)
  await invalidateEmails(tx, 'confirmation', userId)
  await about(tx, userId)
  const createdAt = sql<Date>`now()`
  await tx
    .insertInto('confirmation')
    .values({ userId, browserHash, createdAt })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ createdAt, ...(secret !== null && { browserHash }) }),
    )
    .execute()
}

/** Invalidates every link that confirms a person's address. */
export async function invalidateConfirmations(tx: Tx, userId: string): Promise<void> {
  await invalidateEmails(tx, 'confirmation', userId)
  await about(tx, userId)
  await tx.deleteFrom('confirmation').where('userId', '=', userId).execute()
}

/**
 * Confirms an address with the token of an email and signs its owner in. The link alone is not enough:
 * whoever signs up last with an address chooses its password, and the owner might follow the link of someone
 * else's sign-up. So it also takes the browser that signed up (by its cookie) or the password chosen there:
 * otherwise Failure `invalid` (path `password`), which leaves the token valid. `session` null: this browser
 * is signed in as someone else and stays so. Failure `invalid` (path `token`) for an invalid link.
 */
export async function confirm(
  ctx: Context,
  { data }: { data: Confirm },
): Promise<{ session: SignedIn | null }> {
  const tries = limits.token(ctx)
  await countAttempt(ctx, tries)
  const waiting = await ctx.accounts.transaction((tx) => findConfirmation(tx, data.token))
  if (!waiting) throw createLinkFailure()
  await refund(ctx, tries)
  const secret = signUpSecretFrom(ctx.request.headers, ctx.settings)
  const isSameBrowser = secret !== null && (await hashText(secret)) === waiting.browserHash
  if (isSameBrowser) return finish(ctx, waiting.userId, data.token, null)
  if (data.password === undefined) throw createPasswordError(askForPassword)
  const guesses = limits.ownPassword(ctx, waiting.userId)
  await countAttempt(ctx, guesses)
  const result = await finish(ctx, waiting.userId, data.token, data.password)
  await refund(ctx, guesses)
  return result
}

/** Uses up the link. Ends earlier sessions: nobody had shown whose address it is. */
async function finish(ctx: Context, userId: string, token: string, typedPassword: string | null) {
  const isSomeoneElse = ctx.actor.user !== null && ctx.actor.user.id !== userId
  const session = await ctx.accounts.transaction(async (tx) => {
    const { auth } = await open(ctx, tx)
    const { password } = await auth.$context
    // A later sign-up may have replaced the link and its password meanwhile.
    if (!(await lockUnconfirmed(tx, userId)) || !(await findConfirmation(tx, token)))
      throw createLinkFailure()
    if (typedPassword !== null) {
      const { password: hash } = await tx
        .selectFrom('account')
        .select('password')
        .where('userId', '=', userId)
        .where('providerId', '=', 'credential')
        .executeTakeFirstOrThrow()
      if (!hash || !(await password.verify({ hash, password: typedPassword })))
        throw createPasswordError(wrongPassword)
    }
    const now = sql<Date>`now()`
    await tx
      .updateTable('user')
      .set({ emailVerified: true, updatedAt: now })
      .where('id', '=', userId)
      .execute()
    await invalidateConfirmations(tx, userId)
    await tx.deleteFrom('session').where('userId', '=', userId).execute()
    await tx
      .updateTable('apiKey')
      .set({ revokedAt: now })
      .where('userId', '=', userId)
      .where('revokedAt', 'is', null)
      .execute()
    if (isSomeoneElse) return null
    await recordOwn(tx, ctx, userId, 'signedIn')
    return newSession(auth, ctx, userId)
  })
  ctx.responseHeaders.append('set-cookie', clearSignUpCookie(ctx.settings))
  if (!session) return { session: null }
  const cookie = await sessionCookie(session.token, ctx.settings)
  return { session: await start(ctx, session, cookie) }
}

/**
 * Sends the confirmation email again, which invalidates the link before. The response is the same for every
 * address.
 */
export async function resend(ctx: Context, { data }: { data: Address }): Promise<Done> {
  await countAttempt(ctx, await emailLimits(ctx, data.email))
  await withMinimumDuration(ctx, 600, async () => {
    const userId = await ctx.accounts.transaction(async (tx) => {
      const user = await tx
        .selectFrom('user')
        .select('id')
        .where('email', '=', data.email)
        .where('emailVerified', '=', false)
        .executeTakeFirst()
      if (!user || !(await lockUnconfirmed(tx, user.id))) return null
      await renewConfirmation(tx, user.id, null)
      return user.id
    })
    if (userId !== null) await ctx.sendMail(verificationEmail(data.email, userId, ctx.settings))
  })
  return { ok: true }
}

/** The valid confirmation with this token, with its person; undefined for an invalid token. */
async function findConfirmation(tx: Tx, token: string) {
  const userId = await findTokenSubject(tx, 'confirmation', token)
  if (userId === null) return undefined
  await about(tx, userId)
  return tx
    .selectFrom('confirmation')
    .innerJoin('user', 'user.id', 'confirmation.userId')
    .select(['confirmation.userId', 'confirmation.browserHash', 'user.email'])
    .where('confirmation.userId', '=', userId)
    .executeTakeFirst()
}

/** Tells row-level security whose sign-up this transaction is about: no other rows are visible. */
async function about(tx: Tx, userId: string): Promise<void> {
  await sql`select set_config('app.confirmation', ${userId}, true)`.execute(tx)
}

const wayOut = 'If you do not know it, choose a new one by “Forgot password”: that confirms the address too.'
const askForPassword = `Type the password you chose when you signed up. ${wayOut}`
const wrongPassword = `This is not the password of the newest sign-up with this address. ${wayOut}`

const createPasswordError = (message: string) => createInputFailure('password', message)
