import type { AnalyticsQuery, QueryValue, Visualization } from '#functions/shapes/analytics.ts'
import type { Visibility } from '#db/schema.ts'

interface SeedInsight {
  id: string
  placeId: string
  dataTypeId: string
  sourceId: string
  name: string
  notes?: string
  visibility?: Visibility
  visualization: Visualization
  query: AnalyticsQuery
}

const field = (key: string): QueryValue => ({ field: `data.${key}` })
const call = (name: string, ...values: QueryValue[]): QueryValue => ({ function: name, arguments: values })
const group = (...aliases: string[]) => aliases.map((alias) => ({ field: alias }))
const orderBy = (alias: string, direction: 'asc' | 'desc' = 'asc') => ({ value: { field: alias }, direction })

const seattle = { placeId: 'seattle-wa', dataTypeId: 'daily-weather', sourceId: 'seattle-weather' }
const usStrikes = { placeId: 'usa', dataTypeId: 'wildlife-strike', sourceId: 'us-wildlife-strikes' }
const usAirports = { placeId: 'usa', dataTypeId: 'airport', sourceId: 'us-airports' }
const usFlights = { placeId: 'usa', dataTypeId: 'flight', sourceId: 'us-flights' }
const quakes = { placeId: 'world', dataTypeId: 'earthquake', sourceId: 'world-earthquakes' }
const development = { placeId: 'world', dataTypeId: 'country-development', sourceId: 'world-development' }

