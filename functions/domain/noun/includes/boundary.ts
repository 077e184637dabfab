import { readBuiltInAreas } from '#functions/engine/picture/built-in-sets.ts'
import { builtInSets, isBuiltInSet, nameOfSet } from '#functions/shapes/region-sets.ts'
import type { OwnBoundary } from '#functions/shapes/place.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql } from 'kysely'
import { whereFiltered } from '../paging.ts'
import { relation } from './relation.ts'
import type { Context } from '#functions/context.ts'
import type { GeoJson } from '#functions/shapes/returns.ts'

/**
 * GeoJSON with six decimals, about a decimetre. An area can have megabytes, so it is only sent on request.
 */
const geoJson = sql<GeoJson>`ST_AsGeoJSON(${sql.ref('boundary.area')}, 6)::json`

/** A boundary, and the place that it is of. */
interface PlaceBoundary {
  of: string
  id: string
  code: string
  name: string
  type: 'country' | 'state' | 'county' | 'area'
  hasAllStatesBoundary: boolean
  area: GeoJson
}

/**
 * The boundaries of places, with their areas: shared ones, and for a place that is drawn by a public boundary set of its
 * own, or by first-level regions of a country (`regions`), its areas there. An area has the id `{set}/{code}`, and all
 * areas of a set together have the id of the set.
 */
const selectPlaceBoundaries = (keys: string[], regions: readonly PlaceRegion[]) => sql<PlaceBoundary>`(
  select place.id as of, b.id, b.code, b.name, b.type, b.has_all_states_boundary, b.area
  from place join boundary b on b.id = place.boundary_id
  where place.own_boundary is null and place.id = any(${keys}::text[])
  union all
  select place.id, s.id || coalesce('/' || (own_boundary ->> 'area'), ''), coalesce(own_boundary ->> 'area', s.id),
    case when own_boundary ->> 'area' is null then s.name else min(a.name) end, 'area', false, ST_Multi(ST_Union(a.area))
  from place join boundary_set s on s.id = own_boundary ->> 'boundarySetId' and s.place_id = place.id
  join boundary_set_area a on a.boundary_set_id = s.id and a.edition = s.edition
    and (own_boundary ->> 'area' is null or a.code = own_boundary ->> 'area')
  where place.id = any(${keys}::text[]) and s.visibility = 'public' and s.deleted_at is null
  group by place.id, s.id
  union all
  select of, id, min(code), min(name), 'area', false, ST_Multi(ST_Union(${regionArea}))
  from unnest(${regions.map(({ of }) => of)}::text[], ${regions.map(({ id }) => id)}::text[],
    ${regions.map(({ code }) => code)}::text[], ${regions.map(({ name }) => name)}::text[],
    ${regions.map(({ geometry }) => geometry)}::text[]) as region (of, id, code, name, geometry)
  group by of, id)`

const regionArea = sql`ST_MakeValid(ST_SetSRID(ST_GeomFromGeoJSON(geometry), 4326))`

/** One of the regions that together are the boundary of a place. */
interface PlaceRegion {
  of: string
  id: string
  code: string
  name: string
  geometry: string
}

