import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { codesOf, isOfSet, type Box, type LentSet } from '#functions/engine/query/index.ts'

/**
 * The areas of a boundary set that the `within` of a question names; undefined where it names none, and for a set that is not public: what is
 * counted in an area is seen by whoever sees the records.
 */
export async function setOf(ctx: Context, question: unknown): Promise<LentSet | undefined> {
  const within: unknown =
    question !== null && typeof question === 'object' && 'within' in question ? question.within : null
  if (!isOfSet(within) || typeof within.boundarySetId !== 'string') return undefined
  const id = within.boundarySetId
  const set = await ctx.db
    .selectFrom('boundarySet')
    .select('edition')
    .where('id', '=', id)
    .where('visibility', '=', 'public')
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!set) return undefined
  const where = sql`boundary_set_id = ${id} and edition = ${set.edition} and code = any(${codesOf(within)}::text[])`
  const { rows } = await sql<Box & { code: string }>`
    select code, ST_XMin(area) as xmin, ST_YMin(area) as ymin, ST_XMax(area) as xmax, ST_YMax(area) as ymax
    from boundary_set_area where ${where}`.execute(ctx.db)
  const box = {
    xmin: Math.min(...rows.map(({ xmin }) => xmin)),
    ymin: Math.min(...rows.map(({ ymin }) => ymin)),
    xmax: Math.max(...rows.map(({ xmax }) => xmax)),
    ymax: Math.max(...rows.map(({ ymax }) => ymax)),
  }
  // Read and joined once for the statement, not for each row.
  const shape = sql`(select ST_Union(area) from boundary_set_area where ${where})`
  return { id, codes: new Set(rows.map(({ code }) => code)), region: { box, shape } }
}
