import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { decrypt } from '#functions/domain/secrets/encrypt.ts'
import type { Tx } from '#db/schema.ts'

/** Where every provider sends browsers back to. */
const callbackPath = '/login/sso/callback'

/** The address that providers are told. */
export const redirectUriOf = ({ settings: { scheme, appHost } }: Context): string =>
  `${scheme}://${appHost}${callbackPath}`

/** A place whose provider signs people in, with its secret still sealed. */
export interface PlaceProvider {
  placeId: string
  placeName: string
  name: string
  issuer: string
  clientId: string
  secret: string
  role: string
}

/** The provider of a place, for whoever comes to sign in. Undefined where none is set up, or it is off. */
export async function providerOf(tx: Tx, placeId: string): Promise<PlaceProvider | undefined> {
  await sayWhichPlace(tx, placeId)
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

/** Says which place's single sign-on a transaction is about, or of which mail domain: the database shows no others. */
export async function sayWhichPlace(tx: Tx, named: string): Promise<void> {
  await sql`select set_config('app.sso', ${named}, true)`.execute(tx)
}

/** The secret of a provider in plain text; null when it does not open. */
export const secretOf = ({ settings }: Context, { placeId, secret }: { placeId: string; secret: string }) =>
  decrypt(settings, { purpose: 'sso', id: placeId }, secret)

/** Notes how the last try went, for the place's admins to see. Null: well. */
export async function noteTry(ctx: Context, placeId: string, error: string | null): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sayWhichPlace(tx, placeId)
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
