import type { FieldSchema } from '../shapes/field.ts'
import type { InsightTemplates } from '../shapes/insight.ts'

type Template = InsightTemplates[number]
type Value = { field: string } | { function: string; arguments?: (Value | string | number)[] }

const field = (key: string): Value => ({ field: `data.${key}` })
const call = (name: string, ...list: (Value | string | number)[]): Value => ({
  function: name,
  ...(list.length && { arguments: list }),
})
const as = (alias: string, name: string, value: Value) => ({ alias, name, value })
const count = as('count', 'Count', call('count'))
const bucket = (unit: string, key: string) => as(unit, unit, call('bucket', unit, field(key)))
const part = (alias: string, unit: string, key: string) => as(alias, unit, call('extract', unit, field(key)))

const text = (name: string) => ({ name, type: 'text' as const })
const date = (name: string) => ({ name, type: 'date' as const })
const number = (name: string, measurement?: { type: string; value: string }) => ({
  ...{ name, type: 'number' as const },
  ...(measurement && { measurement }),
})
const usd = { type: 'currency', value: 'usd' }
const minute = { type: 'duration', value: 'minute' }

/** The columns `groups`, and what is aggregated in each group. */
const grouped = (groups: ReturnType<typeof as>[], ...what: ReturnType<typeof as>[]) => ({
  aggregations: [...groups, ...what],
  groupings: groups.map(({ value }) => value),
})
const ordered = (alias: string, direction: 'asc' | 'desc' = 'asc') => ({
  orderings: [{ value: { field: alias }, direction }],
})
const largest = (alias: string) => ({ ...ordered(alias, 'desc'), limit: 20 })

const request: FieldSchema = {
  type: text('Type'),
  channel: text('Channel'),
  receivedAt: date('Received'),
  closedAt: date('Closed'),
  responseMinutes: number('Response', minute),
  location: { name: 'Location', type: 'point' },
}
const trip: FieldSchema = {
  startedAt: date('Started'),
  route: text('Route'),
  duration: number('Duration', minute),
  distance: number('Distance', { type: 'distance', value: 'kilometer' }),
}
const reading: FieldSchema = {
  measuredAt: date('Measured'),
  station: text('Station'),
  pm25: number('PM2.5', { type: 'concentration', value: 'microgram' }),
  temperature: number('Temperature', { type: 'temperature', value: 'celsius' }),
}
const payment: FieldSchema = {
  paidAt: date('Paid'),
  department: text('Department'),
  vendor: text('Vendor'),
  amount: number('Amount', usd),
}
const permit: FieldSchema = {
  issuedAt: date('Issued'),
  neighborhood: text('Neighborhood'),
  units: number('Units'),
  cost: number('Cost', usd),
}

const kind = as('type', 'Type', field('type'))
const amount = as('amount', 'Amount', call('sum', field('amount')))

