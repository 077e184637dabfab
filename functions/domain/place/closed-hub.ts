import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { toHubLanguages } from '#functions/shapes/locale.ts'
import { includeClosedPlaces } from '#functions/domain/access/include-closed.ts'

/**
 * The state of a closed place for the edge: its domains, including former ones, its languages, and its public boundary
 * sets. Null where there is no such place, or it is open. Must run as the system actor.
 */
export async function findClosedHub(ctx: Context, placeId: string) {
  return ctx.transaction(async (tx) => {
    await includeClosedPlaces(tx)
    const place = await tx
      .selectFrom('closedPlace')
      .innerJoin('place', 'place.id', 'closedPlace.placeId')
      .select(['place.languages', 'place.timeZone', 'closedPlace.hosts'])
      .select(sql<string>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`.as('at'))
      .where('closedPlace.placeId', '=', placeId)
      .where('closedPlace.reopenedAt', 'is', null)
      .executeTakeFirst()
    if (!place) return null
    const sets = await tx
      .selectFrom('boundarySet')
      .select('id')
      .where('placeId', '=', placeId)
      .where('visibility', '=', 'public')
      .orderBy('id')
      .execute()
    const { languages, timeZone, hosts, at } = place
    const boundarySets = sets.map(({ id }) => id)
    return { languages: toHubLanguages(languages), timeZone, domains: hosts, at: Number(at), boundarySets }
  })
}
