import { sql } from 'kysely'
import { allowStatements } from '#functions/domain/noun/statement-timeout.ts'
import { Failure } from '#functions/errors.ts'
import type { Tx } from '#db/schema.ts'

const maxListed = 200
/** An area nests in another that contains this share of it: the rest is imprecision of the borders. */
const minShare = 0.999

/**
 * Rejects a parent that is not an existing set of the place, or is the set itself or a descendant of it. `id` null for a
 * new set.
 */
export async function requireParent(
  tx: Tx,
  placeId: string,
  id: string | null,
  parentId: string,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with recursive above as (
      select id, parent_id from boundary_set where id = ${parentId} and place_id = ${placeId} and deleted_at is null
      union select s.id, s.parent_id from boundary_set s join above on s.id = above.parent_id)
    select id from above`.execute(tx)
  const issue = (message: string, validator: string) =>
    new Failure('invalid', { issues: [{ path: ['parentId'], value: parentId, message, validator }] })
  if (rows.length === 0) throw issue('The organization has no such set.', 'exists')
  if (rows.some((row) => row.id === id))
    throw issue('A set cannot be a part of itself or of its own parts.', 'cycle')
}

/** Stores how a set nests in its parent, and how its children nest in it. Call after a change of its areas or its parent. */
export async function noteNesting(tx: Tx, id: string): Promise<void> {
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
  for (const { id: of, edition, parentId, parentEdition } of rows) {
    const nesting =
      parentId === null || parentEdition === null
        ? null
        : await nestingOf(tx, { id: of, edition }, { id: parentId, edition: parentEdition })
    await tx
      .updateTable('boundarySet')
      .set({ nesting: nesting && JSON.stringify(nesting) })
      .where('id', '=', of)
      .execute()
  }
}

interface OneEdition {
  id: string
  edition: number
}

async function nestingOf(tx: Tx, own: OneEdition, parent: OneEdition) {
  const { rows: areas } = await sql<{ number: number; name: string; parent: string | null; share: number }>`
    with above as materialized (
      select number, name, area from boundary_set_area where boundary_set_id = ${parent.id} and edition = ${parent.edition}),
    best as (
      select own.number, own.name, most.name as parent, coalesce(most.share, 0) as share from boundary_set_area own
      left join lateral (
        select above.name, above.number, case when ST_CoveredBy(own.area, above.area) then 1
          else ST_Area(ST_Intersection(own.area, above.area)) / nullif(ST_Area(own.area), 0) end as share
        from above where above.area && own.area order by share desc nulls last, above.number limit 1) most on true
      where own.boundary_set_id = ${own.id} and own.edition = ${own.edition})
    select number, name, case when share > 0 then parent end as parent, round(share::numeric, 4)::float8 as share
    from best where share < ${minShare}::float8 order by number`.execute(tx)
  return { apart: areas.length, areas: areas.slice(0, maxListed) }
}
