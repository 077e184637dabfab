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
 * The boundaries of places, with their areas: those of everyone, and where a place is drawn by a public boundary set of its own, its area there. That has
 * the id `{set}/{code}`, and all areas of a set together that of the set.
 */
const ofPlaces = (keys: string[]) => sql<PlaceBoundary>`(
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
  group by place.id, s.id)`

/** The boundary of a place, with its area. */
export const boundary = relation({
  noun: 'boundary',
  by: 'id',
  isMany: false,
  columns: { id: 'text', code: 'text', name: 'text', type: 'text' },
  async load(ctx, { keys, condition }) {
    // Who changes the set that a place is drawn by says that the place has changed.
    dependsOn(ctx, { rows: { place: keys } })
    const rows = await ctx.db
      .selectFrom(ofPlaces(keys).as<'boundary'>(sql.ref('boundary')))
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
    const known = new Set(rows.map(({ id }) => id))
    const others = keys.filter((key) => !known.has(key))
    const own = others.length > 0 ? await ofSets(ctx, others) : []
    return [...rows, ...own].map((row) => ({ of: row.id, row: row.area }))
  },
})

/** The areas of public boundary sets that boundaries of places are, by their ids. */
async function ofSets(ctx: Context, ids: string[]) {
  const { rows } = await sql<{ id: string; area: GeoJson }>`
    select key as id, ST_AsGeoJSON(ST_Multi(ST_Union(a.area)), 6)::json as area
    from unnest(${ids}::text[]) key join boundary_set s on s.id = split_part(key, '/', 1)
    join boundary_set_area a on a.boundary_set_id = s.id and a.edition = s.edition
      and (key = s.id or a.code = substr(key, length(s.id) + 2))
    where s.visibility = 'public' and s.deleted_at is null
    group by key`.execute(ctx.db)
  return rows
}
