import { ask } from './assets.testing.ts'
import type { Context } from '#functions/context.ts'
import { box, collection } from '#functions/domain/boundary/sets.testing.ts'

const aggregations = [
  { alias: 'beat', value: { field: 'data.beat' } },
  { alias: 'hours', value: { function: 'sum', arguments: [{ field: 'data.hours' }] } },
]
const groupings = [{ field: 'beat' }]

/**
 * Creates what uses boundary sets of an organization, through `/v1` as its admin: a set that names the regions of a
 * field, one whose areas a calculated field has, insights within its areas and drawn by it, and the organization's own
 * boundary.
 */
export async function furnishSets(ctx: Context, placeId: string): Promise<void> {
  const place = { placeId }
  const make = (name: string, params: Record<string, string>, data: object) =>
    ask<{ id: string; version: number }>(ctx, name, params, { data })
  const geojson = collection([{ NAME: 'North', NR: '1' }, box(0, 1)], [{ NAME: 'South', NR: '2' }, box(0, 0)])
  for (const [id, name] of Object.entries({ 'lake-beats': 'Beats', 'lake-around': 'Around' }))
    await make('place.boundarySet.create', place, { id, name, geojson, visibility: 'public' })
  const beats = { ...place, boundarySetId: 'lake-beats' }
  await make('place.boundarySet.updateById', beats, { nameField: 'NAME', codeField: 'NR' })
  const type = { id: 'lake-patrol', name: 'Patrol', category: 'Safety', ownerPlaceId: placeId }
  const schema = {
    where: { name: 'Where', type: 'point' },
    beat: { name: 'Beat', type: 'text', region: 'lake-beats' },
    area: {
      ...{ name: 'Area', type: 'text' },
      regionOf: { point: 'where', boundarySetId: 'lake-beats', value: 'name' },
    },
    country: {
      ...{ name: 'Country', type: 'text' },
      regionOf: { point: 'where', boundarySetId: 'world-countries', value: 'code' },
    },
    hours: { name: 'Hours', type: 'number' },
  }
  await make('dataType.create', {}, { ...type, schema })
  const source = { id: 'lake-patrols', name: 'Patrols', dataTypeId: type.id, visibility: 'public' }
  await make('place.source.create', place, source)
  const createPoint = (lon: number, lat: number) => ({ type: 'Point', coordinates: [lon, lat] })
  const rows = [
    { where: createPoint(0.5, 1.5), beat: 'North', hours: 3 },
    { where: createPoint(0.5, 0.5), beat: '2', hours: 4 },
    { where: createPoint(5, 5), beat: 'South', hours: 5 },
  ]
  await make('source.datum.create', { sourceId: source.id }, rows)
  const insight = { ...place, dataTypeId: type.id, sourceId: source.id, visibility: 'public' }
  const bars = { type: 'bar', settings: { x: 'beat', y: 'hours' } }
  const within = { boundarySetId: 'lake-beats', area: ['2'] }
  const insights = [
    { id: 'lake-south', name: 'South', query: { aggregations, groupings, within }, visualization: bars },
    {
      ...{ id: 'lake-ours', name: 'Ours', visibility: 'place', visualization: { type: 'table' } },
      query: { aggregations, groupings, within: { boundarySetId: 'lake-beats', area: '1' } },
    },
    {
      ...{ id: 'lake-map', name: 'Map', query: { aggregations, groupings } },
      visualization: { type: 'map', settings: { region: 'beat', boundarySetId: 'lake-beats' } },
    },
  ]
  for (const each of insights) await make('insight.create', {}, { ...insight, ...each })
  const { version } = await ask<{ version: number }>(ctx, 'place.findById', place)
  await make('place.updateById', place, {
    ...{ version, isHub: true, allStatesBoundaryId: 'lake-around' },
    ownBoundary: { boundarySetId: 'lake-beats', area: '2' },
  })
}
