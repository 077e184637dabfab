import { sql } from 'kysely'
import { adminRoles } from '#functions/domain/access/identity.ts'
import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { recordOwn } from './own-activity.ts'
import { allowWritesIn } from '#functions/domain/place/place-users.ts'
import { Failure } from '#functions/errors.ts'
import type { OwnKey } from '#functions/shapes/auth.ts'
import type { Db, Tx } from '#db/schema.ts'

/**
 * The keys to revoke when a person's password was in other hands: their account keys, and the write keys of
 * sources that they created. Newest first, without revoked and expired ones. `db` must read as that person:
 * sources they may not see are not named.
 */
export async function listOwnKeys(db: Db, userId: string): Promise<OwnKey[]> {
  return db
    .selectFrom('apiKey')
    .leftJoin('place', 'place.id', 'apiKey.placeId')
    .leftJoin('source', (join) =>
      join.onRef('source.id', '=', 'apiKey.sourceId').on('source.deletedAt', 'is', null),
    )
    .leftJoin('placeUser', (join) =>
      join.onRef('placeUser.placeId', '=', 'apiKey.placeId').on('placeUser.userId', '=', userId),
    )
    .select(['apiKey.id', 'apiKey.name', 'apiKey.prefix', 'apiKey.scope'])
    .select(['place.displayName as placeName', 'apiKey.createdAt', 'apiKey.lastUsedAt'])
    .select(
      sql<string | null>`case when ${sql.ref('source.visibility')} = 'public'
        or ${sql.ref('placeUser.role')} = any(${adminRoles}::text[])
        then ${sql.ref('source.name')} end`.as('sourceName'),
    )
    .where('apiKey.revokedAt', 'is', null)
    .where('apiKey.expiresAt', '>', sql<Date>`now()`)
    .where((eb) => eb.or([eb('apiKey.userId', '=', userId), eb('apiKey.createdBy', '=', userId)]))
    .orderBy('apiKey.createdAt', 'desc')
    .orderBy('apiKey.id')
    .execute()
}

/**
 * Revokes the keys of a person except those to keep. Failure `invalid` (path `keepKeys.n`) for an id that is
 * not theirs: a mistyped one would revoke a key they meant to keep.
 */
export async function endOwnKeys(
  tx: Tx,
  ctx: Context,
  user: { id: string },
  keep: string[],
): Promise<{ ended: OwnKey[]; kept: OwnKey[] }> {
  await readAsPerson(tx, user.id)
  const keys = await listOwnKeys(tx, user.id)
  const ownIds = new Set(keys.map(({ id }) => id))
  const issues = keep.flatMap((id, i) =>
    ownIds.has(id) ? [] : [{ path: ['keepKeys', i], value: id, message: 'You have no such key.' }],
  )
  if (issues.length) throw new Failure('invalid', { message: 'A key to keep is not there any more.', issues })
  const [keptKeys, endedKeys] = [true, false].map((isKept) =>
    keys.filter(({ id }) => keep.includes(id) === isKept),
  )
  // One timestamp for both, so that comparing them is exact.
  const now = sql<Date>`now()`
  await tx.updateTable('user').set({ keysEndedAt: now }).where('id', '=', user.id).execute()
  if (keptKeys?.length)
    await tx.updateTable('apiKey').set({ keptAt: now }).where('id', 'in', getIds(keptKeys)).execute()
  if (endedKeys?.length) await end(tx, ctx, user.id, getIds(endedKeys))
  return { ended: endedKeys ?? [], kept: keptKeys ?? [] }
}

/** Revokes one key of a person; false if they have no such key. */
export async function endOwnKey(ctx: Context, userId: string, id: string): Promise<boolean> {
  return write(ctx, async (tx) => {
    const keys = await listOwnKeys(tx, userId)
    if (!keys.some((key) => key.id === id)) return false
    return (await end(tx, ctx, userId, [id])) > 0
  })
}

/** Makes the rest of a transaction read as a person who was identified by other means than a session. */
export async function readAsPerson(tx: Tx, userId: string): Promise<void> {
  await sql`select set_config('app.user', ${userId}, true), set_config('app.places', coalesce(
    (select string_agg(place_id, ',') from place_user where user_id = ${userId} and role is not null), ''), true)`.execute(
    tx,
  )
}

const getIds = (keys: { id: string }[]) => keys.map(({ id }) => id)

/**
 * Revokes keys and writes audit log lines, also in the place of a write key. Returns how many were revoked.
 */
async function end(tx: Tx, ctx: Context, userId: string, ids: string[]): Promise<number> {
  const endedKeys = await tx
    .updateTable('apiKey')
    .set({ revokedAt: sql<Date>`now()` })
    .where('id', 'in', ids)
    .where('revokedAt', 'is', null)
    .returning(['id', 'name', 'placeId'])
    .execute()
  for (const { id, name, placeId } of endedKeys) {
    if (placeId === null) {
      await recordOwn(tx, ctx, userId, 'deleted', { key: { id, name } })
      continue
    }
    await allowWritesIn(tx, placeId)
    await recordActivity(tx, ctx, { verb: 'deleted', type: 'key', id, name: '', placeId }, userId)
  }
  return endedKeys.length
}
