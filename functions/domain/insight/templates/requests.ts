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

const kind = buildColumn('type', 'Type', field('type'))

/** Queries of service requests and emergency calls. */
export const requests: Template[] = [
  {
    ...{ category: 'General', id: 'total', name: 'How many' },
    notes: 'The number of records.',
    visualization: { type: 'number', settings: { y: 'count' } },
    query: { aggregations: [count] },
  },
  {
    ...{ category: 'General', id: 'by-month', name: 'Over time' },
    notes: 'Records by month.',
    visualization: { type: 'line', settings: { x: 'month', y: 'count' } },
    query: { ...groupBy([bucket('month', 'receivedAt')], count), ...orderBy('month') },
  },
  {
    ...{ category: 'General', id: 'by-kind', name: 'By kind' },
    notes: 'The most frequent kinds.',
    visualization: { type: 'bar', settings: { x: 'type', y: 'count' } },
    query: { ...groupBy([kind], count), ...largest('count') },
  },
  {
    ...{ category: 'General', id: 'map', name: 'On a map' },
    notes: 'Where records are.',
    visualization: { type: 'map', settings: { geometry: 'location', label: 'type' } },
    query: { ...groupBy([buildColumn('location', 'Location', field('location')), kind], count), limit: 5000 },
  },
  {
    ...{ category: 'General', id: 'latest', name: 'What was received last' },
    notes: 'The newest records, one by one.',
    visualization: { type: 'table' },
    query: {
      ...groupBy([buildColumn('received', 'Received', field('receivedAt')), kind], count),
      ...largest('received'),
    },
  },
  {
    ...{ category: 'General', id: 'in-words', name: 'In one sentence' },
    notes: 'What is most frequent and what is rarest, in words.',
    visualization: { type: 'text' },
    query: { ...groupBy([kind], count), ...largest('count') },
  },
  {
    ...{ category: 'Safety', id: 'hours', name: 'By hour of the day' },
    notes: 'When calls come in.',
    visualization: { type: 'bar', settings: { x: 'hour', y: 'count' } },
    query: { ...groupBy([part('hour', 'Hour', 'hourOfDay', 'receivedAt')], count), ...orderBy('hour') },
  },
  {
    ...{ category: 'Safety', id: 'response', name: 'Response time' },
    notes: 'The median by kind of call.',
    visualization: { type: 'bar', settings: { x: 'type', y: 'median' } },
    query: {
      ...groupBy([kind], buildColumn('median', 'Median response', call('median', field('responseMinutes')))),
      ...largest('median'),
    },
  },
  {
    ...{ category: 'Safety', id: 'week', name: 'Through the week' },
    notes: 'Calls by day of the week and hour.',
    visualization: { type: 'heatmap', settings: { x: 'hour', y: 'day', color: 'count' } },
    query: groupBy(
      [part('day', 'Day', 'dayOfWeek', 'receivedAt'), part('hour', 'Hour', 'hourOfDay', 'receivedAt')],
      count,
    ),
  },
  {
    ...{ category: 'Safety', id: 'response-spread', name: 'How long a response takes' },
    notes: 'Calls by the minutes until someone was there.',
    visualization: { type: 'histogram', settings: { x: 'minutes', y: 'count' } },
    query: {
      ...groupBy([buildColumn('minutes', 'Response', call('round', field('responseMinutes')))], count),
      ...orderBy('minutes'),
    },
  },
  {
    ...{ category: 'Civic', id: 'open-requests', name: 'Still open' },
    notes: 'Requests that are not closed, by kind.',
    visualization: { type: 'bar', settings: { x: 'type', y: 'count' } },
    query: { ...groupBy([kind], count), ...largest('count'), filters: { 'data.closedAt': null } },
  },
  {
    ...{ category: 'Civic', id: 'channels', name: 'How people ask' },
    notes: 'Requests by channel.',
    visualization: { type: 'pie', settings: { label: 'channel', y: 'count' } },
    query: { ...groupBy([buildColumn('channel', 'Channel', field('channel'))], count), ...largest('count') },
  },
  {
    ...{ category: 'Civic', id: 'time-to-close', name: 'Time to close' },
    notes: 'The median time from a request to its end.',
    visualization: { type: 'number', settings: { y: 'median' } },
    query: {
      aggregations: [
        buildColumn(
          'median',
          'Median time to close',
          call('median', call('interval', field('receivedAt'), field('closedAt'))),
        ),
      ],
    },
  },
]
