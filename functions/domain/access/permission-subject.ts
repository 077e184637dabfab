import { noSubject, type PermissionSubject } from './allowed.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import { readRowBatched } from '#functions/platform/cache/batch.ts'

/** The nouns that belong to a place, by the name of their parameter, innermost first. */
const nounOfParam = {
  insightId: 'insight',
  collectionId: 'collection',
  pageId: 'page',
  sourceId: 'source',
  boundarySetId: 'boundarySet',
} as const

/**
 * The subject of a request: the place in the path, otherwise the place of the row in the path, otherwise (for
 * new rows) the place in the body, otherwise the person's current place. Undefined: there is no such place or
 * row, or the actor may not see it. Rows are read under the actor's row-level security.
 */
export async function findPermissionSubject(
  ctx: Context,
  params: Record<string, string>,
  data: unknown,
): Promise<PermissionSubject | undefined> {
  const about = { ...noSubject, userId: params.userId ?? null, sourceId: params.sourceId ?? null }
  const { placeId, assetsId, inviteId } = params
  if (assetsId !== undefined) return library(ctx, assetsId)
  if (placeId !== undefined) return (await placeExists(ctx, placeId)) ? { ...about, placeId } : undefined
  for (const [param, noun] of Object.entries(nounOfParam) as [keyof typeof nounOfParam, 'source'][]) {
    const id = params[param]
    if (id === undefined) continue
    const row = await memoize(ctx, 'page', `place of ${noun} ${id}`, ({ db }) =>
      db
        .selectFrom(noun)
        .select('placeId')
        .where('id', '=', id)
        .where('deletedAt', 'is', null)
        .executeTakeFirst(),
    )
    return row && { ...about, placeId: row.placeId }
  }
  if (inviteId !== undefined) {
    const row = await ctx.db
      .selectFrom('invite')
      .select('placeId')
      .where('id', '=', inviteId)
      .executeTakeFirst()
    return row && { ...about, placeId: row.placeId }
  }
  if (params.dataTypeId !== undefined) {
    const row = await ctx.db
      .selectFrom('dataType')
      .select('ownerPlaceId')
      .where('id', '=', params.dataTypeId)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
    return row && { ...about, placeId: row.ownerPlaceId }
  }
  return { ...about, placeId: about.userId === null ? placeInBody(ctx, data) : null }
}

/** The subject of a media library: a person's, by user id, or a place's, by place id. */
async function library(ctx: Context, id: string): Promise<PermissionSubject | undefined> {
  if (ctx.actor.user?.id === id) return { ...noSubject, userId: id }
  return (await placeExists(ctx, id)) ? { ...noSubject, placeId: id } : undefined
}

/**
 * `ownerPlaceId: null` means "official", which is no place; without the property it is the person's current
 * place.
 */
function placeInBody(ctx: Context, data: unknown): string | null {
  if (typeof data !== 'object' || data === null) return null
  const { placeId, ownerPlaceId } = data as { placeId?: unknown; ownerPlaceId?: unknown }
  if (ownerPlaceId === null) return null
  const ownPlaceId = placeId ?? ownerPlaceId
  return typeof ownPlaceId === 'string' ? ownPlaceId : ctx.placeId
}

async function placeExists(ctx: Context, placeId: string): Promise<boolean> {
  const { actor, site } = ctx
  if (site.mode === 'hub' && site.placeId === placeId) return true
  if (actor.memberships.some((membership) => membership.placeId === placeId)) return true
  // Batched, because a screen calls several endpoints of one place side by side.
  const row = await readRowBatched(ctx, 'place', placeId, (ids) =>
    ctx.db.selectFrom('place').select('id').where('id', 'in', ids).where('deletedAt', 'is', null).execute(),
  )
  return row !== undefined
}
