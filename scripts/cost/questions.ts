/**
 * An expensive question about the flights of the corpus. `find` queries records, `analytics` aggregates,
 * `values` distinct values of fields, `cluster` the points of a map.
 */
export interface CostlyQuestion {
  name: string
  ask: 'find' | 'analytics' | 'values' | 'cluster'
  query: Record<string, unknown>
}

const field = (name: string) => ({ field: `data.${name}` })
const call = (name: string, ...args: unknown[]) => ({ function: name, arguments: args })
const count = { alias: 'n', value: call('count') }
const airports = Array.from({ length: 4900 }, (_, i) => `A${i}`)
/** A nested function call of the given depth. */
const nested = (depth: number, name: string, last: unknown): unknown =>
  depth === 0 ? last : call(name, nested(depth - 1, name, last), 1.5)

/** A ring of so many corners around the centre of the United States. */
const ring = (corners: number) =>
  Array.from({ length: corners + 1 }, (_, i) => {
    const turn = (2 * Math.PI * (i % corners)) / corners
    return [-98 + (20 + (i % 2)) * Math.cos(turn), 39 + (10 + (i % 2)) * Math.sin(turn)]
  })
const polygon = (corners: number) =>
  call('geojson', JSON.stringify({ type: 'Polygon', coordinates: [ring(corners)] }))

const find = (name: string, query: Record<string, unknown>): CostlyQuestion => ({ name, ask: 'find', query })
const analytics = (name: string, query: Record<string, unknown>): CostlyQuestion => ({
  ...{ name, ask: 'analytics' },
  query: { aggregations: [count], ...query },
})
const grouped = (alias: string, value: unknown) => ({
  aggregations: [{ alias, value }, count],
  groupings: [{ field: alias }],
})
/** A join that no value refers to is dropped, so the answer refers to it. */
const joinBoundaries = (filters: unknown) => ({
  joins: [{ alias: 'other', sourceId: 'bench-flights', filters }],
  aggregations: [{ alias: 'm', value: call('max', { field: '~other.data.delay' }) }],
})

/**
 * Questions that read every record in the most expensive ways the language has, each with a cheaper variant.
 */
