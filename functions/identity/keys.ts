import { sql } from 'kysely'
import { Failure } from '#functions/errors.ts'
import type { Db } from '#db/schema.ts'

/** A key as it is shown, once: `key` is stored nowhere. */
export interface NewKey {
  id: string
  key: string
  prefix: string
}

/** A key as its owner sees it later. */
export interface KeyInfo {
  id: string
  name: string
  prefix: string
  lastUsedAt: Date | null
  createdAt: Date
}

/**
 * What the web app sends as `key`: it says "this is the app", names nobody and opens nothing. The cookie says
 * who asks.
 */
export const clientKey = 'cpw_app'

/** Whether a text can be a key at all: what it opens, or null. Saves the database the question. */
export function kindOfKey(text: string): 'account' | 'source' | null {
  const kind = /^cp([ks])_[A-Za-z0-9_-]{43}$/.exec(text)?.[1]
  return kind === 'k' ? 'account' : kind === 's' ? 'source' : null
}

/** SHA-256 of a text, hex. Keys are 256 random bits, so no salt and no slow hash is needed. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Makes a key that acts as the user. */
export async function createAccountKey(db: Db, userId: string, name: string): Promise<NewKey> {
  return store(db, 'cpk_', { userId, sourceId: null, placeId: null, scope: 'account', name })
}

/** Makes a key that may write the data of one source and nothing else. Throws `notFound` without that source. */
export async function createSourceKey(db: Db, sourceId: string, name: string): Promise<NewKey> {
  const source = await db
    .selectFrom('source')
    .select('placeId')
    .where('id', '=', sourceId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!source) throw new Failure('notFound')
  return store(db, 'cps_', { userId: null, sourceId, placeId: source.placeId, scope: 'source', name })
}

/** The unrevoked keys of a user or of a source, newest first. Never the keys themselves. */
export async function listKeys(db: Db, owner: { userId: string } | { sourceId: string }): Promise<KeyInfo[]> {
  return ownedBy(db, owner)
    .select(['id', 'name', 'prefix', 'lastUsedAt', 'createdAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
}

/** Ends a key of the owner at once; false if the owner has no such key. */
export async function revokeKey(
  db: Db,
  id: string,
  owner: { userId: string } | { sourceId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('apiKey')
    .set({ revokedAt: sql<Date>`now()` })
    .where('id', 'in', ownedBy(db, owner).select('id').where('id', '=', id))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function ownedBy(db: Db, owner: { userId: string } | { sourceId: string }) {
  const keys = db.selectFrom('apiKey').where('revokedAt', 'is', null)
  return 'userId' in owner
    ? keys.where('userId', '=', owner.userId)
    : keys.where('sourceId', '=', owner.sourceId)
}

interface Owner {
  userId: string | null
  sourceId: string | null
  placeId: string | null
  scope: 'account' | 'source'
  name: string
}

async function store(db: Db, start: 'cpk_' | 'cps_', owner: Owner): Promise<NewKey> {
  const random = crypto.getRandomValues(new Uint8Array(32))
  const text = btoa(String.fromCharCode(...random))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
  const [id, key] = [crypto.randomUUID(), start + text]
  const prefix = key.slice(0, 10)
  await db
    .insertInto('apiKey')
    .values({ id, hash: await hashOf(key), prefix, ...owner })
    .execute()
  return { id, key, prefix }
}
