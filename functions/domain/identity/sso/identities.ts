import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import type { Done } from '#functions/shapes/auth.ts'
import type { WaitingLink } from '#functions/shapes/sso.ts'
import { me } from '../factors.ts'
import { ssoConnectedEmail } from '../emails.ts'
import { recordOwn } from '../own-activity.ts'
import { forgetWaiting, readPendingLink, type PendingLink } from './attempt-cookie.ts'
import { findPlaceProvider, type PlaceProvider } from './place-provider.ts'
import { connect, lockIdentity } from './sign-in.ts'

/**
 * The identity that waits in this browser to be connected with the actor's account; `waiting` null: there is
 * none.
 */
export async function readWaitingLink(ctx: Context): Promise<WaitingLink> {
  const row = await readPendingLink(ctx)
  const provider = row && (await ctx.transaction((tx) => findMatchingProvider(tx, row)))
  if (!provider) return { waiting: null }
  const { placeName, name, issuer } = provider
  return { waiting: { placeName, name, issuer, email: row.email } }
}

/**
 * Connects the waiting identity of this browser with the actor's account, whose address must be the one that
 * the provider gave. Failure `invalid` when none waits any more, `forbidden` for another account, and for
 * super admins and support.
 */
export async function link(ctx: Context): Promise<Done> {
  const { userId, email } = me(ctx)
  if (ctx.actor.user?.role)
    throw new Failure('forbidden', { message: 'Super admins and support sign in with their own password.' })
  const row = await readPendingLink(ctx)
  if (!row) throw createTooLateError()
  if (row.email !== email)
    throw new Failure('forbidden', { message: `This is for ${row.email}. Sign in with that account.` })
  const { placeName } = await ctx.transaction(async (tx) => {
    const provider = await findMatchingProvider(tx, row)
    if (!provider) throw createTooLateError()
    await lockIdentity(tx, row)
    const identity = await tx
      .selectFrom('ssoIdentity')
      .select('id')
      .where('placeId', '=', row.placeId)
      .where('issuer', '=', row.issuer)
      .where('subject', '=', row.subject)
      .executeTakeFirst()
    if (identity)
      throw new Failure('conflict', { message: 'This sign-in is connected with an account already.' })
    await connect(tx, ctx, provider, { ...row, userId })
    await recordOwn(tx, ctx, userId, 'ssoConnected')
    return provider
  })
  forgetWaiting(ctx)
  await ctx.sendMail(ssoConnectedEmail(email, placeName, ctx.settings))
  return { ok: true }
}

/** The person's single sign-on identities, by the names of their places. */
export async function find(ctx: Context) {
  const results = await ctx.db
    .selectFrom('ssoIdentity')
    .innerJoin('place', 'place.id', 'ssoIdentity.placeId')
    .select([
      'ssoIdentity.id',
      'ssoIdentity.placeId',
      'place.displayName as placeName',
      'ssoIdentity.issuer',
      'ssoIdentity.createdAt',
      'ssoIdentity.lastUsedAt',
    ])
    .where('ssoIdentity.userId', '=', me(ctx).userId)
    .orderBy('place.displayName')
    .orderBy('ssoIdentity.id')
    .limit(100)
    .execute()
  return { results }
}

/**
 * Removes an identity from the account and ends the sessions that this place's provider created. Undefined:
 * it is not theirs.
 */
export async function deleteById(ctx: Context, { params }: { params: Record<string, string> }) {
  const { userId } = me(ctx)
  const id = params.ssoId ?? ''
  return ctx.transaction(async (tx) => {
    const identity = await tx
      .deleteFrom('ssoIdentity')
      .where('id', '=', id)
      .where('userId', '=', userId)
      .returning('placeId')
      .executeTakeFirst()
    if (!identity) return undefined
    await tx
      .deleteFrom('session')
      .where('userId', '=', userId)
      .where('ssoPlaceId', '=', identity.placeId)
      .execute()
    await recordOwn(tx, ctx, userId, 'ssoDisconnected')
    return { id }
  })
}

/** The provider of the waiting identity, if it still has the same issuer. */
async function findMatchingProvider(
  tx: Parameters<typeof findPlaceProvider>[0],
  { placeId, issuer }: PendingLink,
): Promise<PlaceProvider | undefined> {
  const provider = await findPlaceProvider(tx, placeId)
  return provider?.issuer === issuer ? provider : undefined
}

function createTooLateError(): Failure {
  const message = 'This took too long. Please sign in at your organization again.'
  return new Failure('invalid', { message, issues: [{ path: [], message }] })
}
