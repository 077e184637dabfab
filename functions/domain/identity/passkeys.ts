import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type {
  NewPasskey,
  PasskeyChanges,
  PasskeyCreation,
  PasskeyRequest,
} from '#functions/shapes/passkey.ts'
import type { Tx } from '#db/schema.ts'
import { limits, refund, countAttempt } from './attempts.ts'
import { endPending } from './email-tokens.ts'
import { me, settleFactors } from './factors.ts'
import { factorEmail } from './emails.ts'
import { recordOwn } from './own-activity.ts'
import { answerChallenge, buildSessionOwner, makeChallenge } from './passkey-challenges.ts'
import { listPasskeys, requestPasskey } from './passkey-proof.ts'
import { newRecoveryCodes } from './recovery-codes.ts'

/** Most passkeys of a person. */
const maxPasskeys = 10

type WithId = { params: Record<string, string> }

const passkeyColumns = [
  'id',
  'name',
  'createdAt',
  'lastUsedAt',
  sql<boolean>`backed_up`.as('isSynced'),
] as const

/** The own passkeys, oldest first. */
export async function find(ctx: Context) {
  const { userId } = me(ctx)
  const results = await ctx.db
    .selectFrom('passkey')
    .select([...passkeyColumns])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return { results }
}

/** One of the person's passkeys; undefined: it is not theirs. */
export async function findOwn(ctx: Context, { params }: WithId) {
  const { results } = await find(ctx)
  return results.find(({ id }) => id === params.passkeyId)
}

/**
 * Starts adding a passkey: returns what the browser needs to create one. Failure `conflict` where there are
 * ten.
 */
export async function begin(ctx: Context): Promise<PasskeyCreation> {
  const { userId, sessionId } = me(ctx)
  const ownPasskeys = await ctx.accounts.transaction((tx) => listPasskeys(tx, userId))
  requireRoom(ownPasskeys.length)
  const options = await makeChallenge(ctx, buildSessionOwner(userId, sessionId), (auth, headers) =>
    auth.api.generatePasskeyRegistrationOptions({ headers, returnHeaders: true }),
  )
  const { rp, user, challenge, pubKeyCredParams, timeout } = options
  if (!rp.id || !timeout) throw new Failure('broken', { cause: new Error('The library named no host.') })
  return {
    publicKey: {
      rp: { id: rp.id, name: rp.name },
      user: { id: user.id, name: user.name, displayName: user.displayName },
      challenge,
      pubKeyCredParams: pubKeyCredParams.map(({ type, alg }) => ({ type, alg })),
      timeout,
      excludeCredentials: ownPasskeys,
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
    },
  }
}

/**
 * Adds the passkey that the browser created. The first factor of a person ends every other session and
 * returns recovery codes. Failure `invalid` (path `passkey`) for what is not the response to `begin` in this
 * session, `conflict` where there are ten.
 */
export async function create(ctx: Context, { data }: { data: NewPasskey }) {
  const { userId, sessionId, email } = me(ctx)
  const tries = limits.factor(ctx, userId)
  await countAttempt(ctx, tries)
  const result = await answerChallenge(
    ctx,
    buildSessionOwner(userId, sessionId),
    async (tx, auth, headers) => {
      const person = await tx
        .selectFrom('user')
        .select('twoFactorEnabled')
        .where('id', '=', userId)
        .forUpdate()
        .executeTakeFirstOrThrow()
      requireRoom((await listPasskeys(tx, userId)).length)
      const { id } = await auth.api.verifyPasskeyRegistration({
        body: { response: data.passkey, name: data.name },
        headers,
      })
      // The database's clock, as for changes of the address, which remove what was added since.
      const passkey = await tx
        .updateTable('passkey')
        .set({ createdAt: sql<Date>`now()` })
        .where('id', '=', id)
        .returning([...passkeyColumns])
        .executeTakeFirstOrThrow()
      const recoveryCodes = person.twoFactorEnabled ? [] : await beginFactors(tx, ctx, userId, sessionId)
      await recordOwn(tx, ctx, userId, 'passkeyAdded')
      return { ...passkey, recoveryCodes }
    },
  )
  await refund(ctx, tries)
  await ctx.sendMail(factorEmail(email, ctx.settings, 'passkeyOn'))
  return result
}

/** Renames a passkey. Undefined: it is not theirs. */
export async function updateById(ctx: Context, { params, data }: WithId & { data: PasskeyChanges }) {
  const { userId } = me(ctx)
  return ctx.accounts.transaction(async (tx) => {
    const row = await tx
      .updateTable('passkey')
      .set({ name: data.name })
      .where('id', '=', params.passkeyId ?? '')
      .where('userId', '=', userId)
      .returning([...passkeyColumns])
      .executeTakeFirst()
    if (row) await recordOwn(tx, ctx, userId, 'passkeyRenamed')
    return row
  })
}

/** Removes a passkey, and the recovery codes with the last factor. Undefined: it is not theirs. */
export async function deleteById(ctx: Context, { params }: WithId) {
  const { userId, email } = me(ctx)
  const id = params.passkeyId ?? ''
  const isDeleted = await ctx.accounts.transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('passkey')
      .where('id', '=', id)
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return false
    await settleFactors(tx, userId)
    await recordOwn(tx, ctx, userId, 'passkeyRemoved')
    return true
  })
  if (!isDeleted) return undefined
  await ctx.sendMail(factorEmail(email, ctx.settings, 'passkeyOff'))
  return { id }
}

/** Starts proving one's identity again with a passkey. Failure `conflict` where there is none. */
export async function challenge(ctx: Context): Promise<PasskeyRequest> {
  const { userId, sessionId } = me(ctx)
  return requestPasskey(ctx, buildSessionOwner(userId, sessionId))
}

/** Turns on the second factor. Returns the recovery codes; a pending enrolment of an app is cancelled. */
async function beginFactors(tx: Tx, ctx: Context, userId: string, sessionId: string): Promise<string[]> {
  const { codes, stored: storedCodes } = await newRecoveryCodes(ctx.settings)
  const none = { secret: null, verified: false, backupCodes: storedCodes }
  await tx
    .insertInto('twoFactor')
    .values({ id: crypto.randomUUID(), userId, ...none })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(none))
    .execute()
  await tx.updateTable('user').set({ twoFactorEnabled: true }).where('id', '=', userId).execute()
  await tx.deleteFrom('session').where('userId', '=', userId).where('id', '!=', sessionId).execute()
  await endPending(tx, userId)
  return codes
}

function requireRoom(count: number): void {
  if (count >= maxPasskeys)
    throw new Failure('conflict', { message: `There are ${maxPasskeys} passkeys already: remove one first.` })
}
