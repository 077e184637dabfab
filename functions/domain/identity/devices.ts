import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import type { Tx } from '#db/schema.ts'
import { deviceCookie, deviceSecretFrom } from './cookie.ts'
import { hashText, randomText } from './keys.ts'

/** Most known browsers of a person; the least recently used one is dropped first. */
const maxDevices = 20

/**
 * The hash of this browser's device secret, if it has signed in as this person before; null: it has not.
 * `whose`: the person's address or id. It grants no access: it only keeps other people's failed sign-ins from
 * blocking this browser.
 */
export async function findKnownDevice(
  ctx: Context,
  whose: { email: string } | { id: string },
): Promise<string | null> {
  const secret = deviceSecretFrom(ctx.request.headers, ctx.settings)
  if (secret === null) return null
  const secretHash = await hashText(secret)
  const [column, value] =
    'id' in whose ? (['user.id', whose.id] as const) : (['user.email', whose.email] as const)
  const device = await ctx.transaction(async (tx) => {
    await show(tx, secretHash)
    return tx
      .selectFrom('knownDevice')
      .innerJoin('user', 'user.id', 'knownDevice.userId')
      .select('knownDevice.secretHash')
      .where('knownDevice.secretHash', '=', secretHash)
      .where(column, '=', value)
      .executeTakeFirst()
  })
  return device?.secretHash ?? null
}

/**
 * Marks this browser as one from which the person has signed in, and sets its cookie. Must run in a
 * transaction of that person. A secret that nobody has signed in with is replaced, because someone else may
 * have planted it.
 */
export async function rememberDevice(tx: Tx, ctx: Context, userId: string): Promise<void> {
  const ownSecret = deviceSecretFrom(ctx.request.headers, ctx.settings)
  const secret = ownSecret !== null && (await isKnown(tx, ownSecret)) ? ownSecret : randomText()
  const secretHash = await hashText(secret)
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
        .limit(maxDevices),
    )
    .execute()
  ctx.responseHeaders.append('set-cookie', deviceCookie(secret, ctx.settings))
}

/**
 * Forgets all browsers of the person except this one, or with `all` this one as well. Must run in a
 * transaction of that person.
 */
export async function forgetDevices(
  tx: Tx,
  ctx: Context,
  userId: string,
  { all }: { all: boolean },
): Promise<void> {
  const secret = deviceSecretFrom(ctx.request.headers, ctx.settings)
  const own = all || secret === null ? '' : await hashText(secret)
  await tx.deleteFrom('knownDevice').where('userId', '=', userId).where('secretHash', '!=', own).execute()
}

async function isKnown(tx: Tx, secret: string): Promise<boolean> {
  const secretHash = await hashText(secret)
  await show(tx, secretHash)
  const device = await tx
    .selectFrom('knownDevice')
    .select('secretHash')
    .where('secretHash', '=', secretHash)
    .executeTakeFirst()
  return device !== undefined
}

/** Tells row-level security which device secret the browser has shown: only its rows are visible. */
async function show(tx: Tx, secretHash: string): Promise<void> {
  await sql`select set_config('app.device', ${secretHash}, true)`.execute(tx)
}
