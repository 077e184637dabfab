import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { readBuiltInAreas } from '#functions/engine/picture/built-in-sets.ts'
import { computeFeatureBox } from '#functions/engine/picture/shapes.ts'
import { mergeExtents } from '#functions/shapes/fields/extent.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import { getAreaCodes, isOfSet, type Box, type LentSet } from '#functions/engine/query/index.ts'

/**
 * The areas of the boundary set that the `within` of a query names, of any place; undefined where it names none, and for
 * a set that is not public: whoever sees the records sees the counts in an area.
 */
export async function findBoundarySet(ctx: Context, question: unknown): Promise<LentSet | undefined> {
  const within: unknown =
    question !== null && typeof question === 'object' && 'within' in question ? question.within : null
  if (!isOfSet(within) || typeof within.boundarySetId !== 'string') return undefined
  const id = within.boundarySetId
  if (isBuiltInSet(id)) return findBuiltInSet(ctx, id, getAreaCodes(within))
  const set = await ctx.db
    .selectFrom('boundarySet')
    .select('edition')
    .where('id', '=', id)
    .where('visibility', '=', 'public')
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!set) return undefined
  const where = sql`boundary_set_id = ${id} and edition = ${set.edition} and code = any(${getAreaCodes(within)}::text[])`
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

/** The same for a built-in set, from its file; undefined where that does not exist. */
async function findBuiltInSet(
  { tiles }: Context,
  id: string,
  codes: readonly string[],
): Promise<LentSet | undefined> {
  const all = await readBuiltInAreas(tiles, id)
  if (all.length === 0) return undefined
  const areas = all.filter(({ code }) => codes.includes(code))
  const [xmin, ymin, xmax, ymax] =
    mergeExtents(areas.map(({ geometry }) => computeFeatureBox({ geometry }))) ?? nowhere
  const texts = areas.map(({ geometry }) => JSON.stringify(geometry))
  const shape = sql`(select ST_Union(ST_MakeValid(ST_SetSRID(ST_GeomFromGeoJSON(area), 4326)))
    from unnest(${texts}::text[]) as named (area))`
  const region = { box: { xmin, ymin, xmax, ymax }, shape }
  return { id, codes: new Set(areas.map(({ code }) => code)), region }
}

/** A box that contains nothing: for an unknown area, which is rejected later. */
const nowhere = [Infinity, Infinity, -Infinity, -Infinity] as const
