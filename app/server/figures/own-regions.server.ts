import { findShapes } from '#functions/domain/boundary/sets.ts'
import type { ReadOwn } from '#functions/engine/picture/map.ts'
import type { Context } from '#functions/context.ts'

/**
 * Reads the regions of boundary sets that are not public, with the permissions of the person. Undefined on hubs, whose pages are
 * cached for everyone.
 */
export function createRegionReader(ctx: Context): ReadOwn | undefined {
  if (ctx.site.mode !== 'main') return undefined
  return (setId) => findShapes(ctx, setId)
}
