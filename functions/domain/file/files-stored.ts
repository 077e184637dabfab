import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { isPassing } from '#functions/domain/importer/job/errors.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { emitThemeChange } from '#functions/domain/place/theme-pictures.ts'
import { newRowColumns } from '#functions/domain/noun/versions.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { buildStorageKey } from '#functions/engine/media/keys.ts'
import { forgetUpload, storeFile, acceptUpload } from '#functions/engine/media/store.ts'
import { uploadTarget } from '#functions/engine/media/target.ts'
import { parserByEnding } from '#functions/shapes/parser/index.ts'
import { formatTooLargeFile } from '#functions/shapes/parser/size.ts'
import { maxFileBytes, maxFormFileBytes, type Announced } from '#functions/shapes/file.ts'
import type { Tx } from '#db/schema.ts'

/** The owner of a file: a place or a person, in a library, beside it (a logo), or as data of a source. */
export interface Owner {
  placeId: string | null
  userId: string | null
  purpose: 'library' | 'place' | 'source'
  sourceId: string | null
}

export const fileColumns = [
  'asset.id',
  'asset.placeId',
  'asset.userId',
  'asset.folderId',
  'asset.name',
  'asset.type',
  'asset.size',
  'asset.key',
  'asset.state',
  'asset.hash',
  'asset.width',
  'asset.height',
  'asset.alt',
  'asset.focalX',
  'asset.focalY',
  'asset.version',
  'asset.createdAt',
  'asset.updatedAt',
  'asset.missingAt',
] as const

/** How long an upload URL is valid, in ms. */
const uploadMs = 15 * 60_000

/** Most bytes of all files of a place, and of a person's own. */
const budgets = { place: 20_000_000_000, person: 500_000_000 }

/** The files of an owner that are not deleted. */
export function ownedBy({ placeId, userId, purpose, sourceId }: Owner): RawBuilder<SqlBool> {
  const whose =
    placeId === null
      ? sql`asset.user_id = ${userId} and asset.place_id is null`
      : sql`asset.place_id = ${placeId}`
  const source = sourceId === null ? sql`asset.source_id is null` : sql`asset.source_id = ${sourceId}`
  return sql<SqlBool>`(${whose} and asset.purpose = ${purpose} and ${source} and asset.deleted_at is null)`
}

/**
 * Announces a file: stores its row, and returns the URL that accepts its bytes for 15 minutes. `id`: the requested one,
 * which must be free.
 */
export async function announce(
  ctx: Context,
  owner: Owner,
  { name, type, size, folderId = null }: Announced & { folderId?: string | null },
  id: string = crypto.randomUUID(),
) {
  if (size > maxFileBytes)
    throw new Failure('tooLarge', {
      message: describeTooLargeFile(owner, name, size),
      issues: [{ path: ['size'], value: size, message: 'Must be 100 MB at most.' }],
    })
  await expectRoom(ctx, owner, size)
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + uploadMs)
  await insert(ctx, ctx.db, owner, { id, name, type, size, folderId, expiresAt })
  const upload = { fileId: id, type, size, expiresAt }
  const target = await uploadTarget(upload, ctx.settings, ctx.site.origin, now)
  return { ...target, fileId: id, expiresAt }
}

/** Why a file is too large, and what to do: data files by their format. */
function describeTooLargeFile({ purpose }: Owner, name: string, size: number): string {
  const parser =
    purpose === 'library' ? undefined : parserByEnding.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '')
  return parser === undefined ? 'A file may have 100 MB.' : formatTooLargeFile(parser, maxFileBytes, size)
}

/**
 * Stores a file that was sent in the request. Returns its id; nothing remains of a rejected one. Whether an interrupted
 * COMMIT succeeded is unknown: the bytes stay, and the nightly check deletes them if no row has them.
 */
export async function storeSentFile(
  ctx: Context,
  owner: Owner,
  file: File,
  name: string,
  after: (tx: Tx, id: string) => Promise<void>,
): Promise<string> {
  if (file.size > maxFormFileBytes)
    throw new Failure('tooLarge', {
      message: 'A file of a form may have 25 MB; larger ones are announced first.',
    })
  await expectRoom(ctx, owner, file.size)
  const id = crypto.randomUUID()
  const key = buildStorageKey(id, owner.purpose)
  const inspection = await storeFile(ctx.files, key, file)
  let isCommitting = false
  try {
    await ctx.transaction(async (tx) => {
      await insert(ctx, tx, owner, {
        id,
        name,
        ...inspection,
        size: file.size,
        state: 'ready',
        folderId: null,
      })
      await after(tx, id)
      isCommitting = true
    })
  } catch (error) {
    if (!isCommitting) await ctx.files.delete(key)
    throw error
  }
  return id
}

/** The announced files of a place that nobody has confirmed yet: any of its sources may become their owner. */
export function isAnnouncedFile(placeId: string | null): RawBuilder<SqlBool> {
  const owned = ownedBy({ placeId, userId: null, purpose: 'place', sourceId: null })
  return sql<SqlBool>`(${owned} and asset.state = 'waiting')`
}

