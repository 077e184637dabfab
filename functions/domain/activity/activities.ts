import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { sortBy, listRows } from '#functions/domain/noun/paging.ts'
import { whereRowsVisible, type PlacedNoun } from '#functions/domain/noun/visible.ts'
import { isAllowed, noSubject } from '#functions/domain/access/allowed.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import { compareNames } from '#functions/shapes/compare-names.ts'
import type { Context } from '#functions/context.ts'
import type { ListOptions } from '#functions/shapes/options.ts'

/** Lines that were not hidden by the place. */
const isShown = sql<boolean>`not exists (
  select from activity_hidden h where h.activity_id = ${sql.ref('activity.id')})`

/** The name of a key says what it is for, so it is shown only to those who may manage keys. */
const nameUnlessOfKey = sql<string>`case when ${sql.ref('activity.targetType')} = 'key' then ''
  else ${sql.ref('activity.targetName')} end`.as('targetName')

const placedNouns = ['source', 'insight', 'collection', 'page', 'boundarySet'] as const

/** An entry contains the name of its subject, so it is shown only to those who may see that, even after it was deleted. */
function isOfSeen(ctx: Context): RawBuilder<SqlBool> {
  const [type, id] = [sql.ref('activity.targetType'), sql.ref('activity.targetId')]
  // Not `not`: the author of a row may be null, and then this is neither true nor false.
  const buildHiddenCondition = (noun: PlacedNoun) =>
    sql`${sql.ref(`${noun}.visibility`)} = 'private' and ${whereRowsVisible(ctx, noun, 'private', sql`true`)} is not true`
  const rows = placedNouns.map(
    (noun) => sql`not (${type} = ${noun} and exists (
      select from ${sql.table(noun)} where ${sql.ref(`${noun}.id`)} = ${id} and ${buildHiddenCondition(noun)}))`,
  )
  const contents = sql`not (${type} = 'content' and exists (
    select from content join page on page.id = content.page_id where content.id = ${id} and ${buildHiddenCondition('page')}))`
  const texts = sql`not (${type} = 'text' and exists (
    select from collection_text join collection on collection.id = collection_text.collection_id
    where collection_text.id = ${id} and ${buildHiddenCondition('collection')}))`
  // Importers and their runs contain the names of what they import.
  const importers = sql`not (${type} = 'importer' and exists (
    select from importer join source on source.id = importer.source_id
    where importer.id = ${id} and ${buildHiddenCondition('source')}))`
  const runs = sql`not (${type} = 'job' and exists (
    select from job join importer on importer.id = job.importer_id join source on source.id = importer.source_id
    where job.id = ${id} and ${buildHiddenCondition('source')}))`
  return sql<SqlBool>`(${sql.join([...rows, contents, texts, importers, runs], sql` and `)})`
}

/**
 * The audit log of a place, newest first, with the name of the person (null: the product itself, or the holder of a
 * source's key). Names of keys are blank for those who may not see the keys of the place. Hidden entries, and those
 * about rows that the actor may not see, are left out. `most`: the maximal page size, by default that of all lists.
 */
export async function find(ctx: Context, request: NounRequest<ListOptions>, most?: number) {
  const placeId = param(request, 'placeId')
  const seesKeys = isAllowed(ctx.actor, 'sourceKey.read', { ...noSubject, placeId }, await loadGrants(ctx))
  const query = ctx.db
    .selectFrom('activity')
    .leftJoin('user', 'user.id', 'activity.actorId')
    .select([
      'activity.id',
      'activity.at',
      'activity.verb',
      'activity.targetType',
      'activity.targetId',
      seesKeys ? 'activity.targetName' : nameUnlessOfKey,
      'activity.counts',
      'activity.actorId',
      'user.name as actorName',
    ])
    .where('activity.placeId', '=', placeId)
    .where(isShown)
    .where(isOfSeen(ctx))
  const listing = { table: 'activity', order: [sortBy('at', 'desc', 'date')] }
  return listRows(ctx, query, listing, request.options, most)
}

/** Maximum number of people that `findActors` returns. */
const maxActors = 1000

/**
 * Everyone who did something in a place, by name, as far as `find` shows the actor an entry of theirs: also people who
 * left since, and staff. At most a thousand.
 */
export async function findActors(ctx: Context, request: NounRequest) {
  const results = await ctx.db
    .selectFrom('user')
    .select(['user.id', 'user.name'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('activity')
          .select('activity.id')
          .whereRef('activity.actorId', '=', 'user.id')
          .where('activity.placeId', '=', param(request, 'placeId'))
          .where(isShown)
          .where(isOfSeen(ctx)),
      ),
    )
    .orderBy('user.name')
    .orderBy('user.id')
    .limit(maxActors)
    .execute()
  results.sort((a, b) => compareNames(a.name, b.name))
  return { results, meta: { results: results.length, total: results.length } }
}

/**
 * Hides an entry from the lists of a place's audit log. The entry itself remains: the log is append-only. Undefined
 * where there is no such entry, or it is hidden already.
 */
export async function deleteById(ctx: Context, request: NounRequest) {
  const id = param(request, 'activityId')
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('activityHidden')
    .columns(['activityId', 'placeId', 'hiddenBy', 'hiddenAt'])
    .expression((eb) =>
      eb
        .selectFrom('activity')
        .select(['id', 'placeId'])
        .select([
          sql<string | null>`${ctx.actor.user?.id ?? null}::text`.as('hiddenBy'),
          sql<Date>`${ctx.now()}::timestamptz`.as('hiddenAt'),
        ])
        .where('id', '=', id)
        .where('placeId', '=', param(request, 'placeId')),
    )
    .onConflict((conflict) => conflict.column('activityId').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows ? { id } : undefined
}

/** Deletes entries older than one year, 50,000 at most, and returns their number. Must run as the system actor. */
export async function sweepActivities({ db }: Context): Promise<number> {
  const { rows } = await sql<{ count: string }>`select sweep_activity() as count`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
