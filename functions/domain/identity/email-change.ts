import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { createInputFailure, Failure } from '#functions/errors.ts'
import type { Address, Done, LinkToken, UndoneEmail } from '#functions/shapes/auth.ts'
import type { Tx } from '#db/schema.ts'
import { limits, refund, countAttempt } from './attempts.ts'
import { invalidateConfirmations } from './confirmations.ts'
import { clearSessionCookie } from './cookie.ts'
import { dropApp, me, settleFactors } from './factors.ts'
import { forgetDevices } from './devices.ts'
import { endPending, findTokenSubject, invalidateEmails } from './email-tokens.ts'
import { addressChangedEmail, addressTakenEmail, newAddressEmail, resetEmail } from './emails.ts'
import { createLinkFailure } from './library.ts'
import { recordOwn } from './own-activity.ts'
import { withMinimumDuration } from './pace.ts'

const now = sql<Date>`now()`

/**
 * Sends the email that confirms a new address; nothing changes before its link is followed. The response is
 * the same for an address that has an account; its owner gets a different email. Failure `invalid` (path
 * `email`) for the address the person already has.
 */
export async function change(ctx: Context, { data }: { data: Address }): Promise<Done> {
  const { userId, email: oldEmail } = me(ctx)
  if (data.email === oldEmail) throw createInputFailure('email', 'This is your address already.')
  await countAttempt(ctx, limits.email(ctx, data.email))
  await withMinimumDuration(ctx, 600, async () => {
    const id = crypto.randomUUID()
    const isTaken = await ctx.accounts.transaction(async (tx) => {
      await about(tx, userId)
      await deletePendingChange(tx, userId)
      // Also inserted where the address is taken, so that both take the same time; the link is rejected when
      // followed.
      await tx
        .insertInto('emailChange')
        .values({
          id,
          userId,
          oldEmail,
          newEmail: data.email,
          // The email may be queued for a day, and its link is valid for another.
          expiresAt: sql<Date>`now() + interval '2 days'`,
        })
        .execute()
      return (await readAddressState(tx, data.email)) === 'taken'
    })
    await ctx.sendMail(
      isTaken ? addressTakenEmail(data.email, ctx.settings) : newAddressEmail(data.email, id, ctx.settings),
    )
  })
  return { ok: true }
}

/**
 * Changes the address with the single-use token of the email sent to the new one, in a session of the person
 * who requested it: a link alone would give the account to whoever follows it. Ends every other session and
 * invalidates emails sent to the old address, which is notified and can undo the change for seven days.
 * Failure `invalid` (path `token`), `conflict` for an address that has another account by now.
 */
export async function confirm(ctx: Context, { data }: { data: LinkToken }): Promise<Done> {
  const { userId, sessionId } = me(ctx)
  const tries = limits.token(ctx)
  await countAttempt(ctx, tries)
  const { id, oldEmail, newEmail } = await ctx.accounts.transaction(async (tx) => {
    const user = await lock(tx, userId)
    const text = await findTokenSubject(tx, 'newEmail', data.token)
    if (text === null) throw createLinkFailure()
    await about(tx, text)
    const waiting = await tx
      .selectFrom('emailChange')
      .select(['id', 'userId', 'oldEmail', 'newEmail'])
      .where('id', '=', text)
      .where('confirmedAt', 'is', null)
      .where('expiresAt', '>', now)
      .executeTakeFirst()
    if (!waiting) throw createLinkFailure()
    if (waiting.userId !== userId)
      throw createInputFailure(
        'token',
        'Another account asked for this. Sign in with that one, or ignore the email.',
      )
    if (waiting.oldEmail !== user?.email) throw createLinkFailure()
    await moveTo(tx, userId, waiting.newEmail)
    await tx
      .updateTable('emailChange')
      .set({ confirmedAt: now, expiresAt: sql<Date>`now() + interval '8 days'` })
      .where('id', '=', waiting.id)
      .execute()
    await invalidateEmails(tx, 'newEmail', waiting.id)
    await tx.deleteFrom('session').where('userId', '=', userId).where('id', '!=', sessionId).execute()
    await recordOwn(tx, ctx, userId, 'emailChanged')
    return waiting
  })
  await refund(ctx, tries)
  await ctx.sendMail(addressChangedEmail(oldEmail, newEmail, id, ctx.settings))
  return { ok: true }
}

/**
 * Restores the old address with the token of the email sent there. Ends every session, disables the password
 * and sends an email to the old address to choose another. Later address changes and their emails are
 * invalidated, and second factors and single sign-on identities added since are removed. Failure `invalid`
 * (path `token`), `conflict` where the old address has another account by now.
 */
