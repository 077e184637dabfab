import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'
import { deviceCookie, deviceSecretFrom } from './cookie.ts'
import { hashOf, randomText } from './keys.ts'

/** Of one person: the one that was used longest ago is forgotten first. */
const mostDevices = 20

/**
 * The hash by which a person's browser is known, where this one has signed in as them before; null: it has not. `whose`: the
 * person's address or id. It opens nothing: it only keeps other people's failures from stopping this browser.
 */
export async function knownDevice(
  ctx: Context,
  whose: { email: string } | { id: string },
): Promise<string | null> {
  const secret = deviceSecretFrom(ctx.request.headers, ctx.settings)
  if (secret === null) return null
  const secretHash = await hashOf(secret)
  const [column, value] =
    'id' in whose ? (['user.id', whose.id] as const) : (['user.email', whose.email] as const)
  const known = await ctx.transaction(async (tx) => {
    await show(tx, secretHash)
    return tx
      .selectFrom('knownDevice')
      .innerJoin('user', 'user.id', 'knownDevice.userId')
      .select('knownDevice.secretHash')
      .where('knownDevice.secretHash', '=', secretHash)
      .where(column, '=', value)
      .executeTakeFirst()
  })
  return known?.secretHash ?? null
}

/**
 * From now on this browser is known as one of the person's; sets its cookie. In a transaction of that person. A secret that nobody
 * has signed in with is replaced: someone else may have put it there.
 */
export async function rememberDevice(tx: Tx, ctx: Context, userId: string): Promise<void> {
  const sent = deviceSecretFrom(ctx.request.headers, ctx.settings)
  const secret = sent !== null && (await isKnown(tx, sent)) ? sent : randomText()
  const secretHash = await hashOf(secret)
  const now = sql<Date>`now()`
  await tx
    .insertInto('knownDevice')
    .values({ secretHash, userId, lastUsedAt: now })
    .onConflict((conflict) => conflict.columns(['secretHash', 'userId']).doUpdateSet({ lastUsedAt: now }))
    .execute()
  await tx
    .deleteFrom('knownDevice')
    .where('userId', '=', userId)
    .where('secretHash', 'not in', (q) =>
      q
        .selectFrom('knownDevice')
        .select('secretHash')
        .where('userId', '=', userId)
        .orderBy('lastUsedAt', 'desc')
        .limit(mostDevices),
    )
    .execute()
  ctx.responseHeaders.append('set-cookie', deviceCookie(secret, ctx.settings))
}

/** No browser but this one is known as the person's any more; with `all` this one neither. In a transaction of that person. */
export async function forgetDevices(
  tx: Tx,
  ctx: Context,
  userId: string,
  { all }: { all: boolean },
): Promise<void> {
  const secret = deviceSecretFrom(ctx.request.headers, ctx.settings)
  const own = all || secret === null ? '' : await hashOf(secret)
  await tx.deleteFrom('knownDevice').where('userId', '=', userId).where('secretHash', '!=', own).execute()
}

async function isKnown(tx: Tx, secret: string): Promise<boolean> {
  const secretHash = await hashOf(secret)
  await show(tx, secretHash)
  const known = await tx
    .selectFrom('knownDevice')
    .select('secretHash')
    .where('secretHash', '=', secretHash)
    .executeTakeFirst()
  return known !== undefined
}

/** Says what this browser has shown: the database shows who it is known to, and no other rows. */
async function show(tx: Tx, secretHash: string): Promise<void> {
  await sql`select set_config('app.device', ${secretHash}, true)`.execute(tx)
}