/** The regions of countries that places are drawn by; `rows` are the places, which were read with that mostly. */
async function readRegions(
  ctx: Context,
  keys: string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<PlaceRegion[]> {
  const readRows = rows.filter((row) => row['ownBoundary'] !== undefined) as DrawnPlace[]
  const readIds = new Set(readRows.map(({ id }) => id))
  const otherIds = keys.filter((key) => !readIds.has(key))
  const places = [...readRows, ...(otherIds.length > 0 ? await readDrawn(ctx, otherIds) : [])]
  const regions = places.map(async ({ id: of, ownBoundary }) =>
    ownBoundary ? (await regionsIn(ctx, ownBoundary)).map((region) => ({ of, ...region })) : [],
  )
  return (await Promise.all(regions)).flat()
}

type DrawnPlace = { id: string; ownBoundary: OwnBoundary | null }

const readDrawn = (ctx: Context, ids: string[]): Promise<DrawnPlace[]> =>
  ctx.db
    .selectFrom('place')
    .select(['id', 'ownBoundary'])
    .where('id', 'in', ids)
    .where(sql<boolean>`own_boundary ->> 'boundarySetId' = any(${builtInSets()}::text[])`)
    .execute()

/**
 * The regions that a boundary names, each with the id, code and name of the boundary; empty unless its set is a
 * built-in one.
 */
async function regionsIn({ tiles }: Context, { boundarySetId, area }: OwnBoundary) {
  if (!isBuiltInSet(boundarySetId)) return []
  const areas = await readBuiltInAreas(tiles, boundarySetId)
  return areas
    .filter(({ code }) => area === null || code === area)
    .map(({ code, name, geometry }) => ({
      id: area === null ? boundarySetId : `${boundarySetId}/${code}`,
      code: area === null ? boundarySetId : code,
      name: area === null ? nameOfSet(boundarySetId) : name,
      geometry: JSON.stringify(geometry),
    }))
}

/** The boundary of a place, with its area. */
export const boundary = relation({
  noun: 'boundary',
  by: 'id',
  isMany: false,
  columns: { id: 'text', code: 'text', name: 'text', type: 'text' },
  async load(ctx, { keys, rows: places, condition }) {
    // A change of the set that a place is drawn by also reports a change of the place.
    dependsOn(ctx, { rows: { place: keys } })
    const rows = await ctx.db
      .selectFrom(
        selectPlaceBoundaries(keys, await readRegions(ctx, keys, places)).as<'boundary'>(sql.ref('boundary')),
      )
      .select(['of', 'id', 'code', 'name', 'type', 'hasAllStatesBoundary', geoJson.as('area')])
      .where(whereFiltered(condition, 'boundary'))
      .execute()
    dependsOn(ctx, { rows: { boundary: rows.flatMap(({ id, type }) => (type === 'area' ? [] : [id])) } })
    return rows.map(({ of, ...row }) => ({ of, row }))
  },
})

/** The area of a boundary as GeoJSON: not a row of its own, so it has no relations. */
export const area = relation({
  noun: 'area',
  by: 'id',
  isMany: false,
  columns: {},
  async load(ctx, { keys }) {
    dependsOn(ctx, { rows: { boundary: keys } })
    const rows = await ctx.db
      .selectFrom('boundary')
      .select(['id', geoJson.as('area')])
      .where('id', 'in', keys)
      .execute()
    const present = new Set(rows.map(({ id }) => id))
    const others = keys.filter((key) => !present.has(key))
    const own = others.length > 0 ? await readSetAreas(ctx, others) : []
    return [...rows, ...own].map((row) => ({ of: row.id, row: row.area }))
  },
})

/** The areas of public boundary sets, and of regions of countries, that boundaries of places are, by their ids. */
async function readSetAreas(ctx: Context, ids: string[]) {
  const regions = await Promise.all(
    ids.map((id) => {
      const [boundarySetId = '', ...code] = id.split('/')
      return regionsIn(ctx, { boundarySetId, area: code.length > 0 ? code.join('/') : null })
    }),
  )
  const all = regions.flat()
  const { rows } = await sql<{ id: string; area: GeoJson }>`
    select key as id, ST_AsGeoJSON(ST_Multi(ST_Union(a.area)), 6)::json as area
    from unnest(${ids}::text[]) key join boundary_set s on s.id = split_part(key, '/', 1)
    join boundary_set_area a on a.boundary_set_id = s.id and a.edition = s.edition
      and (key = s.id or a.code = substr(key, length(s.id) + 2))
    where s.visibility = 'public' and s.deleted_at is null
    group by key
    union all
    select id, ST_AsGeoJSON(ST_Multi(ST_Union(${regionArea})), 6)::json
    from unnest(${all.map(({ id }) => id)}::text[], ${all.map(({ geometry }) => geometry)}::text[]) as region (id, geometry)
    group by id`.execute(ctx.db)
  return rows
}
