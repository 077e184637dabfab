import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { toStream } from '#functions/domain/importer/job/objects.ts'
import { storeStream } from '#functions/engine/export/prepared/store.ts'
import { zipFiles } from '#functions/engine/export/zip.ts'
import { archiveHours, archiveMinutes, createZeroCounts } from '#functions/shapes/archive.ts'
import { archiveKey, archivesPrefix } from './archives.ts'
import { archiveEntries, countFiles, type Progress } from './contents.ts'

/** How long one attempt may take until another may begin. */
const leaseSeconds = (archiveMinutes + 1) * 60
/** The maximal number of attempts. */
const maxAttempts = 3
/** For how many days rows of expired archives are kept. */
const lineDays = 30
/** How often progress is stored, in ms. */
const progressMs = 2000

/** Whether an archive is queued. Must run as the system actor. */
export async function areArchivesDue(ctx: Context): Promise<boolean> {
  const { rows } = await sql`
    select from place_archive where status in ('queued', 'running')
    and (lease_until is null or lease_until < clock_timestamp()) limit 1`.execute(ctx.db)
  return rows.length > 0
}

/**
 * Makes one queued archive, and sends another message where more are queued. A killed worker leaves only a lease behind;
 * when that expires the archive is made from the start. Must run as the system actor.
 */
export async function processArchives(ctx: Context): Promise<void> {
  const due = await claim(ctx)
  if (!due) return
  try {
    await make(ctx, due)
  } catch (error) {
    ctx.report(error, { during: 'makeArchive', archiveId: due.id })
    await retryOrFail(ctx, due)
  }
  if (await areArchivesDue(ctx)) ctx.wake('jobs')
}

/**
 * Deletes the bytes of expired archives and their old rows. Returns the number of archives whose bytes it deleted. Must
 * run as the system actor.
 */
export async function sweepArchives(ctx: Context): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from place_archive where status = 'ready' and expires_at <= ${ctx.now()} limit 100`.execute(
    ctx.db,
  )
  for (const { id } of rows) {
    await ctx.files.delete(archiveKey(id))
    await ctx.db.updateTable('placeArchive').set({ status: 'expired' }).where('id', '=', id).execute()
  }
  const before = new Date(ctx.now().getTime() - lineDays * 86_400_000)
  await ctx.db
    .deleteFrom('placeArchive')
    .where('status', 'in', ['expired', 'failed'])
    .where('createdAt', '<', before)
    .execute()
  return rows.length
}

/**
 * Deletes bytes that are older than any downloadable archive, whatever happened to their rows: those are deleted with a
 * purged place, and a worker may die before it stores one. By age alone, since the rows of some are in other databases.
 * Returns the number of deleted objects.
 */
export async function removeOldBytes(ctx: Context): Promise<number> {
  const before = ctx.now().getTime() - (archiveHours + 1) * 3_600_000
  let count = 0
  for (let cursor: string | undefined; ;) {
    const listing = await ctx.files.list({ prefix: archivesPrefix, ...(cursor !== undefined && { cursor }) })
    const old = listing.objects.filter(({ uploaded }) => uploaded.getTime() < before).map(({ key }) => key)
    if (old.length > 0) await ctx.files.delete(old)
    count += old.length
    if (!listing.truncated) return count
    cursor = listing.cursor
  }
}

interface DueArchive {
  id: string
  placeId: string
  attempts: number
}

async function claim(ctx: Context): Promise<DueArchive | undefined> {
  const { rows } = await sql<DueArchive>`
    update place_archive set status = 'running', attempts = attempts + 1, done = 0,
      lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}::float8)
    where id = (
      select id from place_archive where status in ('queued', 'running')
        and (lease_until is null or lease_until < clock_timestamp())
      order by created_at, id limit 1 for update skip locked)
    returning id, place_id, attempts`.execute(ctx.db)
  return rows[0]
}

async function make(ctx: Context, { id, placeId, attempts }: DueArchive): Promise<void> {
  const updateOwnRow = () =>
    ctx.db
      .updateTable('placeArchive')
      .where('id', '=', id)
      .where('status', '=', 'running')
      .where('attempts', '=', attempts)
  await updateOwnRow()
    .set({ files: await countFiles(ctx, placeId) })
    .execute()
  const progress: Progress = { counts: createZeroCounts(), files: [] }
  let shownAt = 0
  async function* entries() {
    for await (const entry of archiveEntries(ctx, placeId, progress)) {
      const now = Date.now()
      if (now - shownAt > progressMs) {
        shownAt = now
        const { numUpdatedRows } = await updateOwnRow()
          .set({ done: progress.files.length })
          .executeTakeFirstOrThrow()
        // It was deleted, or another worker has taken it over.
        if (numUpdatedRows === 0n) throw new Error('The archive is not wanted any more.')
      }
      yield entry
    }
  }
  async function* zipChunks() {
    yield* zipFiles(entries(), ctx.now())
  }
  const { bytes, sha256 } = await storeStream(
    ctx.files,
    archiveKey(id),
    toStream(zipChunks()),
    'application/zip',
  )
  const now = ctx.now()
  const { numUpdatedRows } = await updateOwnRow()
    .set({
      ...{ status: 'ready', done: progress.files.length, files: progress.files.length, leaseUntil: null },
      ...{ counts: JSON.stringify(progress.counts), size: String(bytes), sha256, finishedAt: now },
      expiresAt: new Date(now.getTime() + archiveHours * 3_600_000),
      error: null,
    })
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return
  const row = await ctx.db.selectFrom('placeArchive').select('id').where('id', '=', id).executeTakeFirst()
  if (!row) await ctx.files.delete(archiveKey(id))
}

/** After an error: schedules a retry, or gives up after the last attempt. */
async function retryOrFail(ctx: Context, { id, attempts }: DueArchive): Promise<void> {
  const isOver = attempts >= maxAttempts
  await ctx.db
    .updateTable('placeArchive')
    .set(
      isOver
        ? {
            status: 'failed' as const,
            finishedAt: ctx.now(),
            leaseUntil: null,
            error: `It could not be made: ${maxAttempts} attempts broke off. While records change it cannot be whole; try again at a quiet time.`,
          }
        : { status: 'queued' as const, leaseUntil: new Date(ctx.now().getTime() + 60_000) },
    )
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('attempts', '=', attempts)
    .execute()
}