/** The insights of the demo, each with its chart. */
export const insights: SeedInsight[] = [
  {
    ...seattle,
    id: 'seattle-rain-2015',
    name: 'Rain and snow in 2015',
    visualization: { type: 'number' },
    query: {
      aggregations: [
        { alias: 'precipitation', name: 'Precipitation', value: call('sum', field('precipitation')) },
      ],
      filters: { 'data.day': { $gte: '2015-01-01', $lt: '2016-01-01' } },
    },
  },
  {
    ...seattle,
    id: 'seattle-temperature',
    name: 'Daily high temperatures in Seattle',
    notes: 'The mean of each month’s highest temperatures.',
    visualization: { type: 'line', settings: { x: 'month', y: 'temperature' } },
    query: {
      aggregations: [
        { alias: 'month', name: 'Month', value: call('bucket', 'month', field('day')) },
        { alias: 'temperature', name: 'Mean daily high', value: call('average', field('maximum')) },
      ],
      groupings: group('month'),
      orderings: [orderBy('month')],
    },
  },
  {
    ...seattle,
    id: 'seattle-rain-by-month',
    name: 'When it rains in Seattle',
    notes: 'Precipitation of each calendar month, added up over four years.',
    visualization: { type: 'bar', settings: { x: 'month', y: 'precipitation' } },
    query: {
      aggregations: [
        { alias: 'month', name: 'Month', value: call('extract', 'month', field('day')) },
        {
          alias: 'precipitation',
          name: 'Precipitation, 2012–2015',
          value: call('sum', field('precipitation')),
        },
      ],
      groupings: group('month'),
      orderings: [orderBy('month')],
    },
  },
  {
    ...seattle,
    id: 'seattle-days',
    name: 'What the days are like',
    notes: 'Days of 2012 to 2015 by their weather.',
    visualization: { type: 'bar', settings: { x: 'weather', y: 'days' } },
    query: {
      aggregations: [
        { alias: 'weather', name: 'Weather', value: field('weather') },
        { alias: 'days', name: 'Days', value: call('count') },
      ],
      groupings: group('weather'),
      orderings: [orderBy('days', 'desc')],
    },
  },
  {
    ...seattle,
    id: 'seattle-wind-and-warmth',
    name: 'Wind and temperature by month',
    notes: 'One dot is one month.',
    visualization: { type: 'scatter', settings: { x: 'temperature', y: 'wind' } },
    query: {
      aggregations: [
        { alias: 'month', name: 'Month', value: call('bucket', 'month', field('day')) },
        { alias: 'temperature', name: 'Mean daily high', value: call('average', field('maximum')) },
        { alias: 'wind', name: 'Mean wind speed (m/s)', value: call('average', field('wind')) },
      ],
      groupings: group('month'),
      orderings: [orderBy('month')],
    },
  },
  {
    ...seattle,
    id: 'seattle-wettest-days',
    name: 'The ten wettest days',
    visualization: { type: 'table' },
    query: {
      aggregations: [
        { alias: 'day', name: 'Day', value: field('day') },
        { alias: 'precipitation', name: 'Precipitation', value: field('precipitation') },
        { alias: 'maximum', name: 'Highest temperature', value: field('maximum') },
      ],
      groupings: group('day', 'precipitation', 'maximum'),
      orderings: [orderBy('precipitation', 'desc')],
      limit: 10,
    },
  },
  {
    placeId: 'seattle-wa',
    dataTypeId: 'hourly-climate',
    sourceId: 'seattle-climate',
    id: 'seattle-hours',
    name: 'The normal temperature of every hour',
    notes: 'By month and hour of the day.',
    visualization: { type: 'heatmap', settings: { x: 'hour', y: 'month', color: 'temperature' } },
    query: {
      aggregations: [
        { alias: 'month', name: 'Month', value: call('extract', 'month', field('hour')) },
        { alias: 'hour', name: 'Hour of the day', value: call('extract', 'hourOfDay', field('hour')) },
        { alias: 'temperature', name: 'Temperature', value: call('average', field('temperature')) },
      ],
      groupings: group('month', 'hour'),
      orderings: [orderBy('month'), orderBy('hour')],
    },
  },
  {
    placeId: 'seattle-wa',
    dataTypeId: 'airport',
    sourceId: 'washington-airports',
    id: 'seattle-airfields',
    name: 'Airports around Seattle',
    notes: 'Every airport and airfield of the state.',
    visualization: {
      type: 'map',
      settings: { geometry: 'location', label: 'name', boundarySetId: 'us-counties' },
    },
    query: {
      aggregations: [
        { alias: 'code', name: 'Code', value: { field: 'data.id' } },
        { alias: 'name', name: 'Airport', value: field('name') },
        { alias: 'city', name: 'City', value: field('city') },
        { alias: 'location', name: 'Location', value: field('location') },
      ],
      groupings: group('code', 'name', 'city', 'location'),
      orderings: [orderBy('name')],
      limit: 500,
    },
  },
  {
    ...usAirports,
    id: 'us-airport-count',
    name: 'Airports and airfields',
    visualization: { type: 'number' },
    query: { aggregations: [{ alias: 'airports', name: 'Airports', value: call('count') }] },
  },
  {
    ...usAirports,
    id: 'us-airports-by-state',
    name: 'States with the most airports',
    visualization: { type: 'bar', settings: { x: 'state', y: 'airports' } },
    query: {
      aggregations: [
        { alias: 'state', name: 'State', value: field('state') },
        { alias: 'airports', name: 'Airports', value: call('count') },
      ],
      groupings: group('state'),
      orderings: [orderBy('airports', 'desc')],
      limit: 12,
    },
  },
  {
    ...usAirports,
    id: 'us-airport-map',
    name: 'Where the airports are',
    visualization: {
      type: 'map',
      settings: { geometry: 'location', label: 'name', boundarySetId: 'us-states' },
    },
    query: {
      aggregations: [
        { alias: 'code', name: 'Code', value: { field: 'data.id' } },
        { alias: 'name', name: 'Airport', value: field('name') },
        { alias: 'state', name: 'State', value: field('state') },
        { alias: 'location', name: 'Location', value: field('location') },
      ],
      groupings: group('code', 'name', 'state', 'location'),
      orderings: [orderBy('name')],
      limit: 4000,
    },
  },
  {
    ...usStrikes,
    id: 'us-strikes-by-year',
    name: 'Wildlife strikes reported each year',
    visualization: { type: 'line', settings: { x: 'year', y: 'strikes' } },
    query: {
      aggregations: [
        { alias: 'year', name: 'Year', value: call('bucket', 'year', field('day')) },
        { alias: 'strikes', name: 'Strikes', value: call('count') },
      ],
      groupings: group('year'),
      orderings: [orderBy('year')],
    },
  },
  {
    ...usStrikes,
    id: 'us-strikes-map',
    name: 'Wildlife strikes by state',
    visualization: {
      type: 'map',
      settings: { region: 'state', color: 'strikes', boundarySetId: 'us-states' },
    },
    query: {
      aggregations: [
        { alias: 'state', name: 'State', value: field('state') },
        { alias: 'strikes', name: 'Strikes', value: call('count') },
      ],
      groupings: group('state'),
      orderings: [orderBy('strikes', 'desc')],
    },
  },
  {
    ...usFlights,
    id: 'us-delays',
    name: 'Busy airports and their delays',
    notes:
      'The 50 airports with the most departures of the 20,000 flights: departures and mean delay on arrival.',
    visualization: { type: 'scatter', settings: { x: 'flights', y: 'delay', label: 'origin' } },
    query: {
      aggregations: [
        { alias: 'origin', name: 'Origin', value: field('origin') },
        { alias: 'flights', name: 'Flights', value: call('count') },
        { alias: 'delay', name: 'Mean delay', value: call('average', field('delay')) },
      ],
      groupings: group('origin'),
      orderings: [orderBy('flights', 'desc')],
      limit: 50,
    },
  },
  {
    ...usFlights,
    id: 'us-late-airports',
    name: 'The twelve busiest airports',
    visualization: { type: 'table' },
    query: {
      aggregations: [
        { alias: 'origin', name: 'Origin', value: field('origin') },
        { alias: 'flights', name: 'Flights', value: call('count') },
        { alias: 'delay', name: 'Mean delay', value: call('average', field('delay')) },
        { alias: 'median', name: 'Median delay', value: call('median', field('delay')) },
      ],
      groupings: group('origin'),
      orderings: [orderBy('flights', 'desc')],
      limit: 12,
    },
  },
  {
    ...quakes,
    id: 'world-strongest',
    name: 'The strongest earthquake of the week',
    visualization: { type: 'number' },
    query: {
      aggregations: [{ alias: 'magnitude', name: 'Magnitude', value: call('max', field('magnitude')) }],
    },
  },
  {
    ...quakes,
    id: 'world-quake-map',
    name: 'Where the earth shook',
    visualization: {
      type: 'map',
      settings: { geometry: 'location', label: 'place', size: 'magnitude', boundarySetId: 'world-countries' },
    },
    query: {
      aggregations: [
        { alias: 'event', name: 'Event', value: { field: 'data.id' } },
        { alias: 'place', name: 'Place', value: field('place') },
        { alias: 'magnitude', name: 'Magnitude', value: field('magnitude') },
        { alias: 'location', name: 'Epicentre', value: field('location') },
      ],
      groupings: group('event', 'place', 'magnitude', 'location'),
      orderings: [orderBy('magnitude', 'desc')],
      limit: 2000,
    },
  },
  {
    ...quakes,
    id: 'world-top-quakes',
    name: 'The ten strongest earthquakes',
    visualization: { type: 'table' },
    query: {
      aggregations: [
        { alias: 'time', name: 'Time', value: field('time') },
        { alias: 'place', name: 'Place', value: field('place') },
        { alias: 'magnitude', name: 'Magnitude', value: field('magnitude') },
        { alias: 'depth', name: 'Depth', value: field('depth') },
      ],
      groupings: group('time', 'place', 'magnitude', 'depth'),
      orderings: [orderBy('magnitude', 'desc')],
      limit: 10,
    },
  },
  {
    ...development,
    id: 'world-life-and-children',
    name: 'Longer lives, fewer children',
    notes: 'Countries in 2005.',
    visualization: { type: 'scatter', settings: { x: 'fertility', y: 'life', label: 'country' } },
    query: {
      aggregations: [
        { alias: 'country', name: 'Country', value: field('country') },
        { alias: 'fertility', name: 'Children per woman', value: call('max', field('fertility')) },
        { alias: 'life', name: 'Life expectancy (years)', value: call('max', field('lifeExpectancy')) },
      ],
      groupings: group('country'),
      orderings: [orderBy('country')],
      filters: { 'data.year': '2005-01-01' },
    },
  },
  {
    ...development,
    id: 'world-population',
    name: 'The largest populations in 2005',
    visualization: { type: 'bar', settings: { x: 'country', y: 'population' } },
    query: {
      aggregations: [
        { alias: 'country', name: 'Country', value: field('country') },
        { alias: 'population', name: 'Population', value: call('max', field('population')) },
      ],
      groupings: group('country'),
      orderings: [orderBy('population', 'desc')],
      filters: { 'data.year': '2005-01-01' },
      limit: 12,
    },
  },
  {
    placeId: 'world',
    dataTypeId: 'disaster',
    sourceId: 'world-disasters',
    id: 'world-disaster-deaths',
    name: 'Deaths by natural disasters',
    visibility: 'place',
    visualization: { type: 'line', settings: { x: 'decade', y: 'deaths' } },
    query: {
      aggregations: [
        { alias: 'decade', name: 'Decade', value: call('bucket', 'decade', field('year')) },
        { alias: 'deaths', name: 'Deaths', value: call('sum', field('deaths')) },
      ],
      groupings: group('decade'),
      orderings: [orderBy('decade')],
      filters: { 'data.kind': 'All natural disasters' },
    },
  },
]
