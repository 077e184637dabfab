import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { reopenDays } from '#functions/shapes/place-closing.ts'

/** One day more than a closed place can be reopened, so that a reopening never races with the purge. */
const purgeDays = reopenDays + 1
/** The limits of one night: rows of one statement, statements. The rest follows in the next. */
const usual = { rows: 5_000, statements: 400 }

/** Nouns that are marked as deleted here, and purged by `purgeDeleted`. */
const nouns = [
  'page',
  'collection',
  'insight',
  'importer',
  'observer',
  'boundary_set',
  'source',
  'asset',
] as const

/**
 * Marks everything in places that were closed more than 30 days ago as deleted: `purgeDeleted` then purges it, with its
 * files. Data types with records of other places stay. Called every night, as the product, with closed places visible.
 * Returns the number of marked rows.
 */
export async function markClosed(ctx: Context, { rows, statements } = usual): Promise<number> {
  let [markCount, rest] = [0, statements]
  for (const { placeId, closedAt } of await dueClosed(ctx))
    for (const table of [...nouns, 'data_type'] as const)
      for (let isMore = true; isMore && rest > 0; rest -= 1) {
        const belongsToPlace =
          table === 'data_type'
            ? sql`owner_place_id = ${placeId} and not exists (
                select from source s where s.data_type_id = t.id and s.place_id <> ${placeId}
                union all select from insight i where i.data_type_id = t.id and i.place_id <> ${placeId}
                union all select from observer o where o.data_type_id = t.id and o.place_id <> ${placeId})`
            : sql`place_id = ${placeId}`
        const { numAffectedRows } = await sql`
          update ${sql.table(table)} set deleted_at = ${closedAt} where id = any(array(
            select id from ${sql.table(table)} t where ${belongsToPlace} and (deleted_at is null or deleted_at > ${closedAt})
            limit ${rows}::int))`.execute(ctx.db)
        markCount += Number(numAffectedRows ?? 0)
        isMore = Number(numAffectedRows ?? 0) >= rows
      }
  return markCount
}

/**
 * Purges places of which only dependent rows are left (people, roles, hosts, counts), with their names. Their ids and
 * hosts stay reserved. Called after `purgeDeleted`, as the product, with closed places visible. Returns the number of
 * purged places.
 */
export async function endClosed(ctx: Context, { rows, statements } = usual): Promise<number> {
  let [endCount, rest] = [0, statements]
  for (const { placeId } of await dueClosed(ctx)) {
    if (await hasNouns(ctx, placeId)) continue
    for (const table of await tablesOfPlaces(ctx))
      for (let isMore = true; isMore; rest -= 1) {
        if (rest <= 0) return endCount
        const { numAffectedRows } = await sql`
          delete from ${sql.table(table)} where ctid = any(array(
            select ctid from ${sql.table(table)} where place_id = ${placeId} limit ${rows}::int))`.execute(
          ctx.db,
        )
        isMore = Number(numAffectedRows ?? 0) >= rows
      }
    if (await forget(ctx, placeId)) endCount += 1
  }
  return endCount
}

/** The places that were closed so long ago, the first first. */
function dueClosed(ctx: Context) {
  const before = new Date(ctx.now().getTime() - purgeDays * 86_400_000)
  return ctx.db
    .selectFrom('closedPlace')
    .select(['placeId', 'closedAt'])
    .where('closedAt', '<', before)
    .where('reopenedAt', 'is', null)
    .where('purgedAt', 'is', null)
    .orderBy('closedAt')
    .limit(100)
    .execute()
}

/**
 * Whether anything is left that is purged over time. A source that others refer to keeps its row, and counts no more
 * once it is empty.
 */
async function hasNouns(ctx: Context, placeId: string): Promise<boolean> {
  const each = nouns.map((table) =>
    table === 'source'
      ? sql`select from source s join source_stat t on t.source_id = s.id where s.place_id = ${placeId}`
      : sql`select from ${sql.table(table)} where place_id = ${placeId}`,
  )
  const { rows } = await sql<{ isAny: boolean }>`
    select exists (${sql.join(each, sql` union all `)}) as is_any`.execute(ctx.db)
  return rows[0]?.isAny === true
}

/**
 * Every table of the database with a place column, except those that remain: reserved ids and hosts, the audit log
 * (append-only, expires by itself), pending notifications, and sources that others refer to.
 */
async function tablesOfPlaces(ctx: Context): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname::text as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'place_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and c.relname <> all(array['closed_place', 'activity', 'outbox', 'source'])
    order by c.relname`.execute(ctx.db)
  return rows.map(({ name }) => name)
}

/** Deletes everything of a place but its id. False: it was reopened meanwhile. */
async function forget(ctx: Context, placeId: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('closedPlace')
      .set({ purgedAt: ctx.now(), closedBy: null })
      .where('placeId', '=', placeId)
      .where('reopenedAt', 'is', null)
      .where('purgedAt', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    const nothing = { description: '', about: '', publisher: '', contact: '', privacy: '', theme: '{}' }
    await tx
      .updateTable('place')
      .set({ name: placeId, displayName: placeId, ...nothing, mapConfiguration: '{}' })
      .set({ boundaryId: null, ownBoundary: null, allStatesBoundaryId: null, createdBy: null, isHub: false })
      .where('id', '=', placeId)
      .execute()
    await recordActivity(
      tx,
      ctx,
      { verb: 'purged', type: 'place', id: placeId, name: placeId, placeId: null },
      null,
    )
    return true
  })
}