export const costlyQuestions: readonly CostlyQuestion[] = [
  find('4,900 $or branches', { filters: { $or: airports.map((origin) => ({ 'data.origin': origin })) } }),
  find('the same as a list with $in', { filters: { 'data.origin': { $in: airports } } }),
  find('10,000 numbers in a list', {
    filters: { 'data.delay': { $in: Array.from({ length: 9_900 }, (_, i) => i + 10_000) } },
  }),
  find('3,000 $and branches', {
    filters: { $and: airports.slice(0, 3000).map((origin) => ({ 'data.origin': { $ne: origin } })) },
  }),
  find('300 patterns', {
    filters: { 'data.origin': { $iLike: { $any: airports.slice(0, 300).map((each) => `%${each}%`) } } },
  }),
  find('one pattern', { filters: { 'data.origin': { $iLike: '%zz%' } } }),
  find('20 regular expressions', {
    filters: {
      $or: Array.from({ length: 20 }, (_, i) => ({ 'data.origin': { $regexp: `^${i}.*[A-Z]+$` } })),
    },
  }),
  find('one regular expression', { filters: { 'data.origin': { $regexp: '^[xyz]{3}$' } } }),
  find('twelve conditions on a number', {
    filters: Array.from({ length: 12 }, (_, i) => ({ 'data.delay': { $gt: 10_000 + i } })),
  }),
  find('an order by two fields that no index has', {
    orderings: [
      { value: field('distance'), direction: 'desc' },
      { value: field('origin'), direction: 'asc' },
    ],
  }),
  find('an order by a nested function', {
    orderings: [{ value: nested(20, 'multiply', field('distance')), direction: 'desc' }],
  }),
  find('the last page', { offset: 999_000, limit: 1000 }),
  find('the whole world as a box', { within: { xmin: -180, ymin: -90, xmax: 180, ymax: 90 } }),
  find('a box and a function of shapes', {
    filters: [call('gt', call('distance', { field: 'geometry' }, { field: 'geometry' }), 1e7)],
  }),
  analytics('a count', {}),
  analytics('a count by a text', grouped('state', field('state'))),
  analytics('a count by day in a time zone', {
    ...grouped('day', call('bucket', 'day', field('at'))),
    timezone: 'America/New_York',
  }),
  analytics('a count by day, month, week, hour', {
    aggregations: [
      ...['day', 'month', 'week'].map((unit) => ({ alias: unit, value: call('bucket', unit, field('at')) })),
      { alias: 'hour', value: call('extract', 'hourOfDay', field('at')) },
      count,
    ],
    groupings: ['day', 'month', 'week', 'hour'].map((alias) => ({ field: alias })),
    limit: 1000,
  }),
  analytics('twelve medians', {
    aggregations: Array.from({ length: 12 }, (_, i) => ({
      alias: `m${i}`,
      value: call('median', call('add', field('delay'), i)),
    })),
  }),
  analytics('one median', { aggregations: [{ alias: 'm', value: call('median', field('delay')) }] }),
  analytics('twelve distinct counts', {
    aggregations: Array.from({ length: 12 }, (_, i) => ({
      alias: `d${i}`,
      value: call('distinctCount', call('add', field('distance'), i)),
    })),
  }),
  analytics('a hundred filtered counts', {
    aggregations: Array.from({ length: 100 }, (_, i) => ({
      ...{ alias: `c${i}`, value: call('count') },
      filters: { 'data.delay': { $gt: i } },
    })),
  }),
  analytics('ten filtered counts', {
    aggregations: Array.from({ length: 10 }, (_, i) => ({
      ...{ alias: `c${i}`, value: call('count') },
      filters: { 'data.delay': { $gt: i } },
    })),
  }),
  analytics('a sum of a nested function', {
    aggregations: [{ alias: 's', value: call('sum', nested(25, 'add', field('delay'))) }],
  }),
  analytics('distances on the spheroid', {
    aggregations: [
      {
        alias: 'd',
        value: call('max', call('distance', { field: 'geometry' }, { field: 'geometry' })),
      },
    ],
  }),
  analytics('every pair of records', joinBoundaries(undefined)),
  analytics(
    'pairs with an unequal field',
    joinBoundaries({ 'data.delay': { $gt: { field: '~parent.data.delay' } } }),
  ),
  analytics(
    'pairs with an equal field',
    joinBoundaries({ 'data.distance': { field: '~parent.data.distance' } }),
  ),
  analytics('as many groups as there are values', grouped('distance', field('distance'))),
  analytics('a count behind twenty conditions', {
    filters: {
      $or: Array.from({ length: 20 }, (_, i) => ({ 'data.delay': { $between: [10_000 + i, 10_001 + i] } })),
    },
  }),
  find('3,000 fields in a list', {
    filters: { 'data.delay': { $in: Array.from({ length: 3000 }, () => field('distance')) } },
  }),
  find('twenty patterns of 200 parts', {
    filters: { 'data.origin': { $notLike: { $any: Array.from({ length: 20 }, () => '%a_'.repeat(200)) } } },
  }),
  analytics(
    'pairs with an equal field of few values',
    joinBoundaries({ 'data.kind': { field: '~parent.data.kind' } }),
  ),
  analytics(
    'pairs with an equal number of few values',
    joinBoundaries({ 'data.delay': { field: '~parent.data.delay' } }),
  ),
  analytics('a sum over pairs', {
    ...joinBoundaries({ 'data.at': { field: '~parent.data.at' } }),
    aggregations: [{ alias: 's', value: call('sum', { field: '~other.data.delay' }) }],
  }),
  analytics('records within a shape of 5,000 corners', {
    filters: [call('intersects', { field: 'geometry' }, polygon(5000))],
  }),
  analytics('distances to a shape of 5,000 corners', {
    aggregations: [
      { alias: 'd', value: call('max', call('distance', { field: 'geometry' }, polygon(5000))) },
    ],
  }),
  analytics('a group for each record', {
    ...grouped('at', field('at')),
    orderings: [{ value: { field: 'n' }, direction: 'desc' }],
  }),
  { name: 'the values of a field', ask: 'values', query: { field: ['data.distance'] } },
  {
    name: 'the values of one field, eighty times',
    ask: 'values',
    query: { field: Array.from({ length: 80 }, (_, i) => ['data.distance', 'data.at', 'data.delay'][i % 3]) },
  },
  { name: 'a map of the whole world', ask: 'cluster', query: { zoom: 9 } },
  {
    name: 'a map behind 2,000 conditions',
    ask: 'cluster',
    query: {
      zoom: 3,
      filters: { $or: Array.from({ length: 2000 }, (_, i) => ({ 'data.delay': { $gt: 10_000 + i } })) },
    },
  },
]