const templates: Omit<Template, 'fields'>[] = [
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
    query: { ...grouped([bucket('month', 'receivedAt')], count), ...ordered('month') },
  },
  {
    ...{ category: 'General', id: 'by-kind', name: 'By kind' },
    notes: 'The most frequent kinds.',
    visualization: { type: 'bar', settings: { x: 'type', y: 'count' } },
    query: { ...grouped([kind], count), ...largest('count') },
  },
  {
    ...{ category: 'General', id: 'map', name: 'On a map' },
    notes: 'Where records are.',
    visualization: { type: 'map', settings: { geometry: 'location', label: 'type' } },
    query: { ...grouped([as('location', 'Location', field('location')), kind], count), limit: 5000 },
  },
  {
    ...{ category: 'Safety', id: 'hours', name: 'By hour of the day' },
    notes: 'When calls come in.',
    visualization: { type: 'bar', settings: { x: 'hour', y: 'count' } },
    query: { ...grouped([part('hour', 'hourOfDay', 'receivedAt')], count), ...ordered('hour') },
  },
  {
    ...{ category: 'Safety', id: 'response', name: 'Response time' },
    notes: 'The median by kind of call.',
    visualization: { type: 'bar', settings: { x: 'type', y: 'median' } },
    query: {
      ...grouped([kind], as('median', 'Median response', call('median', field('responseMinutes')))),
      ...largest('median'),
    },
  },
  {
    ...{ category: 'Safety', id: 'week', name: 'Through the week' },
    notes: 'Calls by day of the week and hour.',
    visualization: { type: 'heatmap', settings: { x: 'hour', y: 'day', color: 'count' } },
    query: grouped([part('day', 'dayOfWeek', 'receivedAt'), part('hour', 'hourOfDay', 'receivedAt')], count),
  },
  {
    ...{ category: 'Transportation', id: 'trips', name: 'Trips by day' },
    notes: 'How many trips began on each day.',
    visualization: { type: 'line', settings: { x: 'day', y: 'count' } },
    query: { ...grouped([bucket('day', 'startedAt')], count), ...ordered('day') },
  },
  {
    ...{ category: 'Transportation', id: 'routes', name: 'Length against duration' },
    notes: 'Each route, on average.',
    visualization: { type: 'scatter', settings: { x: 'distance', y: 'duration', label: 'route' } },
    query: {
      ...grouped(
        [as('route', 'Route', field('route'))],
        as('distance', 'Distance', call('average', field('distance'))),
        as('duration', 'Duration', call('average', field('duration'))),
      ),
      limit: 1000,
    },
  },
  {
    ...{ category: 'Environment', id: 'air', name: 'Air quality' },
    notes: 'Fine dust by day and station.',
    visualization: { type: 'line', settings: { x: 'day', y: 'average', series: 'station' } },
    query: {
      ...grouped(
        [bucket('day', 'measuredAt'), as('station', 'Station', field('station'))],
        as('average', 'PM2.5', call('average', field('pm25'))),
      ),
      ...ordered('day'),
    },
  },
  {
    ...{ category: 'Environment', id: 'extremes', name: 'Warmest and coldest' },
    notes: 'The extremes of each month.',
    visualization: { type: 'table' },
    query: {
      ...grouped(
        [bucket('month', 'measuredAt')],
        as('coldest', 'Coldest', call('min', field('temperature'))),
        as('warmest', 'Warmest', call('max', field('temperature'))),
      ),
      ...ordered('month'),
    },
  },
  {
    ...{ category: 'Finance', id: 'spending', name: 'Spending by month' },
    notes: 'The sum of payments.',
    visualization: { type: 'area', settings: { x: 'month', y: 'amount' } },
    query: { ...grouped([bucket('month', 'paidAt')], amount), ...ordered('month') },
  },
  {
    ...{ category: 'Finance', id: 'departments', name: 'Shares of departments' },
    notes: 'Who spends how much.',
    visualization: { type: 'pie', settings: { label: 'department', y: 'amount' } },
    query: {
      ...grouped([as('department', 'Department', field('department'))], amount),
      ...largest('amount'),
    },
  },
  {
    ...{ category: 'Finance', id: 'vendors', name: 'Largest vendors' },
    notes: 'With the number of payments.',
    visualization: { type: 'table' },
    query: { ...grouped([as('vendor', 'Vendor', field('vendor'))], amount, count), ...largest('amount') },
  },
  {
    ...{ category: 'Housing', id: 'homes', name: 'New homes by year' },
    notes: 'Homes that permits were given for.',
    visualization: { type: 'bar', settings: { x: 'year', y: 'homes' } },
    query: {
      ...grouped([bucket('year', 'issuedAt')], as('homes', 'Homes', call('sum', field('units')))),
      ...ordered('year'),
    },
  },
  {
    ...{ category: 'Housing', id: 'building-cost', name: 'What building costs' },
    notes: 'The median of permits by neighborhood.',
    visualization: { type: 'bar', settings: { x: 'neighborhood', y: 'cost' } },
    query: {
      ...grouped(
        [as('neighborhood', 'Neighborhood', field('neighborhood'))],
        as('cost', 'Median cost', call('median', field('cost'))),
      ),
      ...largest('cost'),
    },
  },
  {
    ...{ category: 'Civic', id: 'open-requests', name: 'Still open' },
    notes: 'Requests that are not closed, by kind.',
    visualization: { type: 'bar', settings: { x: 'type', y: 'count' } },
    query: { ...grouped([kind], count), ...largest('count'), filters: { 'data.closedAt': null } },
  },
  {
    ...{ category: 'Civic', id: 'channels', name: 'How people ask' },
    notes: 'Requests by channel.',
    visualization: { type: 'pie', settings: { label: 'channel', y: 'count' } },
    query: { ...grouped([as('channel', 'Channel', field('channel'))], count), ...largest('count') },
  },
]

const schemas: Record<string, FieldSchema> = {
  General: request,
  Safety: request,
  Civic: request,
  Transportation: trip,
  Environment: reading,
  Finance: payment,
  Housing: permit,
}

/**
 * Ready-made questions by category of data type, common ones first. `fields` are those that a question asks of: whoever
 * takes one puts the fields of a data type in their place.
 */
export async function insightTemplates(): Promise<InsightTemplates> {
  return templates.map((template) => {
    const asked = JSON.stringify(template.query)
    const all = Object.entries(schemas[template.category] ?? {})
    const fields = all.filter(([key]) => asked.includes(`"data.${key}"`))
    return { ...template, fields: Object.fromEntries(fields) }
  })
}
