import { sql } from 'kysely'
import * as dataTypes from '#functions/domain/data-type/data-types.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import * as sources from '#functions/domain/source/sources.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { findImporter } from './of-source.ts'

/** Days without another attempt after which a source that was created only for an unreadable file is deleted. */
export const abandonedDays = 3
/** The most sources of one night; the rest follows in the next. */
const maxAtOnce = 500

/**
 * A condition on `source`: it never had a record, was created together with its only importer, no run of which has
 * imported anything, and nothing uses it.
 */
const hasOnlyTried = sql<boolean>`(
  source.deleted_at is null and source.data_version = 0
  and not exists (select from source_stat s where s.source_id = source.id and s.count > 0)
  and (select count(*) = 1 and bool_and(i.schedule is null and i.deleted_at is null
      and i.created_at < source.created_at + interval '1 hour')
    from importer i where i.source_id = source.id)
  and not exists (select from job j where j.source_id = source.id and j.status = 'succeeded' and j.kind = 'run')
  and not exists (select from observer o where o.source_id = source.id)
  and not exists (select from insight n where n.source_id = source.id
    or n.query -> 'joins' @> jsonb_build_array(jsonb_build_object('sourceId', source.id))))`

/** The same, and no run of its importer is going on or can be committed. */
const isOnlyForImport = (now: Date) => sql<boolean>`(${hasOnlyTried}
  and not exists (select from job j where j.source_id = source.id and (j.finished_at is null
    or j.held_until > ${now})))`

/**
 * Deletes sources that a failed or abandoned import left without records, three days after its last run, with the data
 * types made for them. They can be restored like any deleted source. Called every night, as the product. Returns the number of deleted sources.
 */
export async function deleteAbandoned(ctx: Context): Promise<number> {
  const { rows } = await sql<{ id: string; placeId: string }>`
    select source.id, source.place_id from source join place on place.id = source.place_id
    where place.deleted_at is null and ${isOnlyForImport(ctx.now())}
      and (select max(j.finished_at) from job j where j.source_id = source.id)
        < ${ctx.now()}::timestamptz - make_interval(days => ${abandonedDays})
      and source.updated_at < ${ctx.now()}::timestamptz - make_interval(days => ${abandonedDays})
    order by source.id limit ${maxAtOnce}`.execute(ctx.db)
  let count = 0
  for (const { id, placeId } of rows)
    try {
      if (
        !(await sources.deleteById(ctx, { params: { sourceId: id }, placeId, options: {}, data: undefined }))
      )
        continue
      count += 1
      await deleteTypeMadeFor(ctx, id)
    } catch (error) {
      // An error with one source must not stop the others.
      ctx.report(error, { during: 'deleteAbandoned' })
    }
  return count
}

/**
 * Deletes the source of an importer that never brought a record, with the data type that was made for it: who may delete
 * the source may take the whole attempt back, whether or not they may delete other data types. `conflict` when the source
 * has or had records; undefined without such an importer.
 */
export async function discard(ctx: Context, request: NounRequest): Promise<{ id: string } | undefined> {
  const importer = await findImporter(ctx, request)
  if (!importer) return undefined
  const { sourceId } = importer
  const hadRecords = await ctx.db
    .selectFrom('source')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select('source.id')
    .where('source.id', '=', sourceId)
    .where((the) => the.or([the('source.dataVersion', '>', 0), the('sourceStat.count', '>', 0)]))
    .executeTakeFirst()
  if (hadRecords) throw new Failure('conflict', { message: 'The source has had records. Delete it instead.' })
  const deletedRow = await sources.deleteById(ctx, request)
  if (deletedRow) await deleteTypeMadeFor(ctx, sourceId)
  return deletedRow
}

/**
 * Deletes the data type that was made together with a deleted source which never had records, by the same person, if
 * nothing else uses it or ever did. It is deleted at the same moment as the source, so that restoring this one restores
 * both.
 */
async function deleteTypeMadeFor(ctx: Context, sourceId: string): Promise<void> {
  const { rows } = await sql<{ id: string; placeId: string; deletedAt: Date }>`
    select t.id, source.place_id, source.deleted_at from source join data_type t on t.id = source.data_type_id
    where source.id = ${sourceId} and source.deleted_at is not null and source.data_version = 0
      and t.owner_place_id = source.place_id and t.deleted_at is null
      and t.created_by is not distinct from source.created_by
      and t.created_at between source.created_at - interval '1 hour' and source.created_at
      and not exists (select from source other where other.data_type_id = t.id and other.id <> source.id)
      and not exists (select from insight where insight.data_type_id = t.id)
      and not exists (select from observer where observer.data_type_id = t.id)`.execute(ctx.db)
  const [type] = rows
  if (!type) return
  const request = { params: { dataTypeId: type.id }, placeId: type.placeId, options: {}, data: undefined }
  await dataTypes.deleteById({ ...ctx, now: () => new Date(type.deletedAt) }, request)
}

/** Those of these sources that exist only for an import which has brought nothing in yet. */
export async function listSourcesAwaitingImport(
  ctx: Context,
  sourceIds: readonly string[],
): Promise<string[]> {
  if (sourceIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from source where id = any(${sourceIds}::text[]) and ${hasOnlyTried}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Whether a source will be deleted three days after the last run of its importer, if that brings no records. */
export async function isToBeDeleted(ctx: Context, sourceId: string): Promise<boolean> {
  const { rows } = await sql`
    select from source where id = ${sourceId} and ${isOnlyForImport(ctx.now())}`.execute(ctx.db)
  return rows.length > 0
}
