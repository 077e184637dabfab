import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import type { PlaceState } from '#functions/shapes/place-state.ts'
import { byNaturalOrder } from '#functions/domain/noun/natural-order.ts'
import { countryOfRegion } from '#functions/engine/map/region-names.ts'
import { isBuiltInSet, regionsOfCountry } from '#functions/shapes/region-sets.ts'
import type { OwnBoundary } from '#functions/shapes/place.ts'
import { findClosedHub } from './closed-hub.ts'

/** The most boundary sets in a state, which every isolate reads. */
const maxSets = 50

/**
 * The current public state of a place: empty for a deleted or closed one; null when it never existed. Must run as the
 * system actor.
 */
export async function placeState(ctx: Context, placeId: string): Promise<PlaceState | null> {
  const { db } = ctx
  // The clock is read first: everything committed before that time is visible to the queries that follow.
  const place = await db
    .selectFrom('place')
    .select([
      'timeZone',
      'boundaryId',
      'ownBoundary',
      'deletedAt',
      sql<string>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`.as('at'),
    ])
    .where('id', '=', placeId)
    .executeTakeFirst()
  if (!place) {
    const closedState = await findClosedHub(ctx, placeId)
    return (
      closedState && {
        ...{ placeId, at: closedState.at, timeZone: closedState.timeZone, isClosed: true },
        ...{ dataTypes: {}, sources: {}, insights: {} },
      }
    )
  }
  const at = Number(place.at)
  const { timeZone } = place
  if (place.deletedAt) return { placeId, at, timeZone, dataTypes: {}, sources: {}, insights: {} }
  const [sources, insights, boundarySets] = await Promise.all([
    db
      .selectFrom('source')
      .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
      .select(['source.id', 'source.dataTypeId', 'source.dataVersion', 'dataType.version'])
      .where('source.placeId', '=', placeId)
      .where('source.visibility', '=', 'public')
      .where('source.deletedAt', 'is', null)
      .where('dataType.deletedAt', 'is', null)
      .orderBy('source.id')
      .execute(),
    db
      .selectFrom('insight')
      .select(['id', 'version', 'dataTypeId', 'sourceId'])
      .where('placeId', '=', placeId)
      .where('visibility', '=', 'public')
      .where('deletedAt', 'is', null)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('boundarySet')
      .select(['id', 'name', 'edition'])
      .where('placeId', '=', placeId)
      .where('visibility', '=', 'public')
      .where('deletedAt', 'is', null)
      .orderBy('name', byNaturalOrder)
      .orderBy('id')
      .limit(maxSets)
      .execute(),
  ])
  return {
    placeId,
    at,
    timeZone,
    dataTypes: Object.fromEntries(sources.map(({ dataTypeId, version }) => [dataTypeId, version])),
    sources: Object.fromEntries(
      sources.map(({ id, dataVersion, dataTypeId }) => [id, { version: dataVersion, dataType: dataTypeId }]),
    ),
    insights: Object.fromEntries(
      insights.map(({ id, version, dataTypeId, sourceId }) => [
        id,
        { version, dataType: dataTypeId, source: sourceId },
      ]),
    ),
    boundarySets,
    nearSets: nearSets(place),
  }
}

/** The shared sets that the boundary of a place is in, or is made of, the closest first. */
function nearSets({
  boundaryId,
  ownBoundary,
}: {
  boundaryId: string | null
  ownBoundary: OwnBoundary | null
}): string[] {
  if (ownBoundary) return isBuiltInSet(ownBoundary.boundarySetId) ? [ownBoundary.boundarySetId] : []
  if (boundaryId === null) return []
  if (boundaryId.startsWith('us-')) return ['us-states', 'us-counties']
  const country = countryOfRegion(boundaryId)
  if (country === null) return []
  const regions = regionsOfCountry(country)
  return country === 'US' ? ['us-states', 'us-counties'] : isBuiltInSet(regions) ? [regions] : []
}
