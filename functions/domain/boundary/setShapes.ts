import { sql } from 'kysely'
import { simplifyAreas, type AreaCollection } from '#functions/engine/region/simplify.ts'
import { boundaryKey } from '#functions/engine/tile/manifest.ts'
import type { Context } from '#functions/context.ts'

/** What pictures and maps know of an area. `gid`: of this edition only. */
interface ShapeProperties {
  gid: string
  code: string
  name: string
}

interface Drawable {
  id: string
  edition: number
  name: string
  origin: string
  licence: string
  bounds: readonly [number, number, number, number]
}

/** The most corners of a set in pictures: more can be seen in none, and would make the file a megabyte. */
const mostCorners = 20_000
/** Of so many steps is the longer side of a set in pictures. */
const steps = 8000

/**
 * Writes the areas of a public set, simplified, where pages and maps read them without a database. Corners fall on a grid before they are
 * joined, so that borders which two areas share stay shared.
 */
export async function publishShapes(ctx: Context, set: Drawable): Promise<void> {
  const [west, south, east, north] = set.bounds
  const grid = Math.max(east - west, north - south, 0.01) / steps
  const decimals = Math.min(7, Math.max(2, Math.ceil(-Math.log10(grid))))
  const rows = await ctx.db
    .selectFrom('boundarySetArea')
    .select([
      'number',
      'code',
      'name',
      sql<AreaCollection<never>['features'][number]['geometry']>`
        ST_AsGeoJSON(coalesce(nullif(ST_SnapToGrid(area, ${10 ** -decimals}::float8), ST_GeomFromText('MULTIPOLYGON EMPTY', 4326)), area), ${decimals}::int)::json`.as(
        'geometry',
      ),
    ])
    .where('boundarySetId', '=', set.id)
    .where('edition', '=', set.edition)
    .orderBy('number')
    .execute()
  const areas: AreaCollection<ShapeProperties> = {
    type: 'FeatureCollection',
    features: rows.map(({ number, code, name, geometry }) => {
      const properties = { gid: `a${number}`, code, name }
      return { type: 'Feature', id: properties.gid, properties, geometry }
    }),
  }
  const { name, origin, licence } = set
  const body = JSON.stringify({ name, origin, licence, ...simplifyAreas(areas, mostCorners) })
  await ctx.tiles.put(boundaryKey(set.id), body, { httpMetadata: { contentType: 'application/geo+json' } })
}

/** Takes the areas of a set away from where everyone could read them. */
export async function withdrawShapes(ctx: Context, id: string): Promise<void> {
  await ctx.tiles.delete(boundaryKey(id))
}
