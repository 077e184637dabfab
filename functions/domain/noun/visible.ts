import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { getAdminPlaceIds, getReadablePlaceIds, readsAll } from '#functions/domain/access/identity.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import type { Context } from '#functions/context.ts'
import type { Visibility } from '#db/schema.ts'

/** The nouns whose rows have a place, a visibility and an author. */
export type PlacedNoun = 'source' | 'insight' | 'collection' | 'page' | 'boundarySet'

/** Visibility levels from public to private. A level includes the ones before it. */
const levels: readonly Visibility[] = ['public', 'place', 'private']

/** Whether a level lets more people see a row than another. */
export function isWider(level: Visibility, than: Visibility): boolean {
  return levels.indexOf(level) < levels.indexOf(than)
}

/**
 * A condition for the rows of a noun that the actor may see: public ones; those of places where it has a
 * role; private ones only as their author or as an admin of the place. A page is public only once it is
 * published. `maxVisibility` can only narrow this, even for admins. All lists and single reads use it, so
 * they agree. `isKept`: which rows exist, by default those that are not deleted.
 */
export function whereRowsVisible(
  ctx: Context,
  noun: PlacedNoun,
  maxVisibility: Visibility = 'private',
  isKept: RawBuilder<unknown> = sql`${sql.ref(`${noun}.deletedAt`)} is null`,
): RawBuilder<SqlBool> {
  const { actor } = ctx
  const column = (name: string) => sql.ref(`${noun}.${name}`)
  const isPublished = noun === 'page' ? sql`and ${column('publish')} = 'published'` : sql``
  const isPublic = sql`(${column('visibility')} = 'public' ${isPublished})`
  if (maxVisibility === 'public') return sql<SqlBool>`(${isKept} and ${isPublic})`
  const narrow = sql`${column('visibility')} = any(${levels.slice(0, levels.indexOf(maxVisibility) + 1)}::text[])`
  if (readsAll(actor)) return sql<SqlBool>`(${isKept} and ${narrow})`
  const places = getReadablePlaceIds(actor)
  // A write key is for one source and grants nothing else of its place.
  if (actor.source && noun === 'source')
    return sql<SqlBool>`(${isKept} and ${narrow} and (${isPublic} or ${column('id')} = ${actor.source.id}))`
  if (!places.length) return sql<SqlBool>`(${isKept} and ${isPublic})`
  const inPlace = sql`${column('placeId')} = any(${places}::text[])`
  const isPrivateMine = sql`(${column('createdBy')} = ${actor.user?.id ?? ''} or ${column('placeId')} = any(${getAdminPlaceIds(actor)}::text[]))`
  return sql<SqlBool>`(${isKept} and ${narrow} and (${isPublic} or (${inPlace}
    and (${column('visibility')} <> 'private' or ${isPrivateMine}))))`
}

/**
 * A condition for the rows of a list, in one place or (null) in all; adds the list to what the answer depends
 * on.
 */
export function whereListVisible(
  ctx: Context,
  noun: PlacedNoun,
  placeId: string | null,
  maxVisibility?: Visibility,
): RawBuilder<SqlBool> {
  dependsOn(ctx, { lists: { [noun]: placeId } })
  const condition = whereRowsVisible(ctx, noun, maxVisibility)
  return placeId === null
    ? condition
    : sql<SqlBool>`(${condition} and ${sql.ref(`${noun}.placeId`)} = ${placeId})`
}

/**
 * A condition for one row, in the place that permission was checked for; adds it to what the answer depends
 * on.
 */
export function whereOneVisible(
  ctx: Context,
  noun: PlacedNoun,
  id: string,
  placeId: string | null,
): RawBuilder<SqlBool> {
  return whereSomeVisible(ctx, noun, [id], placeId)
}

/** Like `whereOneVisible`, for several rows. */
export function whereSomeVisible(
  ctx: Context,
  noun: PlacedNoun,
  ids: readonly string[],
  placeId: string | null,
): RawBuilder<SqlBool> {
  dependsOn(ctx, { rows: { [noun]: ids } })
  const condition = sql`${whereRowsVisible(ctx, noun)} and ${sql.ref(`${noun}.id`)} = any(${ids}::text[])`
  return placeId === null
    ? sql<SqlBool>`(${condition})`
    : sql<SqlBool>`(${condition} and ${sql.ref(`${noun}.placeId`)} = ${placeId})`
}
