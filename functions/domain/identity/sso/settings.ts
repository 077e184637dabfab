import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { requireHandOut } from '#functions/domain/place/invites.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { encrypt } from '#functions/domain/secrets/encrypt.ts'
import { createInputFailure } from '#functions/errors.ts'
import type { Sso, SsoChanges } from '#functions/shapes/sso.ts'
import type { Tx } from '#db/schema.ts'
import { getRedirectUri, setSsoSubject } from './place-provider.ts'
import { discover, ProviderError } from './provider.ts'

/** The provider of a place and the result of its last attempt; never its secret. */
export async function find(ctx: Context, request: NounRequest): Promise<Sso> {
  const placeId = param(request, 'placeId')
  const provider = await ctx.transaction(async (tx) => {
    await setSsoSubject(tx, placeId)
    return tx
      .selectFrom('placeSso')
      .select([
        ...(['name', 'issuer', 'clientId', 'role', 'isOn', 'updatedAt', 'lastUsedAt'] as const),
        ...(['lastError', 'lastErrorAt'] as const),
        (eb) =>
          eb
            .selectFrom('ssoIdentity')
            .select(sql<number>`count(*)::int`.as('n'))
            .whereRef('ssoIdentity.placeId', '=', 'placeSso.placeId')
            .as('people'),
      ])
      .where('placeId', '=', placeId)
      .executeTakeFirst()
  })
  const redirectUri = getRedirectUri(ctx)
  return { redirectUri, provider: provider ? { ...provider, people: provider.people ?? 0 } : null }
}

/**
 * Sets the provider of a place, after fetching its metadata. Changing issuer or client and disabling it end
 * the sessions it created. Failure `invalid`: path `issuer` where it does not respond as an OpenID provider,
 * `secret` where none is stored for this issuer and client, `role` for one that may do more than the actor,
 * or of organization admins.
 */
export async function save(ctx: Context, request: NounRequest<unknown, SsoChanges>): Promise<Sso> {
  const placeId = param(request, 'placeId')
  const { secret, ...changes } = request.data
  await requireHandOut(ctx, changes.role, placeId)
  // Otherwise whoever runs the provider would run the organization.
  if (changes.role === 'organization_admin')
    throw createInputFailure(
      'role',
      'Organization admins are made one by one. Choose a role that may do less.',
    )
  const issuer = await discoverIssuer(ctx, changes.issuer)
  // With the accounts of everyone, because the sessions to end are other people's.
  await write({ ...ctx, transaction: ctx.accounts.transaction }, async (tx) => {
    const before = await tx
      .selectFrom('placeSso')
      .select(['issuer', 'clientId', 'secret'])
      .where('placeId', '=', placeId)
      .forUpdate()
      .executeTakeFirst()
    const isSame = before?.issuer === issuer && before.clientId === changes.clientId
    if (secret === undefined && !isSame)
      throw createInputFailure('secret', 'Required for another provider or client.')
    const encryptedSecret =
      secret === undefined
        ? (before?.secret ?? '')
        : await encrypt(ctx.settings, { purpose: 'sso', id: placeId }, secret)
    const row = {
      ...changes,
      issuer,
      secret: encryptedSecret,
      updatedAt: ctx.now(),
      lastError: null,
      lastErrorAt: null,
    }
    await tx
      .insertInto('placeSso')
      .values({ placeId, createdAt: ctx.now(), ...row })
      .onConflict((conflict) => conflict.column('placeId').doUpdateSet(row))
      .execute()
    if (before && (!isSame || !changes.isOn)) await endSessions(tx, placeId)
    const verb = before ? 'updated' : 'created'
    await recordActivity(tx, ctx, { verb, type: 'sso', id: placeId, name: changes.name, placeId })
  })
  return find(ctx, request)
}

/**
 * Removes the provider of a place and ends its sessions; people keep their accounts. Undefined: there is
 * none.
 */
export async function remove(ctx: Context, request: NounRequest): Promise<{ ok: true } | undefined> {
  const placeId = param(request, 'placeId')
  return write({ ...ctx, transaction: ctx.accounts.transaction }, async (tx) => {
    await setSsoSubject(tx, placeId)
    const row = await tx
      .deleteFrom('placeSso')
      .where('placeId', '=', placeId)
      .returning('name')
      .executeTakeFirst()
    if (!row) return undefined
    await tx.deleteFrom('ssoIdentity').where('placeId', '=', placeId).execute()
    await endSessions(tx, placeId)
    await recordActivity(tx, ctx, { verb: 'deleted', type: 'sso', id: placeId, name: row.name, placeId })
    return { ok: true as const }
  })
}

async function endSessions(tx: Tx, placeId: string): Promise<void> {
  await tx.deleteFrom('session').where('ssoPlaceId', '=', placeId).execute()
}

/**
 * The issuer as in the provider's own metadata. Failure `invalid` (path `issuer`) where it cannot be used.
 */
async function discoverIssuer(ctx: Context, issuer: string): Promise<string> {
  try {
    return (await discover(ctx, issuer)).issuer
  } catch (error) {
    if (error instanceof ProviderError) throw createInputFailure('issuer', error.message, error)
    throw error
  }
}
