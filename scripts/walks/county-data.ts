import { tsv } from '../seed/readers.ts'
import { censusAreas } from './areas.ts'
import { callAs, hubs } from './ask.ts'

// Unemployment in the counties of Washington, of the Bureau of Labor Statistics, from the package vega-datasets.

/** The rates by FIPS code of five digits, as shares. */
const unemployment = () =>
  new Map(tsv('unemployment.tsv').map(({ id = '', rate }) => [id.padStart(5, '0'), Number(rate)]))

/** A data type and a source of the demo's city with a record for each county of Washington. */
export interface CountyData {
  dataTypeId: string
  sourceId: string
  name: string
}

/** Adds them: code, name and rate of each county, and the first corner of its outline as a point. */
export async function addCountyData(stamp: string): Promise<CountyData> {
  const rates = unemployment()
  const [dataTypeId, sourceId, name] = [`jobless-${stamp}`, `jobless-${stamp}`, `Unemployment ${stamp}`]
  const call = (path: string, data: object) => callAs('organization_admin', 'POST', path, data)
  await call('/v1/dataTypes', {
    ...{ id: dataTypeId, name, category: 'Society', ownerPlaceId: hubs.seattle.id },
    schema: {
      county: { name: 'County', type: 'text' },
      called: { name: 'Name', type: 'text' },
      rate: { name: 'Rate', type: 'number' },
      corner: { name: 'Corner', type: 'point' },
    },
  })
  await call(`/v1/places/${hubs.seattle.id}/sources`, {
    ...{ id: sourceId, name, dataTypeId, visibility: 'place' },
  })
  const records = censusAreas('counties', '53').map(({ properties: { GEOID, NAME }, geometry }) => {
    const [outer] = geometry.type === 'Polygon' ? geometry.coordinates : (geometry.coordinates[0] ?? [])
    const corner = { type: 'Point', coordinates: outer?.[0] }
    return { county: GEOID, called: NAME, rate: rates.get(GEOID), corner }
  })
  await call(`/v1/sources/${sourceId}/data`, records)
  return { dataTypeId, sourceId, name }
}
