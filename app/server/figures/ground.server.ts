import type { Context } from '#functions/context.ts'
import { readGround } from '#functions/engine/picture/ground.ts'
import type { Ground } from '#functions/engine/map/draw-ground.ts'
import { placeMap, seenBox, type PlaceMapOptions } from '#functions/engine/map/place-map.ts'
import { readArchiveFacts, type ArchiveFacts } from '#functions/engine/tile/archives.ts'
import { readManifest } from '#functions/engine/tile/manifest.ts'
import { memoize } from '#functions/platform/cache/memo.ts'

/** The archive of the ground: the one that the operator names, else the one that was made here; null where there is neither. */
export function groundArchive(ctx: Context): Promise<ArchiveFacts | null> {
  return memoize(ctx, 'hub', 'ground', () => findArchive(ctx))
}

async function findArchive({
  tiles,
  settings,
}: Pick<Context, 'tiles' | 'settings'>): Promise<ArchiveFacts | null> {
  const named = settings.basemap === undefined ? null : await readArchiveFacts(tiles, settings.basemap)
  if (named) return named
  const own = (await readManifest(tiles))?.ground
  return own ? readArchiveFacts(tiles, own.hash) : null
}

/** The map of a place with the ground around it, where its projection has one. */
export async function placeMapOnGround(
  ctx: Context,
  options: PlaceMapOptions,
): Promise<ReturnType<typeof placeMap>> {
  const box = seenBox(options)
  const archive = box && (await groundArchive(ctx))
  const ground: Ground | null =
    box && archive ? await readGround(ctx.tiles, archive, box, options.width) : null
  return placeMap({ ...options, ground })
}
