import { sql } from 'kysely'
import { addCounts, endPass, readCheck, saveCheck, type Check } from './check.ts'
import type { Context } from '#functions/context.ts'

/** The compared sides: the bucket of files, and the rows of every database. */
export interface Storage {
  files: R2Bucket
  /** The database that stores the progress, as the product. */
  home: Context
  /**
   * Queries every database, as the product, and returns their results in a fixed order. Throws when one of them does not
   * answer: then the owner of an object is unknown, and nothing may be deleted.
   */
  askAll<Result>(question: (ctx: Context) => Promise<Result>): Promise<Result[]>
}

/** Limits of one night for each part: the number of lists and of names per list. */
export interface SweepLimits {
  lists: number
  names: number
  /**
   * The maximal number of deleted objects without rows: more of them would indicate a database that lost
   * rows.
   */
  deleted: number
}
const usual: SweepLimits = { lists: 200, names: 1000, deleted: 5000 }

/** Younger ones may be in progress: an object before its row, a row whose object was just stored. */
const graceMs = 24 * 3600_000

/** Key prefixes of validated files: see `buildStorageKey`. */
const parts = ['a/', 'd/'] as const

interface Row {
  id: string
  key: string
  isLive: boolean
  isOld: boolean
  isMissing: boolean
}

/**
 * Compares files and their rows in both directions, continuing where the night before ended. Objects without a row are
 * deleted a day after they were stored; rows without an object are marked (`missingAt`), so that people are notified,
 * and unmarked when it is back. Returns the parts that were completed.
 */
export async function checkFiles(storage: Storage, most = usual): Promise<string[]> {
  const endedPlaces: string[] = []
  for (const part of parts) if (await checkPart(storage, part, most)) endedPlaces.push(part)
  return endedPlaces
}

async function checkPart(storage: Storage, part: string, most: SweepLimits): Promise<boolean> {
  let check = await readCheck(storage.home.db, part)
  let deletionsLeft = most.deleted
  for (let lists = 0; lists < most.lists; lists += 1) {
    const { to, counts } = await checkStretch(storage, part, check, { ...most, deleted: deletionsLeft })
    deletionsLeft -= counts.deleted
    check = { part, cursor: to ?? '', counts: addCounts(check.counts, counts) }
    if (to === null) {
      await endPass(storage.home, check)
      return true
    }
    await saveCheck(storage.home, check)
  }
  return false
}

/** Objects and rows after a name. `to`: the last name that was checked; null: there are no more. */
async function checkStretch(
  { files, home, askAll }: Storage,
  part: string,
  { cursor }: Check,
  most: SweepLimits,
) {
  const now = home.now().getTime()
  const from = cursor ? { startAfter: cursor } : {}
  const list = await files.list({ prefix: part, limit: most.names, ...from })
  const lastKey = list.truncated ? (list.objects.at(-1)?.key ?? null) : null
  const matches = await askAll((ctx) => rowsAfter(ctx, part, cursor, lastKey, most.names))
  // The rows of a database are limited too: the stretch ends where the first limit was reached.
  const ends = matches.flatMap((rows) => (rows.length >= most.names ? [rows.at(-1)?.key ?? ''] : []))
  const to = [...ends, ...(lastKey === null ? [] : [lastKey])].sort()[0] ?? null
  const isWithin = ({ key }: { key: string }) => to === null || key <= to
  const rows = matches.flat().filter(isWithin)
  const objects = list.objects.filter(isWithin)
  const there = new Set(objects.map(({ key }) => key))
  // Unconfirmed files are deleted elsewhere; deleted ones have no row any more.
  const ownedKeys = new Set(rows.map(({ key }) => key))
  const alone = objects.filter(
    ({ key, uploaded }) => !ownedKeys.has(key) && now - uploaded.getTime() > graceMs,
  )
  const deletedKeys = alone.slice(0, most.deleted).map(({ key }) => key)
  if (deletedKeys.length > 0) await files.delete(deletedKeys)
  if (deletedKeys.length < alone.length)
    home.report(new Error(`${alone.length} objects without rows in one go: not all are deleted.`), { part })
  const missing: string[] = []
  for (const { id, key, isLive, isOld } of rows)
    if (isLive && isOld && !there.has(key) && (await files.head(key)) === null) missing.push(id)
  const back = rows.filter(({ key, isMissing }) => isMissing && there.has(key)).map(({ id }) => id)
  if (missing.length + back.length > 0) await askAll((ctx) => mark(ctx, missing, back))
  const counts = {
    ...{ objects: objects.length, rows: rows.filter(({ isLive }) => isLive).length },
    ...{ orphans: alone.length, deleted: deletedKeys.length, missing: missing.length, back: back.length },
  }
  return { to, counts }
}

/** Files that are not deleted, in the order of the bucket, after a name and up to another (null: to the end of the part). */
async function rowsAfter(
  ctx: Context,
  part: string,
  after: string,
  to: string | null,
  limit: number,
): Promise<Row[]> {
  const before = new Date(ctx.now().getTime() - graceMs)
  const { rows } = await sql<Row>`
    select id, key, state = 'ready' as is_live, updated_at < ${before} as is_old, missing_at is not null as is_missing
    from asset
    where deleted_at is null and key collate "C" > ${after || part} collate "C" and starts_with(key, ${part})
      and (${to}::text is null or key collate "C" <= ${to}::text collate "C")
    order by key collate "C" limit ${limit}`.execute(ctx.db)
  return rows
}

async function mark(ctx: Context, missing: string[], back: string[]): Promise<void> {
  await sql`
    update asset set missing_at = case when id = any(${missing}::text[]) then coalesce(missing_at, ${ctx.now()}) end
    where id = any(${[...missing, ...back]}::text[]) and deleted_at is null`.execute(ctx.db)
}
