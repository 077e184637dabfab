import { removeBytes } from './filesStored.ts'
import type { Context } from '#functions/context.ts'
import { comingPrefix } from '#functions/engine/media/keys.ts'

/** What was announced and not confirmed is given up a day after. */
const patienceMs = 24 * 3600_000

/** How many deleted files one go looks at. */
const mostRemoved = 1000

/**
 * Removes the bytes of files that are deleted and still have some: of a COMMIT whose answer was lost, or of a storage that did not let
 * go of them. Gives how many. Each minute.
 */
export async function tendFiles(ctx: Context): Promise<number> {
  const rows = await ctx.db
    .selectFrom('asset')
    .select(['id', 'key'])
    .where('deletedAt', 'is not', null)
    .where('bytesGoneAt', 'is', null)
    .orderBy('deletedAt')
    .limit(mostRemoved)
    .execute()
  await removeBytes(ctx, rows)
  return rows.length
}

/** Removes what was announced and never confirmed: rows and bytes. Gives how many of each. Once a day is enough. */
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
    const listing = await ctx.files.list({ prefix: comingPrefix, ...(cursor && { cursor }) })
    const old = listing.objects.filter(({ uploaded }) => uploaded < before).map(({ key }) => key)
    if (old.length) await ctx.files.delete(old)
    objects += old.length
    cursor = listing.truncated ? listing.cursor : undefined
  } while (cursor)
  return { rows: Number(numDeletedRows), objects }
}
