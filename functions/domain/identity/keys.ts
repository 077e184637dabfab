import { hex, sha256 } from '#functions/platform/digest.ts'
import { sql } from 'kysely'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { keyDays, type AccountScope, type KeyScope } from '#functions/shapes/key-scope.ts'
import type { ListOptions, Page } from '#functions/shapes/options.ts'
import { chooseFirstNotice } from './key-notices.ts'
import type { Db, Tx } from '#db/schema.ts'

/** A newly created key. `key` is shown once and not stored. */
interface MadeKey extends KeyInfo {
  key: string
}

/** A key as it is listed later. */
interface KeyInfo {
  id: string
  name: string
  prefix: string
  scope: KeyScope
  /** Accurate to the hour. */
  lastUsedAt: Date | null
  expiresAt: Date
  createdAt: Date
}

/** The kind of key that a text can be by its format; null: none, which saves a query. */
export function kindOfKey(text: string): 'account' | 'source' | null {
  const kind = /^cp([ks])_[A-Za-z0-9_-]{43}$/.exec(text)?.[1]
  return kind === 'k' ? 'account' : kind === 's' ? 'source' : null
}

/** SHA-256 of a text in hexadecimal. Keys are 256 random bits, so neither salt nor a slow hash is needed. */
export async function hashText(text: string): Promise<string> {
  return hex(await sha256(text))
}

/** Creates a key that acts as the user within its scope, valid for so many days. */
export async function createAccountKey(
  db: Db,
  userId: string,
  name: string,
  scope: AccountScope = 'account',
  days = keyDays.usual,
): Promise<MadeKey> {
  const owner = { userId, sourceId: null, placeId: null, createdBy: userId }
  return store(db, 'cpk_', { ...owner, scope, name }, days)
}

/**
 * Creates a key that may only write the data of one source, valid for so many days. `createdBy`: the user who
 * creates it, null for the system. Failure `notFound` without that source.
 */
export async function createSourceKey(
  db: Db,
  sourceId: string,
  name: string,
  createdBy: string | null = null,
  days = keyDays.usual,
): Promise<MadeKey> {
  const source = await db
    .selectFrom('source')
    .select('placeId')
    .where('id', '=', sourceId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!source) throw new Failure('notFound')
  const owner = { userId: null, sourceId, placeId: source.placeId, createdBy }
  return store(db, 'cps_', { ...owner, scope: 'source', name }, days)
}

/** The owner of keys: a person or a source. */
type KeyOwner = { userId: string } | { sourceId: string }

/**
 * The unrevoked keys of a user or source, including expired ones, newest first. Never the keys themselves.
 */
export async function listKeys(
  ctx: Pick<Context, 'db' | 'settings'>,
  owner: KeyOwner,
  options: ListOptions = {},
): Promise<Page<KeyInfo>> {
  const query = ownedBy(ctx.db, owner).select(columns)
  return listRows(
    ctx,
    query,
    {
      table: 'apiKey',
      order: [sortBy('createdAt', 'desc', 'date')],
      searchColumns: ['apiKey.name', 'apiKey.prefix'],
    },
    options,
  )
}

/** Most valid keys of an owner. */
const maxKeys = 50

/** Failure `conflict` when the owner has the most keys allowed. Lock the owner's row before. */
export async function requireRoom(tx: Tx, owner: KeyOwner): Promise<void> {
  const { count } = await ownedBy(tx, owner)
    .where('expiresAt', '>', sql<Date>`now()`)
    .select(sql<string>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) < maxKeys) return
  throw new Failure('conflict', { message: `There are ${maxKeys} keys already. Revoke one first.` })
}

/** Revokes a key; false if the owner has no such key. */
export async function revokeKey(db: Db, id: string, owner: KeyOwner): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('apiKey')
    .set({ revokedAt: sql<Date>`now()` })
    .where('id', 'in', ownedBy(db, owner).select('id').where('id', '=', id))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function ownedBy(db: Db, owner: KeyOwner) {
  const keys = db.selectFrom('apiKey').where('revokedAt', 'is', null)
  return 'userId' in owner
    ? keys.where('userId', '=', owner.userId)
    : keys.where('sourceId', '=', owner.sourceId)
}

interface Owner {
  userId: string | null
  sourceId: string | null
  placeId: string | null
  createdBy: string | null
  scope: KeyScope
  name: string
}

async function store(db: Db, start: 'cpk_' | 'cps_', owner: Owner, days: number): Promise<MadeKey> {
  const [id, key] = [crypto.randomUUID(), start + randomText()]
  const row = await db
    .insertInto('apiKey')
    .values({
      ...{ id, hash: await hashText(key), prefix: key.slice(0, 10), ...owner },
      expiresAt: sql<Date>`now() + make_interval(days => ${days})`,
      nextNotice: chooseFirstNotice(days),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return { ...row, key }
}

const columns = ['id', 'name', 'prefix', 'scope', 'lastUsedAt', 'expiresAt', 'createdAt'] as const

/** 256 random bits in base64url (43 characters). */
export function randomText(): string {
  const random = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...random))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}
