import { requireStepUp } from '#functions/domain/access/step-up.ts'
import type { Context } from '#functions/context.ts'
import { createInputFailure, Failure } from '#functions/errors.ts'
import type { Done } from '#functions/shapes/auth.ts'
import type {
  BegunFactor,
  FactorState,
  FirstCode,
  NewFactor,
  RecoveryCodes,
} from '#functions/shapes/factor.ts'
import type { Tx } from '#db/schema.ts'
import { limits, refund, countAttempt } from './attempts.ts'
import { endPending } from './email-tokens.ts'
import { factorEmail } from './emails.ts'
import { begin, findErrorCode, headersInSession, isSignedOut, open } from './library.ts'
import { recordOwn } from './own-activity.ts'
import { codesLeftIn, newRecoveryCodes } from './recovery-codes.ts'
import { consumeCode, wrongCode } from './second-step.ts'
import { unreadableApp } from './unreadable-factor.ts'

const ok: Done = { ok: true }

/** Whether the person has a second factor, must have one, and how many unused recovery codes there are. */
export async function find(ctx: Context): Promise<FactorState> {
  const { userId } = me(ctx)
  const [user, factor] = await Promise.all([
    ctx.db
      .selectFrom('user')
      .select(['role', 'twoFactorEnabled'])
      .select((eb) =>
        eb
          .exists(eb.selectFrom('passkey').select('passkey.id').where('userId', '=', userId))
          .as('hasPasskey'),
      )
      .where('id', '=', userId)
      .executeTakeFirstOrThrow(),
    ctx.db
      .selectFrom('twoFactor')
      .select(['backupCodes', 'verified'])
      .where('userId', '=', userId)
      .executeTakeFirst(),
  ])
  return {
    isOn: user.twoFactorEnabled,
    hasApp: factor?.verified ?? false,
    hasPasskey: Boolean(user.hasPasskey),
    isRequired: user.role === 'super_admin' && ctx.settings.secondFactor !== 'optional',
    codesLeft: user.twoFactorEnabled && factor ? codesLeftIn(factor.backupCodes) : 0,
  }
}

/**
 * Starts the enrolment of an authenticator app; takes the password. Nothing changes until `confirm`, and
 * starting again replaces a pending enrolment. Someone with a passkey keeps their recovery codes, and must
 * have proved themselves by that factor recently. Failure `invalid` (path `password`) for a wrong one,
 * `conflict` where there is an app already.
 */
export async function enrol(ctx: Context, { data }: { data: NewFactor }): Promise<BegunFactor> {
  const { userId } = me(ctx)
  const { hasApp, hasPasskey } = await find(ctx)
  // The password alone must not be enough to add another factor.
  if (hasPasskey && !hasApp) requireStepUp(ctx)
  const tries = limits.ownPassword(ctx, userId)
  await countAttempt(ctx, tries)
  const headers = await headersInSession(ctx)
  const { made: setup, isNew } = await ctx.accounts.transaction(async (tx) => {
    const factor = await tx
      .selectFrom('twoFactor')
      .innerJoin('user', 'user.id', 'twoFactor.userId')
      .select('backupCodes')
      .where('userId', '=', userId)
      .where('twoFactorEnabled', '=', true)
      .forUpdate()
      .executeTakeFirst()
    const { auth } = await open(ctx, tx)
    const setup = await auth.api
      .enableTwoFactor({ body: { password: data.password, method: 'totp' }, headers })
      .catch((error: unknown) => {
        const code = findErrorCode(error)
        // The session has ended since this request began.
        if (isSignedOut(error)) throw new Failure('unauthenticated', { cause: error })
        if (code === 'INVALID_PASSWORD')
          throw createInputFailure('password', 'The password is not right.', error)
        if (code === 'TOTP_ALREADY_ENABLED') throw alreadyThere(error)
        throw error
      })
    if (factor) await tx.updateTable('twoFactor').set(factor).where('userId', '=', userId).execute()
    return { made: setup, isNew: !factor }
  })
  await refund(ctx, tries)
  if (!('totpURI' in setup)) throw new Failure('broken', { cause: new Error('The library gave no address.') })
  const { renderSVG } = await import('uqr')
  return {
    uri: setup.totpURI,
    picture: renderSVG(setup.totpURI, { border: 2 }),
    key: new URL(setup.totpURI).searchParams.get('secret') ?? '',
    recoveryCodes: isNew ? setup.backupCodes : [],
  }
}

/**
 * Completes the enrolment with the first code of the app: from now on signing in takes one. Ends every other
 * session. Failure `invalid` (path `code`) for a wrong code.
 */
