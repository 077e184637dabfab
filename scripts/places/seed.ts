import { call } from '#functions/api/call.ts'
import type { Context } from '#functions/context.ts'
import { processTiles } from '#functions/domain/boundary/set-tiles.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { v1 } from '#functions/v1/index.ts'
import type { InspectedHub } from './hubs.ts'

/** The paths of a hub's maps: the map of points, and the story with the map of regions. */
export const mapPaths = ({ id }: InspectedHub) => ({
  points: '/map',
  regions: `/pages/storytelling/${id}-regions/preview`,
})

/**
 * Creates a hub with a set of boundaries, a source of points whose regions the product finds in that set, and
 * a story with a map of these regions: by the same endpoints and the same ingestion as everyone. `ctx` is
 * that of the system.
 */
export async function seedHub(ctx: Context, hub: InspectedHub): Promise<void> {
  const { id, name, timeZone, areas, records } = hub
  const params = { placeId: id }
  // One language: pages in other languages have the same maps.
  await call(v1.place.create, ctx, {
    data: { id, name, displayName: name, timeZone, isHub: true, languages: ['en'] },
  })
  const { shapes, ...about } = areas
  const set = await call(v1.place.boundarySet.create, ctx, {
    params,
    data: { ...about, visibility: 'public', geojson: shapes() as unknown as { type: string } },
  })
  await processTiles(ctx)
  // The map page is only for places with a boundary: an area of the set, or the union of all.
  await call(v1.place.updateById, ctx, {
    params,
    data: { ownBoundary: { boundarySetId: set.id, area: hub.area } },
  })
  const dataTypeId = `${id}-type`
  const schema = {
    id: { name: 'Id', type: 'text', identifier: true, validation: { required: true } },
    name: { name: 'Name', type: 'text' },
    people: { name: 'People', type: 'number', additive: true },
    location: { name: 'Location', type: 'point' },
    region: {
      ...{ name: 'Region', type: 'text' },
      regionOf: { point: 'location', boundarySetId: set.id, value: 'name' },
    },
  } as const
  await call(v1.dataType.create, ctx, {
    data: { id: dataTypeId, name: records.name, category: 'Places', ownerPlaceId: id, schema },
  })
  const sourceId = `${id}-source`
  const { attribution, licence } = records
  await call(v1.source.create, ctx, {
    data: {
      ...{ id: sourceId, dataTypeId, placeId: id, name: records.name, visibility: 'public' },
      ...{ attribution, licence },
    },
  })
  const { rejected } = await ingest(ctx, sourceId, records.rows())
  if (rejected[0]) throw new Error(`${id}: a record was refused: ${JSON.stringify(rejected[0])}`)
  await seedRegions(ctx, hub, { setId: set.id, dataTypeId, sourceId })
}

/** Creates the story with the map of regions: the number of people, or things, in each. */
async function seedRegions(
  ctx: Context,
  { id, records }: InspectedHub,
  { setId, dataTypeId, sourceId }: { setId: string; dataTypeId: string; sourceId: string },
) {
  const params = { placeId: id }
  const isOfPeople = records.measure === 'People'
  const amount = isOfPeople
    ? { function: 'sum', arguments: [{ field: 'data.people' }] }
    : { function: 'count', arguments: [] }
  const insightId = `${id}-insight`
  await call(v1.insight.create, ctx, {
    data: {
      ...{ id: insightId, placeId: id, dataTypeId, sourceId, visibility: 'public' },
      name: `${records.name}: ${records.measure.toLowerCase()} by region`,
      visualization: {
        type: 'map',
        settings: { region: 'region', color: 'amount', boundarySetId: setId },
      },
      query: {
        aggregations: [
          { alias: 'region', name: 'Region', value: { field: 'data.region' } },
          { alias: 'amount', name: records.measure, value: amount },
        ],
        groupings: [{ field: 'region' }],
        orderings: [{ value: { field: 'amount' }, direction: 'desc' }],
      },
    },
  })
  const pageId = `${id}-regions`
  await call(v1.place.page.create, ctx, {
    params,
    data: { id: pageId, type: 'storytelling', title: 'By region', visibility: 'public', publish: 'draft' },
  })
  await call(v1.place.page.content.create, ctx, {
    params: { ...params, pageId },
    data: { kind: 'map', settings: { insightId }, position: 0 },
  })
  await call(v1.place.page.updateById, ctx, {
    params: { ...params, pageId },
    data: { publish: 'published' },
  })
}
