import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql } from 'kysely'
import { whereFiltered } from '../paging.ts'
import { relation } from './relation.ts'
import type { GeoJson } from '#functions/shapes/returns.ts'

/**
 * GeoJSON with six decimals, about a decimetre. An area can have megabytes, so it is only sent on request.
 */
const geoJson = sql<GeoJson>`ST_AsGeoJSON(${sql.ref('boundary.area')}, 6)::json`

/** The boundary of a place, with its area. */
export const boundary = relation({
  noun: 'boundary',
  by: 'boundaryId',
  isMany: false,
  columns: { id: 'text', code: 'text', name: 'text', type: 'text' },
  async load(ctx, { keys, condition }) {
    dependsOn(ctx, { rows: { boundary: keys } })
    const rows = await ctx.db
      .selectFrom('boundary')
      .select(['id', 'code', 'name', 'type', 'hasAllStatesBoundary', geoJson.as('area')])
      .where('id', 'in', keys)
      .where(whereFiltered(condition, 'boundary'))
      .execute()
    return rows.map((row) => ({ of: row.id, row }))
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
    return rows.map((row) => ({ of: row.id, row: row.area }))
  },
})
