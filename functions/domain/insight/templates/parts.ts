import type { FieldSchema } from '#functions/shapes/field.ts'
import type { InsightTemplates } from '#functions/shapes/insight.ts'

/** A predefined query; its fields are those of the schema of its category. */
export type Template = Omit<InsightTemplates[number], 'fields'>
type Value = { field: string } | { function: string; arguments?: (Value | string | number)[] }

/** A field of the records. */
export const field = (key: string): Value => ({ field: `data.${key}` })
/** A function of values. */
export const call = (name: string, ...list: (Value | string | number)[]): Value => ({
  function: name,
  ...(list.length && { arguments: list }),
})
/** A column of the answer. */
export const buildColumn = (alias: string, name: string, value: Value) => ({ alias, name, value })
/** The number of records. */
export const count = buildColumn('count', 'Count', call('count'))
/** A column of dates cut down to a unit, under the unit's name. */
export const bucket = (unit: string, key: string) =>
  buildColumn(unit, unit.charAt(0).toUpperCase() + unit.slice(1), call('bucket', unit, field(key)))
/** A column of parts of dates, such as the hour of the day. */
export const part = (alias: string, name: string, unit: string, key: string) =>
  buildColumn(alias, name, call('extract', unit, field(key)))

const text = (name: string) => ({ name, type: 'text' as const })
const date = (name: string) => ({ name, type: 'date' as const })
const number = (name: string, measurement?: { type: string; value: string }) => ({
  ...{ name, type: 'number' as const },
  ...(measurement && { measurement }),
})
const usd = { type: 'currency', value: 'usd' }
const minute = { type: 'duration', value: 'minute' }

/** Grouping columns, and the aggregations of each group. */
export const groupBy = (
  groups: ReturnType<typeof buildColumn>[],
  ...what: ReturnType<typeof buildColumn>[]
) => ({
  aggregations: [...groups, ...what],
  groupings: groups.map(({ value }) => value),
})
/** By a column of the answer. */
export const orderBy = (alias: string, direction: 'asc' | 'desc' = 'asc') => ({
  orderings: [{ value: { field: alias }, direction }],
})
/** The twenty largest. */
export const largest = (alias: string) => ({ ...orderBy(alias, 'desc'), limit: 20 })

/** The schemas that the queries of each category use. */
export const schemas: Record<string, FieldSchema> = {
  General: request(),
  Safety: request(),
  Civic: request(),
  Transport: {
    startedAt: date('Started'),
    route: text('Route'),
    duration: number('Duration', minute),
    distance: number('Distance', { type: 'distance', value: 'kilometer' }),
  },
  Environment: {
    measuredAt: date('Measured'),
    station: text('Station'),
    pm25: number('PM2.5', { type: 'concentration', value: 'microgram' }),
    temperature: number('Temperature', { type: 'temperature', value: 'celsius' }),
  },
  Society: {
    year: date('Year'),
    region: text('Region'),
    population: number('Population'),
    households: number('Households'),
  },
  Finance: {
    paidAt: date('Paid'),
    department: text('Department'),
    vendor: text('Vendor'),
    amount: number('Amount', usd),
  },
  Housing: {
    issuedAt: date('Issued'),
    neighborhood: text('Neighborhood'),
    units: number('Units'),
    cost: number('Cost', usd),
  },
}

function request(): FieldSchema {
  return {
    type: text('Type'),
    channel: text('Channel'),
    receivedAt: date('Received'),
    closedAt: date('Closed'),
    responseMinutes: number('Response', minute),
    location: { name: 'Location', type: 'point' },
  }
}