/**
 * Confirms an announced file once: validates its bytes, stores them, and writes their properties to the row. A source also
 * takes a file that was announced for its place. The row is locked, so that nobody confirms or deletes it concurrently. False
 * when the owner has no such file.
 */
export async function confirm(
  ctx: Context,
  owner: Owner,
  fileId: string,
  after: (tx: Tx, file: { id: string; name: string }) => Promise<void>,
): Promise<boolean> {
  const isThere = await ctx.transaction(async (tx) => {
    const row = await tx
      .selectFrom('asset')
      .select(['asset.id', 'asset.name', 'asset.type', 'asset.size', 'asset.state'])
      .where((eb) =>
        owner.purpose === 'source' ? eb.or([ownedBy(owner), isAnnouncedFile(owner.placeId)]) : ownedBy(owner),
      )
      .where('asset.id', '=', fileId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return false
    if (row.state === 'ready') return true
    const key = buildStorageKey(fileId, owner.purpose)
    const inspection = await acceptUpload(ctx.files, { ...row, key, size: Number(row.size) }, row)
    try {
      await tx
        .updateTable('asset')
        .set({ ...inspection, ...owner, key, state: 'ready', expiresAt: null, updatedAt: ctx.now() })
        .where('id', '=', fileId)
        .execute()
      await after(tx, row)
    } catch (error) {
      // A lost connection releases the lock: another request may have confirmed the same bytes by now.
      if (!isPassing(error)) await ctx.files.delete(key)
      throw error
    }
    return true
  })
  if (isThere) await forgetUpload(ctx.files, fileId)
  return isThere
}

/** A file that was marked as deleted. */
interface RemovedFile {
  id: string
  name: string
  key: string
  placeId: string | null
}

/** Marks files as deleted in a transaction; returns them. */
type RemoveFiles = (which: RawBuilder<SqlBool>) => Promise<RemovedFile[]>

/**
 * Runs a write that deletes files permanently, and wakes the queue. The bytes are deleted once the transaction has
 * committed, before the response; those that could not be deleted then, or belong to an interrupted COMMIT, are deleted
 * within a minute (`maintainFiles`). All files must have one owner.
 */
export async function writeRemoving<Result>(
  ctx: Context,
  run: (tx: Tx, remove: RemoveFiles) => Promise<Result>,
): Promise<Result> {
  const removals: RemovedFile[] = []
  const result = await write(ctx, (tx) =>
    run(tx, async (which) => {
      const rows = await markRemoved(ctx, tx, which)
      removals.push(...rows)
      return rows
    }),
  )
  await removeBytes(ctx, removals).catch((error: unknown) => ctx.report(error, { during: 'removeBytes' }))
  return result
}

async function markRemoved(ctx: Context, tx: Tx, which: RawBuilder<SqlBool>): Promise<RemovedFile[]> {
  const rows = await tx
    .updateTable('asset')
    // Increments the version, so that an update based on the old one conflicts.
    .set((eb) => ({ deletedAt: ctx.now(), updatedAt: ctx.now(), version: eb('version', '+', 1) }))
    .where(which)
    .returning(['asset.id', 'asset.name', 'asset.key', 'asset.placeId'])
    .execute()
  const ids = rows.map(({ id }) => id)
  await emitThemeChange(tx, rows[0]?.placeId ?? null, ids)
  return rows
}

/** Deletes the bytes of files whose rows are marked as deleted, and records that they are gone. */
export async function removeBytes(ctx: Context, rows: readonly { id: string; key: string }[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 1000) {
    const some = rows.slice(from, from + 1000)
    await ctx.files.delete(some.map(({ key }) => key))
    const ids = some.map(({ id }) => id)
    await ctx.db
      .updateTable('asset')
      .set({ bytesGoneAt: ctx.now() })
      .where(sql<SqlBool>`id = any(${ids}::text[])`)
      .where('deletedAt', 'is not', null)
      .execute()
  }
}

async function insert(
  ctx: Context,
  db: Pick<Tx, 'insertInto'>,
  owner: Owner,
  file: {
    id: string
    name: string
    type: string
    size: number
    folderId: string | null
    state?: 'ready'
    expiresAt?: Date
    hash?: string
    width?: number | null
    height?: number | null
  },
) {
  const key = buildStorageKey(file.id, owner.purpose)
  await db
    .insertInto('asset')
    .values({ ...file, ...owner, key, ...newRowColumns(ctx) })
    .execute()
}

async function expectRoom(ctx: Context, { placeId, userId }: Owner, size: number) {
  const { used } = await ctx.db
    .selectFrom('asset')
    .select(sql<string>`coalesce(sum(size), 0)`.as('used'))
    .where('deletedAt', 'is', null)
    .$if(placeId !== null, (q) => q.where('placeId', '=', placeId))
    .$if(placeId === null, (q) => q.where('placeId', 'is', null).where('userId', '=', userId))
    .executeTakeFirstOrThrow()
  const budget = placeId === null ? budgets.person : budgets.place
  if (Number(used) + size > budget)
    throw new Failure('tooLarge', {
      message: `There is room for ${budget / 1_000_000} MB of files, and no more.`,
    })
}