export async function confirm(ctx: Context, { data }: { data: FirstCode }): Promise<Done> {
  const { userId, email, sessionId } = me(ctx)
  const tries = limits.factor(ctx, userId)
  await countAttempt(ctx, tries)
  await consumeCode(ctx, userId, data.code)
  await requireBegun(ctx, userId)
  const { auth } = await open(ctx, ctx.accounts.db)
  const { headers } = await auth.api
    .verifyTOTP({ body: { code: data.code }, headers: await headersInSession(ctx), returnHeaders: true })
    .catch(async (error: unknown) => {
      if (findErrorCode(error) === 'INVALID_CODE') throw wrongCode('code', error)
      throw (await unreadableApp(ctx, userId, error)) ?? error
    })
  await refund(ctx, tries)
  // With the first factor the library creates a new session; with a further one the current session stays.
  const { id } = (await begin(ctx, headers)) ?? { id: sessionId }
  await ctx.accounts.transaction(async (tx) => {
    await tx.deleteFrom('session').where('userId', '=', userId).where('id', '!=', id).execute()
    await endPending(tx, userId)
    await recordOwn(tx, ctx, userId, 'factorAdded')
  })
  await ctx.sendMail(factorEmail(email, ctx.settings, 'on'))
  return ok
}

/**
 * Replaces the recovery codes by ten new ones, shown only here. Failure `conflict` without a second factor.
 */
export async function renewCodes(ctx: Context): Promise<RecoveryCodes> {
  const { userId, email } = me(ctx)
  const { codes, stored: backupCodes } = await newRecoveryCodes(ctx.settings)
  const isThere = await ctx.accounts.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('twoFactor')
      .set({ backupCodes })
      .where('userId', '=', userId)
      .where((eb) =>
        eb.exists(
          eb.selectFrom('user').select('id').where('id', '=', userId).where('twoFactorEnabled', '=', true),
        ),
      )
      .executeTakeFirstOrThrow()
    if (numUpdatedRows) await recordOwn(tx, ctx, userId, 'codesRenewed')
    return numUpdatedRows > 0n
  })
  if (!isThere) throw new Failure('conflict', { message: 'There is no second factor.' })
  await ctx.sendMail(factorEmail(email, ctx.settings, 'codes'))
  return { recoveryCodes: codes }
}

/**
 * Removes the own authenticator app. Passkeys and recovery codes stay; a super admin without any factor can
 * then only enrol one, if it is required.
 */
export async function remove(ctx: Context): Promise<Done> {
  const { userId, email } = me(ctx)
  await ctx.accounts.transaction(async (tx) => {
    await dropApp(tx, userId)
    await recordOwn(tx, ctx, userId, 'factorRemoved')
  })
  await ctx.sendMail(factorEmail(email, ctx.settings, 'off'))
  return ok
}

/**
 * Removes every second factor of a person who has lost them, for operators. Ends every session, writes a line
 * to the audit log and notifies the person by email. False: nobody has this address.
 */
export async function recover(ctx: Context, email: string): Promise<boolean> {
  const person = await ctx.accounts.transaction(async (tx) => {
    const user = await tx
      .selectFrom('user')
      .select(['id', 'email'])
      .where('email', '=', email.trim().normalize('NFKC').toLowerCase())
      .forUpdate()
      .executeTakeFirst()
    if (!user) return null
    await tx.deleteFrom('passkey').where('userId', '=', user.id).execute()
    await dropApp(tx, user.id)
    await tx.deleteFrom('session').where('userId', '=', user.id).execute()
    await recordOwn(tx, ctx, user.id, 'factorRemoved', { actorId: ctx.actor.user?.id ?? null })
    return user
  })
  if (!person) return false
  await ctx.sendMail(factorEmail(person.email, ctx.settings, 'recovered'))
  return true
}

/** Removes a person's authenticator app. Must run in a transaction of that person. */
export async function dropApp(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('twoFactor')
    .set({ secret: null, verified: false })
    .where('userId', '=', userId)
    .execute()
  await settleFactors(tx, userId)
}

/**
 * Cleans up after a factor was removed: cancels pending second factors, and deletes the recovery codes with
 * the last factor. Must run in a transaction of that person.
 */
export async function settleFactors(tx: Tx, userId: string): Promise<void> {
  await endPending(tx, userId)
  // Serialises with adding a factor, which takes the same lock.
  await tx.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute()
  const factor = await tx
    .selectFrom('twoFactor')
    .select('id')
    .where('userId', '=', userId)
    .where('verified', '=', true)
    .unionAll(tx.selectFrom('passkey').select('id').where('userId', '=', userId))
    .executeTakeFirst()
  if (factor) return
  await tx.deleteFrom('twoFactor').where('userId', '=', userId).execute()
  await tx.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', userId).execute()
}

/** Failure `conflict` where no enrolment is pending. */
async function requireBegun({ db }: Context, userId: string): Promise<void> {
  const factor = await db
    .selectFrom('twoFactor')
    .select(['secret', 'verified'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (factor?.verified) throw alreadyThere()
  if (!factor?.secret)
    throw new Failure('conflict', { message: 'Please begin again: no app is being set up.' })
}

const alreadyThere = (cause?: unknown) =>
  new Failure('conflict', { message: 'There is an authenticator app already.', cause })

/**
 * The signed-in person. Failure `forbidden` for API keys: a leaked key must neither add nor remove factors.
 */
export function me({ actor }: Context): { userId: string; email: string; sessionId: string } {
  if (!actor.user || !actor.session)
    throw new Failure('forbidden', { message: 'This takes a session: sign in with a browser.' })
  return { userId: actor.user.id, email: actor.user.email, sessionId: actor.session.id }
}
