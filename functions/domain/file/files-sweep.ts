import { removeBytes } from './files-stored.ts'
import type { Context } from '#functions/context.ts'
import { pendingUploadPrefix } from '#functions/engine/media/keys.ts'

/** Announced files that are not confirmed within a day are deleted. */
const patienceMs = 24 * 3600_000

/** The batch size for deleted files. */
const maxRemoved = 1000

/**
 * Deletes the bytes of deleted files that still have some: after an interrupted COMMIT, or an error of the storage.
 * Returns their number. Called every minute.
 */
export async function maintainFiles(ctx: Context): Promise<number> {
  const rows = await ctx.db
    .selectFrom('asset')
    .select(['id', 'key'])
    .where('deletedAt', 'is not', null)
    .where('bytesGoneAt', 'is', null)
    .orderBy('deletedAt')
    .limit(maxRemoved)
    .execute()
  await removeBytes(ctx, rows)
  return rows.length
}

/** Deletes announced files that were never confirmed: rows and bytes. Returns the number of each. Once a day is enough. */
export async function sweepFiles(ctx: Context): Promise<{ rows: number; objects: number }> {
  const before = new Date(ctx.now().getTime() - patienceMs)
  const { numDeletedRows } = await ctx.db
    .deleteFrom('asset')
    .where('state', '=', 'waiting')
    .where('expiresAt', '<', before)
    .executeTakeFirstOrThrow()
  let objects = 0
  let cursor: string | undefined
  do {
    const listing = await ctx.files.list({ prefix: pendingUploadPrefix, ...(cursor && { cursor }) })
    const old = listing.objects.filter(({ uploaded }) => uploaded < before).map(({ key }) => key)
    if (old.length) await ctx.files.delete(old)
    objects += old.length
    cursor = listing.truncated ? listing.cursor : undefined
  } while (cursor)
  return { rows: Number(numDeletedRows), objects }
}
