import type { Context } from '#functions/context.ts'
import { createInputFailure, Failure } from '#functions/errors.ts'
import type { ChangedPassword, PasswordChanged } from '#functions/shapes/auth.ts'
import { limits, refund, countAttempt } from './attempts.ts'
import { forgetDevices } from './devices.ts'
import { endPending } from './email-tokens.ts'
import { passwordChangedEmail } from './emails.ts'
import { open } from './library.ts'
import { recordOwn } from './own-activity.ts'
import { listOwnKeys } from './own-keys.ts'
import { listOrganizationNames, requireFreshPassword } from './refused-passwords.ts'

/**
 * Changes the password, which takes the current one. Ends every other session and invalidates emails to
 * choose a password; this browser stays signed in. Keys still work: the response lists them for review.
 * Failure `invalid`: path `current` for a wrong current password, path `password` for a stolen or easily
 * guessed new one.
 */
export async function changePassword(
  ctx: Context,
  { data }: { data: ChangedPassword },
): Promise<PasswordChanged> {
  const { user, session } = ctx.actor
  if (!user) throw new Failure('unauthenticated')
  if (!(await isOwnPassword(ctx, data.current)))
    throw createInputFailure('current', 'The password is not right.')
  const { name, email } = user
  const organizations = await listOrganizationNames(ctx.db, user.id)
  await requireFreshPassword(data.password, { name, email, organizations })
  await ctx.accounts.transaction(async (tx) => {
    const { auth } = await open(ctx, tx)
    const { internalAdapter, password } = await auth.$context
    await internalAdapter.updatePassword(user.id, await password.hash(data.password))
    await tx
      .deleteFrom('session')
      .where('userId', '=', user.id)
      .where('id', '!=', session?.id ?? '')
      .execute()
    await endPending(tx, user.id)
    await forgetDevices(tx, ctx, user.id, { all: false })
    await recordOwn(tx, ctx, user.id, 'passwordChanged')
  })
  const keys = await listOwnKeys(ctx.db, user.id)
  const about = { signedOut: 'every other device' as const, ended: [], kept: keys }
  await ctx.sendMail(passwordChangedEmail(user.email, ctx.settings, about))
  return { ok: true, keys }
}

/**
 * Whether this is the actor's password. Attempts are counted per person, because whoever asks has their
 * session.
 */
export async function isOwnPassword(ctx: Context, password: string): Promise<boolean> {
  const { user } = ctx.actor
  if (!user) throw new Failure('unauthenticated')
  const tries = limits.ownPassword(ctx, user.id)
  await countAttempt(ctx, tries)
  const account = await ctx.db
    .selectFrom('account')
    .select('password')
    .where('userId', '=', user.id)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  if (!account?.password) return false
  const { verifyPassword } = await import('better-auth/crypto')
  const isRight = await verifyPassword({ hash: account.password, password })
  if (isRight) await refund(ctx, tries)
  return isRight
}
