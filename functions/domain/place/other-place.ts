import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import { knows, placesWhere } from '#functions/domain/access/allowed.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import { readsAll } from '#functions/domain/access/identity.ts'
import { mustGiveReasons } from '#functions/domain/access/opened.ts'
import type { Context } from '#functions/context.ts'

export interface OtherPlace {
  id: string
  displayName: string
}

/** Nouns of one place, by the path parameter; where a path has two, the first contains the second. */
const nouns = {
  collectionId: 'collection',
  pageId: 'page',
  observerId: 'observer',
  insightId: 'insight',
  boundarySetId: 'boundarySet',
} as const

/**
 * The place that has what a path names, if it is not the active one: one of the actor's places, and only for things that
 * the actor may see there. Null otherwise, so it reveals nothing to others. Runs no query for people without another
 * place, and only searches the same database.
 */
export async function findOtherPlace(
  ctx: Context,
  params: Readonly<Record<string, string | undefined>>,
): Promise<OtherPlace | null> {
  const { actor, placeId } = ctx
  const ownPlaceIds = actor.memberships.map((membership) => membership.placeId)
  if (!readsAll(actor) && !mustGiveReasons(actor) && ownPlaceIds.every((id) => id === placeId)) return null
  const name = (Object.keys(nouns) as (keyof typeof nouns)[]).find((param) => params[param])
  const place = name && (await placeHaving(ctx, nouns[name], params[name] ?? ''))
  return place && place.id !== placeId && knows(actor, place.id) ? place : null
}

async function placeHaving(ctx: Context, noun: (typeof nouns)[keyof typeof nouns], id: string) {
  const places = ctx.db.selectFrom('place').select(['place.id', 'place.displayName'])
  const livePlaces = places.where('place.deletedAt', 'is', null)
  if (noun !== 'observer')
    return livePlaces
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom(noun)
            .select('id')
            .where('id', '=', id)
            .whereRef('placeId', '=', 'place.id')
            .where(whereRowsVisible(ctx, noun)),
        ),
      )
      .executeTakeFirst()
  const { actor } = ctx
  const open = readsAll(actor) ? null : placesWhere(actor, 'observer.read', await loadGrants(ctx))
  return livePlaces
    .innerJoin('observer', 'observer.placeId', 'place.id')
    .where('observer.id', '=', id)
    .where('observer.deletedAt', 'is', null)
    .$if(open !== null, (q) => q.where('place.id', 'in', open?.length ? open : ['']))
    .executeTakeFirst()
}
