import type { MultiPolygon, Polygon } from 'geojson'
import { sql } from 'kysely'
import { coarsePolygons } from '#functions/engine/region/coarse.ts'
import { simplifyAreas, type AreaCollection } from '#functions/engine/region/simplify.ts'
import { boundaryKey, outlinesKey, setArchiveKey, setArchives } from '#functions/engine/tile/manifest.ts'
import type { Context } from '#functions/context.ts'
import { readNet, type ShapeProperties } from './read-border-net.ts'
import { areaMeasures, type AreaMeasures } from './set-measures.ts'
import { publishOutlines } from './set-outlines.ts'

interface DrawableSet {
  id: string
  edition: number
  vertexCount: number
  codeField: string | null
  name: string
  origin: string
  licence: string
  bounds: readonly [number, number, number, number]
}

/** The maximal number of vertices of a set in pictures: more would not be visible, and the file would have a megabyte. */
const maxCorners = 20_000
/**
 * Up to this number of vertices a set is read as lists; larger ones are simplified before, since a million would exceed
 * the memory of an isolate.
 */
const maxAsLists = 100_000
/** The resolution of the longer side of a set in pictures, in grid steps. */
const steps = 8000

/**
 * The areas of a set for pictures, simplified. Vertices are snapped to a grid before simplification, so that shared
 * borders stay shared. Each has its measures. Empty if the actor may not see the set.
 */
export async function drawableAreas(
  ctx: Pick<Context, 'db'>,
  set: Pick<DrawableSet, 'id' | 'edition' | 'bounds' | 'vertexCount'>,
): Promise<AreaCollection<ShapeProperties & Partial<AreaMeasures>>> {
  const collection = await simplifiedAreas(ctx, set)
  const measures = await areaMeasures(ctx, set)
  return {
    ...collection,
    features: collection.features.map((feature) => {
      const { properties } = feature
      return { ...feature, properties: { ...properties, ...measures.get(Number(properties.gid.slice(1))) } }
    }),
  }
}

async function simplifiedAreas(
  ctx: Pick<Context, 'db'>,
  set: Pick<DrawableSet, 'id' | 'edition' | 'bounds' | 'vertexCount'>,
): Promise<AreaCollection<ShapeProperties>> {
  if (set.vertexCount > maxAsLists) return simplifyAreas(await coarseAreas(ctx, set), maxCorners)
  const [west, south, east, north] = set.bounds
  const grid = Math.max(east - west, north - south, 0.01) / steps
  const decimals = Math.min(7, Math.max(2, Math.ceil(-Math.log10(grid))))
  const onGrid = sql`ST_SnapToGrid(area, ${10 ** -decimals}::float8)`
  const rows = await ctx.db
    .selectFrom('boundarySetArea')
    .select(['number', 'code', 'name'])
    .select(
      sql<Polygon | MultiPolygon>`
        ST_AsGeoJSON(case when ST_IsEmpty(${onGrid}) then area else ${onGrid} end, ${decimals}::int)::json`.as(
        'geometry',
      ),
    )
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
  return simplifyAreas(areas, maxCorners)
}

/**
 * The areas of a large set with the most significant vertices of each border: more than pictures need, and less than the
 * memory limit.
 */
async function coarseAreas(
  ctx: Pick<Context, 'db'>,
  set: Pick<DrawableSet, 'id' | 'edition' | 'vertexCount'>,
): Promise<AreaCollection<ShapeProperties>> {
  const { net, areas } = await readNet(ctx, set)
  return {
    type: 'FeatureCollection',
    features: coarsePolygons(net, 2 * maxCorners).map((coordinates, i) => {
      const properties = areas[i] as ShapeProperties
      return {
        type: 'Feature',
        id: properties.gid,
        properties,
        geometry: { type: 'MultiPolygon', coordinates },
      }
    }),
  }
}

/**
 * Stores the areas of a public set where pages and maps read them without the database, and the archive of its tiles;
 * queues the tiles if there are none yet.
 */
export async function publishShapes(ctx: Context, set: DrawableSet): Promise<void> {
  const { name, origin, licence } = set
  const row = await ctx.db
    .selectFrom('boundarySet')
    .select('tiles')
    .where('id', '=', set.id)
    .executeTakeFirst()
  const tiles = row?.tiles ?? undefined
  const body = JSON.stringify({ name, origin, licence, tiles, ...(await drawableAreas(ctx, set)) })
  await ctx.tiles.put(boundaryKey(set.id), body, { httpMetadata: { contentType: 'application/geo+json' } })
  await publishOutlines(ctx, set)
  if (tiles) return
  await ctx.db
    .updateTable('boundarySet')
    .set({ tilesDueAt: sql`clock_timestamp()` })
    .where('id', '=', set.id)
    .where('visibility', '=', 'public')
    .execute()
  ctx.wake('jobs')
}

/** Withdraws the published areas and tiles of a set. */
export async function withdrawShapes(ctx: Context, id: string): Promise<void> {
  await removeShapes(ctx, id)
  await ctx.db
    .updateTable('boundarySet')
    .set({ tiles: null, tilesDueAt: null })
    .where('id', '=', id)
    .where((has) => has.or([has('tiles', 'is not', null), has('tilesDueAt', 'is not', null)]))
    .execute()
}

/** Deletes the published areas and tiles of a set, and leaves its row unchanged. */
export async function removeShapes({ tiles }: Pick<Context, 'tiles'>, id: string): Promise<void> {
  await tiles.delete([boundaryKey(id), outlinesKey(id)])
  await removeOtherArchives(tiles, id, null)
}

/** Removes the archives of a set but one. */
export async function removeOtherArchives(tiles: R2Bucket, id: string, hash: string | null): Promise<void> {
  const { objects } = await tiles.list({ prefix: setArchives(id) })
  const staleKeys = objects
    .map(({ key }) => key)
    .filter((key) => hash === null || key !== setArchiveKey(id, hash))
  if (staleKeys.length > 0) await tiles.delete(staleKeys)
}
