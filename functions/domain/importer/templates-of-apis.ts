import { address, nightly, type Template } from './template.ts'

/** Portals and feeds with APIs of their own. */
export const apiTemplates: Template[] = [
  {
    id: 'ckan',
    name: 'CKAN DataStore',
    notes: 'A table of a CKAN portal, page by page.',
    importer: {
      schedule: nightly,
      sources: [
        {
          url: 'https://demo.ckan.org/api/3/action/datastore_search?resource_id=00000000-0000-0000-0000-000000000000&sort=_id',
          parser: 'json',
          parserOptions: { selector: 'result.records.*' },
          pagination: { offsetParam: 'offset', limitParam: 'limit', limit: 1000 },
        },
      ],
    },
    fill: [address('The host of the portal and the resource_id of the table.')],
  },
  {
    id: 'socrata',
    name: 'Socrata data set',
    notes: 'A data set of a Socrata portal, page by page in the order of its rows.',
    importer: {
      schedule: nightly,
      sources: [
        {
          url: 'https://data.cityofnewyork.us/resource/erm2-nwe9.json?$order=:id',
          parser: 'json',
          parserOptions: { selector: '*' },
          pagination: { offsetParam: '$offset', limitParam: '$limit', limit: 5000 },
        },
      ],
    },
    fill: [
      address('The host of the portal and the four-by-four id of the data set.'),
      {
        path: ['sources', 0, 'headers', 'x-app-token'],
        label: 'App token',
        notes: 'Optional: raises how often the portal may be asked.',
      },
    ],
  },
  {
    id: 'arcgis',
    name: 'ArcGIS FeatureServer',
    notes: 'A layer of a FeatureServer or MapServer as GeoJSON, page by page.',
    importer: {
      schedule: nightly,
      sources: [
        {
          url: 'https://services.arcgis.com/P3ePLMYs2RVChkJx/arcgis/rest/services/USA_Counties/FeatureServer/0/query',
          parser: 'geojson',
          query: { where: '1=1', outFields: '*', outSR: 4326, f: 'geojson', orderByFields: 'OBJECTID' },
          pagination: { offsetParam: 'resultOffset', limitParam: 'resultRecordCount', limit: 1000 },
        },
      ],
      mapping: {
        id: { transform: 'createString', arguments: [{ field: 'properties.OBJECTID' }] },
        name: { field: 'properties.NAME' },
        area: { transform: 'ensureMulti', arguments: [{ field: 'geometry' }] },
      },
    },
    fill: [address('The address of the layer, with /query at its end.')],
  },
  {
    id: 'opendatasoft',
    name: 'Opendatasoft data set',
    notes: 'A data set of an Opendatasoft portal, whole.',
    importer: {
      schedule: nightly,
      sources: [
        {
          url: 'https://public.opendatasoft.com/api/explore/v2.1/catalog/datasets/geonames-all-cities-with-a-population-1000/exports/json',
          parser: 'json',
          parserOptions: { selector: '*' },
        },
      ],
    },
    fill: [address('The host of the portal and the id of the data set.')],
  },
  {
    id: 'gtfs',
    name: 'GTFS timetable',
    notes: 'The stops of a timetable; its other tables can be mapped in the same way.',
    importer: {
      schedule: nightly,
      mode: 'replace',
      sources: [
        { url: 'https://cdn.mbta.com/MBTA_GTFS.zip', parser: 'gtfs', parserOptions: { selector: 'stop' } },
      ],
      mapping: {
        id: { field: 'data.stop_id' },
        name: { field: 'data.stop_name' },
        location: {
          transform: 'createPoint',
          arguments: [{ field: 'data.stop_lon' }, { field: 'data.stop_lat' }],
        },
      },
    },
    fill: [address('The zip file of the feed.')],
  },
  {
    id: 'gtfs-realtime',
    name: 'GTFS Realtime vehicles',
    notes: 'Where the vehicles are now, every five minutes.',
    importer: {
      schedule: '*/5 * * * *',
      sources: [{ url: 'https://cdn.mbta.com/realtime/VehiclePositions.pb', parser: 'gtfsrt' }],
      mapping: {
        id: { field: 'id' },
        route: { field: 'vehicle.trip.route_id' },
        location: {
          transform: 'createPoint',
          arguments: [{ field: 'vehicle.position.longitude' }, { field: 'vehicle.position.latitude' }],
        },
      },
    },
    fill: [address('The protocol buffer of the feed.')],
  },
  {
    id: 'usgs-earthquakes',
    name: 'USGS earthquakes',
    notes: 'Earthquakes of the last day, all over the world, every quarter of an hour.',
    importer: {
      schedule: '*/15 * * * *',
      sources: [
        {
          url: 'https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_day.geojson',
          parser: 'geojson',
        },
      ],
      mapping: {
        id: { field: 'id' },
        magnitude: { field: 'properties.mag' },
        place: { field: 'properties.place' },
        time: { transform: 'createDate', arguments: [{ field: 'properties.time' }] },
        location: { field: 'geometry' },
      },
    },
    fill: [],
  },
]