export async function undo(ctx: Context, { data }: { data: LinkToken }): Promise<UndoneEmail> {
  const tries = limits.token(ctx)
  await countAttempt(ctx, tries)
  const { email, userId } = await ctx.accounts.transaction(async (tx) => {
    const candidate = await undoable(tx, data.token)
    const user = candidate && (await lock(tx, candidate.userId))
    // Checked again under the lock: a link of an earlier address may have been followed meanwhile.
    const emailChange = user && (await undoable(tx, data.token))
    if (!emailChange) throw createLinkFailure()
    const { userId, oldEmail } = emailChange
    if (user.email !== oldEmail) await moveTo(tx, userId, oldEmail)
    await about(tx, userId)
    await tx
      .deleteFrom('emailChange')
      .where('userId', '=', userId)
      .where('createdAt', '>=', emailChange.createdAt)
      .execute()
    await tx.deleteFrom('session').where('userId', '=', userId).execute()
    await tx
      .updateTable('account')
      .set({ password: null, updatedAt: now })
      .where('userId', '=', userId)
      .where('providerId', '=', 'credential')
      .execute()
    await recordOwn(tx, ctx, userId, 'emailRestored')
    await removeCredentialsSince(tx, ctx, userId, emailChange.createdAt)
    await forgetDevices(tx, ctx, userId, { all: true })
    await invalidateEmails(tx, 'undoEmail', emailChange.id)
    return { email: oldEmail, userId }
  })
  await refund(ctx, tries)
  if (ctx.actor.session) ctx.responseHeaders.append('set-cookie', clearSessionCookie(ctx.settings))
  await ctx.sendMail(resetEmail(email, userId, ctx.settings))
  return { email }
}

/** Cancels a pending change of address. The transaction must be the person's or the system actor's. */
export async function cancelEmailChange(tx: Tx, userId: string): Promise<void> {
  await about(tx, userId)
  await deletePendingChange(tx, userId)
}

const deletePendingChange = (tx: Tx, userId: string) =>
  tx.deleteFrom('emailChange').where('userId', '=', userId).where('confirmedAt', 'is', null).execute()

/** Removes single sign-on identities, passkeys and an app that were added since the address changed. */
async function removeCredentialsSince(tx: Tx, ctx: Context, userId: string, since: Date): Promise<void> {
  await tx.deleteFrom('ssoIdentity').where('userId', '=', userId).where('createdAt', '>=', since).execute()
  const insertion = await tx
    .selectFrom('activity')
    .select('id')
    .where('personId', '=', userId)
    .where('verb', '=', 'factorAdded')
    .where('at', '>=', since)
    .executeTakeFirst()
  if (insertion) {
    await dropApp(tx, userId)
    await recordOwn(tx, ctx, userId, 'factorRemoved')
  }
  const passkeys = await tx
    .deleteFrom('passkey')
    .where('userId', '=', userId)
    .where('createdAt', '>=', since)
    .returning('id')
    .execute()
  if (passkeys.length === 0) return
  await settleFactors(tx, userId)
  await recordOwn(tx, ctx, userId, 'passkeyRemoved')
}

/** The confirmed change that the token of an email can undo; undefined: it cannot any more. */
async function undoable(tx: Tx, token: string) {
  const id = await findTokenSubject(tx, 'undoEmail', token)
  if (id === null) return undefined
  await about(tx, id)
  return tx
    .selectFrom('emailChange')
    .select(['id', 'userId', 'oldEmail', 'createdAt'])
    .where('id', '=', id)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst()
}

const lock = (tx: Tx, userId: string) =>
  tx.selectFrom('user').select('email').where('id', '=', userId).forUpdate().executeTakeFirst()

/**
 * Sets a person's address, confirmed by an email sent there. Invalidates links sent to the one before.
 * Failure `conflict` where another account has it.
 */
async function moveTo(tx: Tx, userId: string, email: string): Promise<void> {
  const createTakenError = (cause?: unknown) =>
    new Failure('conflict', { message: 'This address has another account by now.', cause })
  if ((await readAddressState(tx, email)) === 'taken') throw createTakenError()
  // An unconfirmed sign-up does not reserve the address against someone who reads its mail.
  await deleteOpenSignUp(tx, email)
  await tx
    .updateTable('user')
    .set({ email, emailVerified: true, updatedAt: now })
    .where('id', '=', userId)
    .execute()
    .catch((error: unknown) => {
      // Another account was created with it between the two statements.
      throw (error as { code?: unknown }).code === '23505' ? createTakenError(error) : error
    })
  await endPending(tx, userId)
  await invalidateConfirmations(tx, userId)
}

/**
 * Whether an address is `taken` by an account or `open`: unused, or of an unconfirmed sign-up without role or
 * place.
 */
export async function readAddressState(tx: Tx, email: string): Promise<'taken' | 'open'> {
  const holder = await tx
    .selectFrom('user')
    .leftJoin('placeUser', 'placeUser.userId', 'user.id')
    .select(['user.emailVerified', 'user.role', 'placeUser.placeId'])
    .where('user.email', '=', email)
    .forUpdate('user')
    .executeTakeFirst()
  return holder && (holder.emailVerified || holder.role !== null || holder.placeId !== null)
    ? 'taken'
    : 'open'
}

/**
 * Deletes the unconfirmed sign-up with an address that has no role or place. Checks these conditions again,
 * because an account may have got the address since `readAddressState` looked.
 */
export async function deleteOpenSignUp(tx: Tx, email: string): Promise<void> {
  await tx
    .deleteFrom('user')
    .where('email', '=', email)
    .where('emailVerified', '=', false)
    .where('role', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('placeUser').select('placeId').whereRef('placeUser.userId', '=', 'user.id')),
      ),
    )
    .execute()
}

/**
 * Tells row-level security which changes this transaction is about, by the person or by its id: no others are
 * visible.
 */
async function about(tx: Tx, id: string): Promise<void> {
  await sql`select set_config('app.email_change', ${id}, true)`.execute(tx)
}
