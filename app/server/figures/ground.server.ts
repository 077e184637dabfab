import type { Context } from '#functions/context.ts'
import { findGround } from '#functions/engine/picture/find-ground.ts'
import { readGrounds } from '#functions/engine/picture/ground.ts'
import type { GroundView } from '#functions/engine/map/static-map.ts'
import type { Ground } from '#functions/engine/map/draw-ground.ts'
import type { GroundArchive } from '#functions/engine/map/ground-layers.ts'
import { placeMap, placeView, type PlaceMapOptions } from '#functions/engine/map/place-map.ts'
import { memoize } from '#functions/platform/cache/memo.ts'

/** The basemap archive: the one in the operator's settings, else the built-in one; null without either. */
export function groundArchive(ctx: Context): Promise<GroundArchive | null> {
  return memoize(ctx, 'hub', 'ground', () =>
    findGround(ctx.tiles, ctx.settings.basemap, (error) => ctx.report(error, { during: 'ground' })),
  )
}

/** The basemap below a picture; null without a view, and where no archive covers it. */
export async function findViewGround(ctx: Context, view: GroundView | null): Promise<Ground | null> {
  const archive = view && (await groundArchive(ctx))
  const report = (error: unknown) => ctx.report(error, { during: 'ground' })
  return view && archive ? readGrounds(ctx.tiles, archive, view, report) : null
}

/** The map of a place with the basemap, if its projection supports it. */
export async function placeMapOnGround(
  ctx: Context,
  options: PlaceMapOptions,
): Promise<ReturnType<typeof placeMap>> {
  return placeMap({ ...options, ground: await findViewGround(ctx, placeView(options)) })
}
