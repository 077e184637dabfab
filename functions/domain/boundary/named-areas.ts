import { sql, type RawBuilder } from 'kysely'
import { whereListVisible, whereOneVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import type { NamedArea, NamedAreas } from '#functions/engine/gazetteer/areas.ts'
import type { OfferedSet } from '#functions/engine/import/profile/areas.ts'
import { listAlternativeNames } from '#functions/engine/map/region-names.ts'
import { findAnchor } from '#functions/engine/picture/anchors.ts'
import { readBuiltInAreas } from '#functions/engine/picture/built-in-sets.ts'
import { decodeBase64, readTwkb } from '#functions/engine/tile/twkb.ts'
import { isBuiltInSet, nameOfSet } from '#functions/shapes/region-sets.ts'

const areasAtOnce = 100

/** The areas of a set as places, and what changes with them: 0 for a built-in set. */
export interface ReadAreas extends NamedAreas {
  version: number
}

/**
 * The areas of a set by name and code, each with a point inside: of a set of the organization that the actor may see, of
 * whatever visibility, or a built-in one. Null where there is none. Only names, codes and points are kept, of 50,000
 * areas at most; outlines are read one after the other.
 */
export async function readNamedAreas(
  ctx: Context,
  placeId: string,
  setId: string,
): Promise<ReadAreas | null> {
  if (isBuiltInSet(setId)) return readBuiltIn(ctx, setId)
  const set = await ctx.db
    .selectFrom('boundarySet')
    .select(['id', 'name', 'edition', 'version', 'nameField', 'codeField'])
    .where(whereOneVisible(ctx, 'boundarySet', setId, placeId))
    .executeTakeFirst()
  if (!set) return null
  const areas: NamedArea[] = []
  for (let last = 0; ;) {
    const { rows } = await sql<{ number: number; code: string; name: string; largest: string }>`
      select number, code, name, encode(ST_AsTWKB(
        (select part.geom from ST_Dump(area) part order by ST_Area(part.geom) desc limit 1), 7), 'base64') as largest
      from boundary_set_area
      where boundary_set_id = ${set.id} and edition = ${set.edition} and number > ${last}::int
      order by number limit ${areasAtOnce}::int`.execute(ctx.db)
    for (const { number, largest, ...area } of rows)
      areas.push({
        ...calledBy(set, area),
        point: anchorIn(largest) ?? (await pointOnSurface(ctx, { ...set, number })),
      })
    last = rows.at(-1)?.number ?? last
    if (rows.length < areasAtOnce) return { title: set.name, version: set.version, areas }
  }
}

/** The sets whose names are compared with the columns of a new source, and the areas of all of them together. */
const maxOffered = { sets: 20, areas: 20_000 }

/**
 * The sets of the organization that a column of a new source may name areas of, as far as the actor may see them: the 20
 * last changed, up to 20,000 areas together, without points.
 */
export async function listOfferedSets(ctx: Context, placeId: string): Promise<OfferedSet[]> {
  const rows = await ctx.db
    .selectFrom('boundarySet')
    .select(['id', 'name', 'edition', 'areaCount', 'nameField', 'codeField'])
    .where(whereListVisible(ctx, 'boundarySet', placeId))
    .orderBy('updatedAt', 'desc')
    .orderBy('id')
    .limit(maxOffered.sets)
    .execute()
  let count = 0
  const sets = rows.filter(({ areaCount }) => {
    const isIn = count + areaCount <= maxOffered.areas
    if (isIn) count += areaCount
    return isIn
  })
  if (sets.length === 0) return []
  const areas = await ctx.db
    .selectFrom('boundarySetArea')
    .innerJoin('boundarySet', (join) =>
      join
        .onRef('boundarySet.id', '=', 'boundarySetArea.boundarySetId')
        .onRef('boundarySet.edition', '=', 'boundarySetArea.edition'),
    )
    .select(['boundarySetArea.boundarySetId as setId', 'boundarySetArea.name', 'boundarySetArea.code'])
    .where(
      'boundarySet.id',
      'in',
      sets.map(({ id }) => id),
    )
    .orderBy('boundarySetArea.number')
    .execute()
  return sets.map(({ id, name, nameField, codeField }) => ({
    ...{ id, title: name, words: [name, nameField ?? '', codeField ?? ''] },
    areas: areas.filter(({ setId }) => setId === id).map((area) => calledBy({ nameField, codeField }, area)),
  }))
}

/** The names and the code of an area of a set. Without an attribute for them they are numbers, which nobody calls it by. */
function calledBy(
  { nameField, codeField }: { nameField: string | null; codeField: string | null },
  { name, code }: { name: string; code: string },
): Pick<NamedArea, 'names' | 'code'> {
  return { names: nameField === null ? [] : [name], code: codeField === null ? null : code }
}

function anchorIn(largest: string): [number, number] | null {
  const shape = readTwkb(decodeBase64(largest))
  const [coordinates] = shape?.type === 'polygon' ? shape.polygons : []
  return coordinates ? findAnchor({ type: 'Polygon', coordinates }) : null
}

/** A point in a sliver, which `findAnchor` leaves out. */
async function pointOnSurface(
  { db }: Pick<Context, 'db'>,
  { id, edition, number }: { id: string; edition: number; number: number },
): Promise<[number, number]> {
  const { rows } = await sql<{ lon: number; lat: number }>`
    select ST_X(point) as lon, ST_Y(point) as lat from (
      select ST_PointOnSurface(area) as point from boundary_set_area
      where boundary_set_id = ${id} and edition = ${edition} and number = ${number}) surface`.execute(db)
  return [rows[0]?.lon ?? 0, rows[0]?.lat ?? 0]
}

/** Outlines of built-in sets are those of maps. */
async function readBuiltIn({ tiles }: Pick<Context, 'tiles'>, setId: string): Promise<ReadAreas | null> {
  const areas = await readBuiltInAreas(tiles, setId)
  if (areas.length === 0) return null
  return {
    ...{ title: nameOfSet(setId), version: 0 },
    areas: areas.flatMap(({ gid, code, name, names, geometry }): NamedArea[] => {
      const point = findAnchor(geometry)
      return point
        ? [{ names: [...new Set([name, ...listAlternativeNames(gid), ...names])], code, point }]
        : []
    }),
  }
}

/** A condition for rows of `importer` whose mapping finds areas of the set, of an id or a column. */
export function findsAreasInSet(boundarySetId: string | RawBuilder<unknown>) {
  return sql<boolean>`jsonb_path_exists(importer.mapping,
    '$.** ? (@.transform == "findArea" && @.arguments[1] == $id)', jsonb_build_object('id', ${boundarySetId}::text))`
}
