import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#functions/context.ts'
import { allowStatements } from '#functions/domain/noun/statement-timeout.ts'
import { readBuiltInAreas } from '#functions/engine/picture/built-in-sets.ts'
import { computeFeatureBox } from '#functions/engine/picture/shapes.ts'
import { Failure } from '#functions/errors.ts'
import { isBuiltInSet, nameOfSet } from '#functions/shapes/region-sets.ts'
import type { Tx } from '#db/schema.ts'

const maxListed = 200
/** An area nests in another that contains this share of it: the rest is imprecision of the borders. */
const minShare = 0.999
/** The same for built-in sets, whose outlines are those of maps: bends of up to ten square kilometres are left out. */
const minShareOfBuiltIn = 0.9

type Tiles = Pick<Context, 'tiles'>

/**
 * Rejects a parent that is neither an existing set of the place nor a built-in one, or is the set itself or a descendant
 * of it. `id` null for a new set.
 */
export async function requireParent(
  tx: Tx,
  { tiles }: Tiles,
  placeId: string,
  id: string | null,
  parentId: string,
): Promise<void> {
  const issue = (message: string, validator: string) => parentIssue(parentId, message, validator)
  if (isBuiltInSet(parentId)) {
    if ((await readBuiltInAreas(tiles, parentId)).length > 0) return
    throw issue('The boundaries of this set are missing.', 'exists')
  }
  const { rows } = await sql<{ id: string }>`
    with recursive above as (
      select id, parent_id from boundary_set where id = ${parentId} and place_id = ${placeId} and deleted_at is null
      union select s.id, s.parent_id from boundary_set s join above on s.id = above.parent_id)
    select id from above`.execute(tx)
  if (rows.length === 0) throw issue('The organization has no such set.', 'exists')
  if (rows.some((row) => row.id === id))
    throw issue('A set cannot be a part of itself or of its own parts.', 'cycle')
}

const parentIssue = (parentId: string, message: string, validator: string, field = 'parentId') =>
  new Failure('invalid', { issues: [{ path: [field], value: parentId, message, validator }] })

/**
 * Rejects a built-in parent outside of which an area of the set lies (`outside`, its name): it is that of elsewhere.
 * `field`: what is at fault, the parent or the areas.
 */
export function requireInside(outside: string | null, parentId: string | null, field = 'parentId'): void {
  if (outside === null || parentId === null || !isBuiltInSet(parentId)) return
  throw parentIssue(parentId, `“${outside}” lies outside of ${nameOfSet(parentId)}.`, 'inside', field)
}

/**
 * Stores how a set nests in its parent, and how its children nest in it. Call after a change of its areas or its parent.
 * Gives the name of an area of the set that is no part of any area of its parent; null where there is none.
 */
export async function storeNesting(tx: Tx, { tiles }: Tiles, id: string): Promise<string | null> {
  const { rows } = await sql<{
    id: string
    edition: number
    parentId: string | null
    parentEdition: number | null
  }>`
    select s.id, s.edition, s.parent_id, p.edition as parent_edition
    from boundary_set s left join boundary_set p on p.id = s.parent_id and p.deleted_at is null
    where s.id = ${id} or s.parent_id = ${id}`.execute(tx)
  if (rows.some(({ parentId }) => parentId !== null)) await allowStatements(tx, '1min')
  let outside: string | null = null
  for (const { id: of, edition, parentId, parentEdition } of rows) {
    const own = { id: of, edition }
    const apart =
      parentId !== null && isBuiltInSet(parentId)
        ? await listUnnestedAreas(tx, own, await areasAround(tx, tiles, own, parentId), minShareOfBuiltIn)
        : parentId === null || parentEdition === null
          ? null
          : await listUnnestedAreas(tx, own, selectAreas({ id: parentId, edition: parentEdition }), minShare)
    await tx
      .updateTable('boundarySet')
      .set({
        nesting: apart && JSON.stringify({ apart: apart.length, areas: apart.slice(0, maxListed) }),
      })
      .where('id', '=', of)
      .execute()
    if (of === id) outside = apart?.find(({ share }) => share === 0)?.name ?? null
  }
  return outside
}

interface OneEdition {
  id: string
  edition: number
}

const selectAreas = ({ id, edition }: OneEdition) => sql`
  select number, name, area from boundary_set_area where boundary_set_id = ${id} and edition = ${edition}`

/** The areas of a built-in set whose boxes meet that of a set, as rows. */
async function areasAround(tx: Tx, tiles: R2Bucket, { id, edition }: OneEdition, builtIn: string) {
  const { rows } = await sql<{ bounds: [number, number, number, number] }>`
    select array[ST_XMin(box), ST_YMin(box), ST_XMax(box), ST_YMax(box)] as bounds from (
      select ST_Extent(area) as box from boundary_set_area
      where boundary_set_id = ${id} and edition = ${edition}) extent`.execute(tx)
  const [west, south, east, north] = rows[0]?.bounds ?? [0, 0, 0, 0]
  const areas = (await readBuiltInAreas(tiles, builtIn)).filter(({ geometry }) => {
    const box = computeFeatureBox({ geometry })
    return box[0] <= east && box[2] >= west && box[1] <= north && box[3] >= south
  })
  return sql`
    select number, name, ST_MakeValid(ST_GeomFromGeoJSON(shape)) as area
    from unnest(${areas.map(({ number }) => number)}::int[], ${areas.map(({ name }) => name)}::text[],
      ${areas.map(({ geometry }) => JSON.stringify(geometry))}::text[]) as sent (number, name, shape)`
}

/** The areas of a set of which less than a share lies in one area of its parent, whose areas are the rows of `above`. */
async function listUnnestedAreas(tx: Tx, own: OneEdition, above: RawBuilder<unknown>, least: number) {
  const { rows: areas } = await sql<{ number: number; name: string; parent: string | null; share: number }>`
    with above as materialized (${above}),
    best as (
      select own.number, own.name, most.name as parent, coalesce(most.share, 0) as share from boundary_set_area own
      left join lateral (
        select above.name, above.number, case when ST_CoveredBy(own.area, above.area) then 1
          else ST_Area(ST_Intersection(own.area, above.area)) / nullif(ST_Area(own.area), 0) end as share
        from above where above.area && own.area order by share desc nulls last, above.number limit 1) most on true
      where own.boundary_set_id = ${own.id} and own.edition = ${own.edition})
    select number, name, case when share > 0 then parent end as parent, round(share::numeric, 4)::float8 as share
    from best where share < ${least}::float8 order by number`.execute(tx)
  return areas
}
