import { sql } from 'kysely'
import type { Argument, LanguageFunction, Sql } from '../types.ts'
import { inherit } from './inherit.ts'

const buildSignature = (types: Argument['types']): Argument[] => [{ name: 'Value', types, required: true }]

/** An aggregation of one value that ignores nulls, returns null for no rows, and has the type of its value. */
function createAggregation(
  key: string,
  name: string,
  notes: string,
  types: Argument['types'],
  compile: (value: Sql) => Sql,
): LanguageFunction {
  return {
    key,
    name,
    notes,
    category: 'Aggregation',
    signature: buildSignature(types),
    returns: { dynamic: inherit },
    aggregate: true,
    compile: ([value]) => compile(value.sql),
  }
}

/** The number of distinct values, without nulls. */
const distinctCount: LanguageFunction = {
  key: 'distinctCount',
  name: 'Unique Count',
  notes: 'Counts the different values',
  category: 'Aggregation',
  signature: [{ name: 'Field', types: ['any'], required: true }],
  returns: { static: { type: 'number' } },
  aggregate: true,
  compile: ([value]) => sql`count(distinct ${value.sql})`,
}

/** The number of rows. */
const count: LanguageFunction = {
  key: 'count',
  name: 'Total Count',
  notes: 'Counts the rows',
  category: 'Aggregation',
  signature: [],
  returns: { static: { type: 'number' } },
  aggregate: true,
  compile: () => sql`count(*)`,
}

const numberOrDate = ['number', 'date'] as const
const number = ['number'] as const

export const aggregations: readonly LanguageFunction[] = [
  createAggregation('min', 'Minimum', 'The smallest value', numberOrDate, (value) => sql`min(${value})`),
  createAggregation('max', 'Maximum', 'The largest value', numberOrDate, (value) => sql`max(${value})`),
  createAggregation('sum', 'Sum', 'The total of the values', number, (value) => sql`sum(${value})`),
  createAggregation('average', 'Average', 'The mean of the values', number, (value) => sql`avg(${value})`),
  createAggregation(
    'median',
    'Median',
    'The middle value, or the mean of the two middle ones',
    number,
    (value) => sql`percentile_cont(0.5) within group (order by ${value})`,
  ),
  count,
  distinctCount,
]
