import type { IncomingMessage, ServerResponse } from 'node:http'
import { toCsv, trees } from './job/testing.ts'
import { buildZip } from '#functions/engine/import/parse/files.testing.ts'

/** A portal that behaves as documented: paging, page size, and errors. */
export interface Portal {
  /** Which template is about it. */
  template: string
  /** Good rows there are. */
  rows: number
  answer(url: URL, request: IncomingMessage, response: ServerResponse): void
}

const json = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
const parseNumberParameter = (url: URL, name: string, otherwise: number) =>
  Number(url.searchParams.get(name) ?? otherwise)
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const place = (i: number): [number, number] => [-122 + (i % 100) / 100, 47 + (i % 70) / 100]

/** docs.ckan.org, DataStore API: 100 records by default, 32,000 at most; errors as `success: false` with their status. */
function ckan(url: URL, _request: IncomingMessage, response: ServerResponse) {
  if (url.pathname !== '/api/3/action/datastore_search' || !url.searchParams.get('resource_id'))
    return json(response, 409, {
      success: false,
      error: { __type: 'Validation Error', resource_id: ['Missing value'] },
    })
  const [offset, limit] = [
    parseNumberParameter(url, 'offset', 0),
    Math.min(32_000, parseNumberParameter(url, 'limit', 100)),
  ]
  const records = numbers(2345)
    .slice(offset, offset + limit)
    .map((i) => ({ _id: i + 1, name: `Permit ${i}`, fee: i * 1.5, 'Issue Date': '2024-05-15T00:00:00' }))
  const links = {
    start: '/api/3/action/datastore_search',
    next: `/api/3/action/datastore_search?offset=${offset + limit}`,
  }
  json(response, 200, { success: true, result: { records, total: 2345, limit, offset, _links: links } })
}

/** dev.socrata.com, SODA 2.1: an array with numbers as texts, 1,000 rows by default, 50,000 at most. */
function socrata(url: URL, _request: IncomingMessage, response: ServerResponse) {
  if (url.searchParams.get('$order') !== ':id')
    return json(response, 400, { code: 'query.soql.no-order', message: 'Paging needs an order.' })
  const [offset, limit] = [
    parseNumberParameter(url, '$offset', 0),
    Math.min(50_000, parseNumberParameter(url, '$limit', 1000)),
  ]
  const rows = numbers(5100).slice(offset, offset + limit)
  json(
    response,
    200,
    rows.map((i) => ({
      unique_key: String(10_000 + i),
      agency: i % 2 ? 'NYPD' : 'DOT',
      created_date: '2024-01-02T03:04:05.000',
      incident_zip: `0${2100 + (i % 50)}`,
    })),
  )
}

/** developers.arcgis.com, Query (Feature Service/Layer): `maxRecordCount` a page, and errors in a body of status 200. */
export const arcgis =
  (maxRecordCount: number) => (url: URL, _request: IncomingMessage, response: ServerResponse) => {
    const { searchParams: query } = url
    if (query.get('f') !== 'geojson' || !query.get('where'))
      return json(response, 200, {
        error: { code: 400, message: 'Unable to perform query operation.', details: [] },
      })
    const offset = parseNumberParameter(url, 'resultOffset', 0)
    const features = numbers(2500)
      .slice(
        offset,
        offset + Math.min(maxRecordCount, parseNumberParameter(url, 'resultRecordCount', maxRecordCount)),
      )
      .map((i) => {
        const [x, y] = place(i)
        const ring = [
          [x, y],
          [x + 0.01, y],
          [x + 0.01, y + 0.01],
          [x, y],
        ]
        return {
          type: 'Feature',
          id: i + 1,
          geometry: { type: 'Polygon', coordinates: [ring] },
          properties: { OBJECTID: i + 1, NAME: `County ${i}` },
        }
      })
    const properties = offset + features.length < 2500 ? { exceededTransferLimit: true } : undefined
    json(response, 200, { type: 'FeatureCollection', ...(properties && { properties }), features })
  }

/** help.opendatasoft.com, Explore API 2.1: `exports/json` is the whole data set in one array. */
function opendatasoft(url: URL, _request: IncomingMessage, response: ServerResponse) {
  if (!url.pathname.endsWith('/exports/json'))
    return json(response, 404, { error_code: 'ODSError', message: 'Unknown dataset' })
  const towns = numbers(1200).map((i) => {
    const [lon, lat] = place(i)
    return {
      geoname_id: String(5_000_000 + i),
      name: `Town ${i}`,
      population: 1000 + i,
      coordinates: { lon, lat },
    }
  })
  json(response, 200, towns)
}

/** gtfs.org, Schedule reference: a zip of tables. Here 40 stops, each a record, and unused tables. */
function gtfs(_url: URL, _request: IncomingMessage, response: ServerResponse) {
  const stops = numbers(40).map((i) => `s${i},Stop ${i},${place(i)[1]},${place(i)[0]}`)
  const body = buildZip({
    'agency.txt':
      'agency_id,agency_name,agency_url,agency_timezone\na,Agency,https://a.org,America/New_York\n',
    'stops.txt': `stop_id,stop_name,stop_lat,stop_lon\n${stops.join('\n')}\n`,
    'routes.txt': 'route_id,route_short_name,route_type\nr1,1,3\n',
    // After the stops, with the same ids.
    'facilities.txt': 'facility_id,stop_id\nlift,s0\nstairs,s1\n',
  })
  response.writeHead(200, { 'content-type': 'application/zip' })
  response.end(body)
}

/** earthquake.usgs.gov, GeoJSON Summary Format: times in milliseconds, positions with a depth, `mag` may be null. */
function usgs(_url: URL, _request: IncomingMessage, response: ServerResponse) {
  const features = numbers(180).map((i) => ({
    type: 'Feature',
    id: `us${i}`,
    properties: {
      mag: i % 50 ? 1 + (i % 60) / 10 : null,
      place: `${i} km N of Town`,
      time: 1_716_000_000_000 + i * 60_000,
    },
    geometry: { type: 'Point', coordinates: [...place(i), 10.2] },
  }))
  const metadata = {
    generated: 1_716_100_000_000,
    title: 'USGS All Earthquakes, Past Day',
    count: 180,
    status: 200,
  }
  json(response, 200, { type: 'FeatureCollection', metadata, features })
}

function csv(_url: URL, _request: IncomingMessage, response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/csv' })
  response.end(toCsv(trees(300).map((tree) => ({ ...tree, height: 3 }))))
}

/** As JSON:API pages: `links.next` until it is null. */
function linked(url: URL, _request: IncomingMessage, response: ServerResponse) {
  const page = parseNumberParameter(url, 'page', 1)
  const data = numbers(50).map((i) => ({ id: `i${page}-${i}`, title: `Item ${i}`, count: i }))
  json(response, 200, { data, links: { next: page < 5 ? `?page=${page + 1}` : null } })
}

export const portals: Portal[] = [
  { template: 'ckan', rows: 2345, answer: ckan },
  { template: 'socrata', rows: 5100, answer: socrata },
  { template: 'arcgis', rows: 2500, answer: arcgis(2000) },
  { template: 'opendatasoft', rows: 1200, answer: opendatasoft },
  { template: 'gtfs', rows: 40, answer: gtfs },
  { template: 'usgs-earthquakes', rows: 180, answer: usgs },
  { template: 'csv', rows: 300, answer: csv },
  { template: 'json', rows: 250, answer: linked },
]
