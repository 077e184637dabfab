import { toNetwork } from '#functions/platform/rate-limit-key.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { LinkToken, Done } from '#functions/shapes/auth.ts'
import { forgetTries, isOver, limits, refund, countAttempt, countAttemptWithBackoff } from './attempts.ts'
import { findKnownDevice, rememberDevice } from './devices.ts'
import { findTokenSubject, invalidateEmails } from './email-tokens.ts'
import { deviceEmail } from './emails.ts'
import { createLinkFailure } from './library.ts'
import { readAsPerson } from './own-keys.ts'
import { withMinimumDuration } from './pace.ts'

/** An attempt to sign in that was allowed. */
interface SignInAttempt {
  /** Uncounts the attempt after a success. */
  succeeded(): Promise<void>
}

/**
 * Checks the rate limits of an attempt to sign in. A browser that has signed in with the address before is
 * counted separately, so that others cannot block it. Other attempts are counted per network: Failure
 * `tooMany` with growing delays. After more than a hundred failures of unknown browsers within an hour, from
 * anywhere, unknown browsers get Failure `unauthenticated` (reason `newDevice`) whatever the password, and
 * the address gets an email that lets a browser in. All the same for an address without an account.
 */
export async function startSignIn(ctx: Context, email: string): Promise<SignInAttempt> {
  const device = await findKnownDevice(ctx, { email })
  if (device !== null) {
    const counter = limits.signInFrom(`${email} ${device}`)
    await countAttemptWithBackoff(ctx, counter)
    return { succeeded: () => forgetTries(ctx, counter) }
  }
  const counter = limits.signInFrom(`${email} ${toNetwork(ctx.request.ip) ?? 'unknown'}`)
  await countAttemptWithBackoff(ctx, counter)
  const sharedLimits = limits.login(ctx)
  await countAttempt(ctx, sharedLimits)
  const failures = limits.failures(email)
  if (await isOver(ctx, failures)) {
    await withMinimumDuration(ctx, 300, () => offerLink(ctx, email))
    throw new Failure('unauthenticated', { message: needsLink, reason: 'newDevice' })
  }
  return {
    async succeeded() {
      await refund(ctx, [...sharedLimits, failures])
      await forgetTries(ctx, counter)
    },
  }
}

const needsLink =
  'There were many failed sign-ins with this address. A browser that has not signed in with it before needs a link first: if the address has an account, it is in an email to it. Open the link in this browser, then sign in.'

/** Sends the email that lets a browser in, a few times an hour at most, if there is a confirmed account. */
async function offerLink(ctx: Context, email: string): Promise<void> {
  if (await isOver(ctx, limits.newDeviceEmail(email))) return
  const user = await ctx.db
    .selectFrom('user')
    .select('id')
    .where('email', '=', email)
    .where('emailVerified', '=', true)
    .executeTakeFirst()
  if (user) await ctx.sendMail(deviceEmail(email, user.id, ctx.settings))
}

/**
 * Lets this browser try to sign in with the token's address like one that has signed in before. It does not
 * sign in. Failure `invalid` (path `token`) for one that was used, has expired or is forged.
 */
export async function allowDevice(ctx: Context, { data }: { data: LinkToken }): Promise<Done> {
  const tries = limits.token(ctx)
  await countAttempt(ctx, tries)
  await ctx.transaction(async (tx) => {
    const userId = await findTokenSubject(tx, 'device', data.token)
    if (userId === null) throw createLinkFailure()
    await readAsPerson(tx, userId)
    await invalidateEmails(tx, 'device', userId)
    await rememberDevice(tx, ctx, userId)
  })
  await refund(ctx, tries)
  return { ok: true }
}

/**
 * The rate limits for requesting an email: a browser that has signed in with the address before has its own,
 * which strangers cannot use up.
 */
export async function emailLimits(ctx: Context, email: string) {
  const device = await findKnownDevice(ctx, { email })
  return device === null ? limits.email(ctx, email) : limits.emailFrom(`${email} ${device}`)
}

/**
 * The rate limits for second factor codes: a browser from which the person has signed in before is counted
 * separately.
 */
export async function factorLimits(ctx: Context, userId: string) {
  const device = await findKnownDevice(ctx, { id: userId })
  return limits.factor(ctx, device === null ? userId : `${userId} ${device}`)
}
