import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Done } from '#functions/shapes/auth.ts'
import type {
  BegunFactor,
  FactorState,
  FirstCode,
  NewFactor,
  RecoveryCodes,
} from '#functions/shapes/factor.ts'
import type { Tx } from '#db/schema.ts'
import { limits, refund, spend } from './attempts.ts'
import { endPending } from './email-tokens.ts'
import { factorLetter } from './letters.ts'
import { begin, codeOf, headersInSession, isSignedOut, open } from './library.ts'
import { recordOwn } from './own-activity.ts'
import { codesLeftIn, recoveryCodes } from './recovery-codes.ts'
import { spendCode, wrongCode } from './second-step.ts'
import { unreadableApp } from './unreadable-factor.ts'

const done: Done = { ok: true }

/** Whether the person has a second factor, must have one, and how many recovery codes are left. */
export async function find(ctx: Context): Promise<FactorState> {
  const { userId } = me(ctx)
  const [user, factor] = await Promise.all([
    ctx.db
      .selectFrom('user')
      .select(['role', 'twoFactorEnabled'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow(),
    ctx.db.selectFrom('twoFactor').select('backupCodes').where('userId', '=', userId).executeTakeFirst(),
  ])
  return {
    isOn: user.twoFactorEnabled,
    isRequired: user.role === 'super_admin' && ctx.settings.secondFactor !== 'optional',
    codesLeft: user.twoFactorEnabled && factor ? codesLeftIn(factor.backupCodes) : 0,
  }
}

/**
 * Begins an enrolment, with the password once more; nothing counts until `confirm`, and beginning again replaces what was
 * begun. Throws `invalid` (path `password`) for a wrong one, `conflict` where there is an app already.
 */
export async function enrol(ctx: Context, { data }: { data: NewFactor }): Promise<BegunFactor> {
  const { userId } = me(ctx)
  const tries = limits.ownPassword(ctx, userId)
  await spend(ctx, tries)
  const { auth } = await open(ctx, ctx.accounts.db)
  const made = await auth.api
    .enableTwoFactor({
      body: { password: data.password, method: 'totp' },
      headers: await headersInSession(ctx),
    })
    .catch((error: unknown) => {
      const code = codeOf(error)
      // The session has ended since this request began.
      if (isSignedOut(error)) throw new Failure('unauthenticated', { cause: error })
      if (code === 'INVALID_PASSWORD') throw wrong('password', 'The password is not right.', error)
      if (code === 'TOTP_ALREADY_ENABLED')
        throw new Failure('conflict', { say: 'There is an authenticator app already.', cause: error })
      throw error
    })
  await refund(ctx, tries)
  if (!('totpURI' in made)) throw new Failure('broken', { cause: new Error('The library gave no address.') })
  const { renderSVG } = await import('uqr')
  return {
    uri: made.totpURI,
    picture: renderSVG(made.totpURI, { border: 2 }),
    key: new URL(made.totpURI).searchParams.get('secret') ?? '',
    recoveryCodes: made.backupCodes,
  }
}

/**
 * Ends the enrolment with the first code of the app: from now on signing in takes it. Every other session ends. Throws
 * `invalid` (path `code`) for a wrong code.
 */
export async function confirm(ctx: Context, { data }: { data: FirstCode }): Promise<Done> {
  const { userId, email } = me(ctx)
  const tries = limits.factor(ctx, userId)
  await spend(ctx, tries)
  await spendCode(ctx, userId, data.code)
  const { auth } = await open(ctx, ctx.accounts.db)
  const { headers } = await auth.api
    .verifyTOTP({ body: { code: data.code }, headers: await headersInSession(ctx), returnHeaders: true })
    .catch(async (error: unknown) => {
      if (codeOf(error) === 'INVALID_CODE') throw wrongCode('code', error)
      if (codeOf(error) === 'TOTP_NOT_ENABLED')
        throw new Failure('conflict', { say: 'Please begin again: no app is being set up.', cause: error })
      throw (await unreadableApp(ctx, userId, error)) ?? error
    })
  await refund(ctx, tries)
  const session = await begin(ctx, headers)
  if (!session) throw new Failure('conflict', { say: 'There is an authenticator app already.' })
  await ctx.accounts.transaction(async (tx) => {
    await tx.deleteFrom('session').where('userId', '=', userId).where('id', '!=', session.id).execute()
    await endPending(tx, userId)
    await recordOwn(tx, ctx, userId, 'factorAdded')
  })
  await ctx.sendMail(factorLetter(email, ctx.settings, 'on'))
  return done
}

/** Ten recovery codes in place of those there were; shown this once. `conflict` without a second factor. */
export async function renewCodes(ctx: Context): Promise<RecoveryCodes> {
  const { userId, email } = me(ctx)
  const { customBackupCodesGenerate, storeBackupCodes } = recoveryCodes(ctx.settings)
  const codes = customBackupCodesGenerate()
  const backupCodes = await storeBackupCodes.encrypt(JSON.stringify(codes))
  const isThere = await ctx.accounts.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('twoFactor')
      .set({ backupCodes })
      .where('userId', '=', userId)
      .where('verified', '=', true)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows) await recordOwn(tx, ctx, userId, 'codesRenewed')
    return numUpdatedRows > 0n
  })
  if (!isThere) throw new Failure('conflict', { say: 'There is no second factor.' })
  await ctx.sendMail(factorLetter(email, ctx.settings, 'codes'))
  return { recoveryCodes: codes }
}

/** Removes the own second factor. A super admin then reaches nothing but enrolment, where it is required. */
export async function remove(ctx: Context): Promise<Done> {
  const { userId, email } = me(ctx)
  await ctx.accounts.transaction(async (tx) => {
    await dropFactor(tx, userId)
    await recordOwn(tx, ctx, userId, 'factorRemoved')
  })
  await ctx.sendMail(factorLetter(email, ctx.settings, 'off'))
  return done
}

/**
 * Removes the second factor of a person who has lost it, for operators: every session ends, the audit log has a line, the
 * person is told by email. False: nobody has this address.
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
    await dropFactor(tx, user.id)
    await tx.deleteFrom('session').where('userId', '=', user.id).execute()
    await recordOwn(tx, ctx, user.id, 'factorRemoved', { actorId: ctx.actor.user?.id ?? null })
    return user
  })
  if (!person) return false
  await ctx.sendMail(factorLetter(person.email, ctx.settings, 'recovered'))
  return true
}

/** Removes the second factor of a person, in a transaction of theirs. */
export async function dropFactor(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('twoFactor').where('userId', '=', userId).execute()
  // A second step that was begun is void with it.
  await endPending(tx, userId)
  await tx.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', userId).execute()
}

/** Factors are of a person in a browser: a key that was found must neither add nor remove one. */
export function me({ actor }: Context): { userId: string; email: string; sessionId: string } {
  if (!actor.user || !actor.session)
    throw new Failure('forbidden', { say: 'This takes a session: sign in with a browser.' })
  return { userId: actor.user.id, email: actor.user.email, sessionId: actor.session.id }
}

function wrong(name: string, message: string, cause: unknown): Failure {
  return new Failure('invalid', { say: message, issues: [{ path: [name], message }], cause })
}
