import {
  buildColumn,
  bucket,
  call,
  count,
  field,
  groupBy,
  largest,
  orderBy,
  part,
  type Template,
} from './parts.ts'

/** Queries of counts and measurements. */
export const measurements: Template[] = [
  {
    ...{ category: 'Transport', id: 'trips', name: 'Trips by day' },
    notes: 'How many trips began on each day.',
    visualization: { type: 'line', settings: { x: 'day', y: 'count' } },
    query: { ...groupBy([bucket('day', 'startedAt')], count), ...orderBy('day') },
  },
  {
    ...{ category: 'Transport', id: 'routes', name: 'Length against duration' },
    notes: 'Each route, on average.',
    visualization: { type: 'scatter', settings: { x: 'distance', y: 'duration', label: 'route' } },
    query: {
      ...groupBy(
        [buildColumn('route', 'Route', field('route'))],
        buildColumn('distance', 'Distance', call('average', field('distance'))),
        buildColumn('duration', 'Duration', call('average', field('duration'))),
      ),
      limit: 1000,
    },
  },
  {
    ...{ category: 'Transport', id: 'distance', name: 'Distance covered' },
    notes: 'The kilometers of all trips by month.',
    visualization: { type: 'area', settings: { x: 'month', y: 'distance' } },
    query: {
      ...groupBy(
        [bucket('month', 'startedAt')],
        buildColumn('distance', 'Distance', call('sum', field('distance'))),
      ),
      ...orderBy('month'),
    },
  },
  {
    ...{ category: 'Environment', id: 'air', name: 'Air quality' },
    notes: 'Fine dust by day and station.',
    visualization: { type: 'line', settings: { x: 'day', y: 'average', series: 'station' } },
    query: {
      ...groupBy(
        [bucket('day', 'measuredAt'), buildColumn('station', 'Station', field('station'))],
        buildColumn('average', 'PM2.5', call('average', field('pm25'))),
      ),
      ...orderBy('day'),
    },
  },
  {
    ...{ category: 'Environment', id: 'extremes', name: 'Warmest and coldest' },
    notes: 'The extremes of each month.',
    visualization: { type: 'table' },
    query: {
      ...groupBy(
        [bucket('month', 'measuredAt')],
        buildColumn('coldest', 'Coldest', call('min', field('temperature'))),
        buildColumn('warmest', 'Warmest', call('max', field('temperature'))),
      ),
      ...orderBy('month'),
    },
  },
  {
    ...{ category: 'Environment', id: 'typical-day', name: 'A typical day' },
    notes: 'The mean temperature of each hour in each month.',
    visualization: { type: 'heatmap', settings: { x: 'hour', y: 'month', color: 'temperature' } },
    query: groupBy(
      [part('month', 'Month', 'month', 'measuredAt'), part('hour', 'Hour', 'hourOfDay', 'measuredAt')],
      buildColumn('temperature', 'Mean temperature', call('average', field('temperature'))),
    ),
  },
  {
    ...{ category: 'Society', id: 'population', name: 'Population over time' },
    notes: 'The sum of all regions by year.',
    visualization: { type: 'line', settings: { x: 'year', y: 'population' } },
    query: {
      ...groupBy(
        [bucket('year', 'year')],
        buildColumn('population', 'Population', call('sum', field('population'))),
      ),
      ...orderBy('year'),
    },
  },
  {
    ...{ category: 'Society', id: 'regions', name: 'Largest regions' },
    notes: 'By population.',
    visualization: { type: 'bar', settings: { x: 'region', y: 'population' } },
    query: {
      ...groupBy(
        [buildColumn('region', 'Region', field('region'))],
        buildColumn('population', 'Population', call('max', field('population'))),
      ),
      ...largest('population'),
    },
  },
  {
    ...{ category: 'Society', id: 'household-size', name: 'People and households' },
    notes: 'Each region: its people against its households.',
    visualization: { type: 'scatter', settings: { x: 'households', y: 'population', label: 'region' } },
    query: {
      ...groupBy(
        [buildColumn('region', 'Region', field('region'))],
        buildColumn('households', 'Households', call('max', field('households'))),
        buildColumn('population', 'Population', call('max', field('population'))),
      ),
      limit: 1000,
    },
  },
]
