import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { decrypt } from '#functions/domain/secrets/encrypt.ts'
import type { Tx } from '#db/schema.ts'

/** The path to which providers redirect browsers. */
const callbackPath = '/login/sso/callback'

/** The redirect URI registered with providers. */
export const getRedirectUri = ({ settings: { scheme, appHost } }: Context): string =>
  `${scheme}://${appHost}${callbackPath}`

/** A place's provider, with its secret still encrypted. */
export interface PlaceProvider {
  placeId: string
  placeName: string
  name: string
  issuer: string
  clientId: string
  secret: string
  role: string
}

/** The provider of a place, for signing in. Undefined where none is set up, or it is disabled. */
export async function findPlaceProvider(tx: Tx, placeId: string): Promise<PlaceProvider | undefined> {
  await setSsoSubject(tx, placeId)
  return tx
    .selectFrom('placeSso')
    .innerJoin('place', 'place.id', 'placeSso.placeId')
    .select([
      'placeId',
      'place.displayName as placeName',
      'placeSso.name',
      'issuer',
      'clientId',
      'secret',
      'role',
    ])
    .where('placeId', '=', placeId)
    .where('isOn', '=', true)
    .where('place.deletedAt', 'is', null)
    .executeTakeFirst()
}

/**
 * Tells row-level security which place's single sign-on, or which mail domain, a transaction is about: no
 * others are visible.
 */
export async function setSsoSubject(tx: Tx, subject: string): Promise<void> {
  await sql`select set_config('app.sso', ${subject}, true)`.execute(tx)
}

/** The decrypted secret of a provider; null when it cannot be decrypted. */
export const decryptProviderSecret = (
  { settings }: Context,
  { placeId, secret }: { placeId: string; secret: string },
) => decrypt(settings, { purpose: 'sso', id: placeId }, secret)

/** Stores the result of the last attempt, for the place's admins. Null: success. */
export async function recordAttempt(ctx: Context, placeId: string, error: string | null): Promise<void> {
  await ctx.transaction(async (tx) => {
    await setSsoSubject(tx, placeId)
    const now = ctx.now()
    await tx
      .updateTable('placeSso')
      .set(
        error === null
          ? { lastUsedAt: now, lastError: null, lastErrorAt: null }
          : { lastError: error, lastErrorAt: now },
      )
      .where('placeId', '=', placeId)
      .execute()
  })
}
