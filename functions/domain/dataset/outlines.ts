import { sql } from 'kysely'
import type { Geometry } from 'geojson'
import type { Context } from '#functions/context.ts'
import { asFailure } from '#functions/errors.ts'
import { open, run, type Scope } from './open.ts'

/** More shapes than this cannot be distinguished in a picture. */
const maxRecords = 1000
/** Most vertices of all shapes together: simplifying more takes seconds. */
const maxCorners = 300_000

/**
 * Simplified geometries of a scope's records for a picture, in the order of the records: bends of less than
 * `detail` degrees are removed, and smaller shapes become points or lines. Records without a geometry are
 * left out. Null where the records are too many, or too detailed, to be drawn one by one. Failure `notFound`
 * without a source that the actor may see.
 */
export async function outlines(ctx: Context, scope: Scope, detail: number): Promise<Geometry[] | null> {
  const dataset = await open(ctx, scope)
  if (dataset.sources.reduce((sum, { stat }) => sum + stat.count, 0) > 10 * maxRecords) return null
  const { from, where } = dataset.scope
  const digits = Math.max(0, Math.min(7, Math.ceil(-Math.log10(detail)) + 1))
  const conditions = sql.join([...where, sql`t.key is not null`], sql` and `)
  try {
    const rows = await run(
      ctx,
      dataset,
      sql<{ shape: string | null; isMany: boolean }>`
        with near as materialized (
          select t.id, t.geometry as shape from ${from} where ${conditions} order by t.id limit ${maxRecords + 1}::int),
        size as materialized (
          select count(*) > ${maxRecords}::int or sum(st_npoints(shape)) > ${maxCorners}::int as is_many from near)
        select size.is_many as "isMany", a.shape from size left join (
          select id, st_asgeojson(coalesce(st_simplify(shape, ${detail}::double precision, true), shape),
            ${digits}::int) as shape from near where not (select is_many from size)) a on true order by a.id`,
    )
    if (rows[0]?.isMany) return null
    return rows.flatMap(({ shape }) => (shape === null ? [] : [JSON.parse(shape) as Geometry]))
  } catch (error) {
    // A timeout means that there is too much to draw; the caller can still show the number.
    if (asFailure(error).kind === 'unavailable') return null
    throw error
  }
}
