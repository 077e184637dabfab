import { sql } from 'kysely'
import * as sources from '#functions/domain/source/sources.ts'
import type { Context } from '#functions/context.ts'

/** Days without another attempt after which a source that was created only for an unreadable file is deleted. */
export const abandonedDays = 3
/** The most sources of one night; the rest follows in the next. */
const mostAtOnce = 500

/**
 * A condition on `source`: it never had a record, was created together with its only importer, no run of which has
 * imported anything, is going on or can be committed, and nothing uses it.
 */
const isOnlyForImport = (now: Date) => sql<boolean>`(
  source.deleted_at is null and source.data_version = 0
  and not exists (select from source_stat s where s.source_id = source.id and s.count > 0)
  and (select count(*) = 1 and bool_and(i.schedule is null and i.deleted_at is null
      and i.created_at < source.created_at + interval '1 hour')
    from importer i where i.source_id = source.id)
  and not exists (select from job j where j.source_id = source.id and (j.finished_at is null
    or j.held_until > ${now} or (j.status = 'succeeded' and j.kind = 'run')))
  and not exists (select from observer o where o.source_id = source.id)
  and not exists (select from insight n where n.source_id = source.id
    or n.query -> 'joins' @> jsonb_build_array(jsonb_build_object('sourceId', source.id))))`

/**
 * Deletes sources that a failed or abandoned import left without records, three days after its last run. They can be
 * restored like any deleted source. Called every night, as the product. Returns the number of deleted sources.
 */
export async function deleteAbandoned(ctx: Context): Promise<number> {
  const { rows } = await sql<{ id: string; placeId: string }>`
    select source.id, source.place_id from source join place on place.id = source.place_id
    where place.deleted_at is null and ${isOnlyForImport(ctx.now())}
      and (select max(j.finished_at) from job j where j.source_id = source.id)
        < ${ctx.now()}::timestamptz - make_interval(days => ${abandonedDays})
      and source.updated_at < ${ctx.now()}::timestamptz - make_interval(days => ${abandonedDays})
    order by source.id limit ${mostAtOnce}`.execute(ctx.db)
  let count = 0
  for (const { id, placeId } of rows)
    try {
      if (await sources.deleteById(ctx, { params: { sourceId: id }, placeId, options: {}, data: undefined }))
        count += 1
    } catch (error) {
      // An error with one source must not stop the others.
      ctx.report(error, { during: 'deleteAbandoned' })
    }
  return count
}

/** Whether a source will be deleted three days after the last run of its importer, if that brings no records. */
export async function isToBeDeleted(ctx: Context, sourceId: string): Promise<boolean> {
  const { rows } = await sql`
    select from source where id = ${sourceId} and ${isOnlyForImport(ctx.now())}`.execute(ctx.db)
  return rows.length > 0
}
