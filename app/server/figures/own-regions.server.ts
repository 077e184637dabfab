import { findShapes } from '#functions/domain/boundary/sets.ts'
import type { ReadOwn } from '#functions/engine/picture/map.ts'
import type { Context } from '#functions/context.ts'

/**
 * How the regions of boundary sets are read that are not public: in the workspace, by who may see them. Not at hubs, whose pages are kept for
 * everyone.
 */
export function ownRegions(ctx: Context): ReadOwn | undefined {
  if (ctx.site.mode !== 'main') return undefined
  return (setId) => findShapes(ctx, setId)
}
