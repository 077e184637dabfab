import { noSubject, type PermissionSubject } from './allowed.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import { readRowBatched } from '#functions/platform/cache/batch.ts'

/** The nouns that have a place of their own, by the name of their parameter. The innermost first. */
const placed = {
  insightId: 'insight',
  collectionId: 'collection',
  pageId: 'page',
  sourceId: 'source',
} as const

/**
 * What a request is about, from its path: the place named there, else the place of the row named there, else (when
 * something is made) the place named in the body, else the place the person works in. Undefined: there is no such
 * place or row, or it is none of the actor's business. Rows are read under the actor's row-level security.
 */
export async function subjectOf(
  ctx: Context,
  params: Record<string, string>,
  data: unknown,
): Promise<PermissionSubject | undefined> {
  const about = { ...noSubject, userId: params.userId ?? null, sourceId: params.sourceId ?? null }
  const { placeId, assetsId, inviteId } = params
  if (assetsId !== undefined) return library(ctx, assetsId)
  if (placeId !== undefined) return (await placeExists(ctx, placeId)) ? { ...about, placeId } : undefined
  for (const [param, noun] of Object.entries(placed) as [keyof typeof placed, 'source'][]) {
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

/** A library is a person's own, by user id, or a place's, by place id. */
async function library(ctx: Context, id: string): Promise<PermissionSubject | undefined> {
  if (ctx.actor.user?.id === id) return { ...noSubject, userId: id }
  return (await placeExists(ctx, id)) ? { ...noSubject, placeId: id } : undefined
}

/** `ownerPlaceId: null` means "official", which is no place; not saying a place means the one the person works in. */
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
  // A screen asks several endpoints side by side, all of them of one place
  const row = await readRowBatched(ctx, 'place', placeId, (ids) =>
    ctx.db.selectFrom('place').select('id').where('id', 'in', ids).where('deletedAt', 'is', null).execute(),
  )
  return row !== undefined
}
