import { getColumnName } from '#db/data-table.ts'
import { sourceId } from './corpus.ts'

/**
 * A question in the product's language, and the SQL that an expert who knows the table would write for it.
 */
interface BenchQuestion {
  name: string
  query: Record<string, unknown>
  sql: string
  values?: unknown[]
}

const field = (name: string) => ({ field: `data.${name}` })
const count = { alias: 'n', value: { function: 'count' } }
const day = { alias: 'day', value: { function: 'bucket', arguments: ['day', field('at')] } }
const c = (key: string) => `"${getColumnName(key)}"`
const from = (table: string) => `from data.${table} t where t.source_id = '${sourceId}'`
// Days are those of the place's time zone; the result is an instant, as in the product's language.
const daySql = `date_trunc('day', ${c('at')} at time zone 'America/Chicago') at time zone 'America/Chicago'`

/**
 * The most common questions: by category, by day, filtered, the median, distinct values, in a bounding box.
 */
export const questions = (table: string): BenchQuestion[] => [
  {
    name: 'by category',
    query: {
      aggregations: [{ alias: 'kind', value: field('kind') }, count],
      groupings: [{ field: 'kind' }],
    },
    sql: `select ${c('kind')}, count(*) ${from(table)} group by 1`,
  },
  {
    name: 'day series',
    query: {
      aggregations: [day, count],
      groupings: [{ field: 'day' }],
      orderings: [{ value: { field: 'day' }, direction: 'asc' }],
    },
    sql: `select ${daySql}, count(*) ${from(table)} group by 1 order by 1`,
  },
  {
    name: 'filtered day series',
    query: {
      aggregations: [day, { alias: 'delay', value: { function: 'average', arguments: [field('delay')] } }],
      groupings: [{ field: 'day' }],
      filters: { 'data.origin': 'ORD', 'data.kind': { $in: ['cargo', 'mail'] } },
    },
    sql: `select ${daySql}, avg(${c('delay')}) ${from(table)} and ${c('origin')} = 'ORD' and ${c('kind')} in ('cargo', 'mail') group by 1`,
  },
  {
    name: 'median',
    query: { aggregations: [{ alias: 'm', value: { function: 'median', arguments: [field('delay')] } }] },
    sql: `select percentile_cont(0.5) within group (order by ${c('delay')}) ${from(table)}`,
  },
  {
    name: 'distinct values',
    query: {
      aggregations: [{ alias: 'd', value: { function: 'distinctCount', arguments: [field('origin')] } }],
    },
    sql: `select count(distinct ${c('origin')}) ${from(table)}`,
  },
  {
    name: 'in a box',
    query: { aggregations: [count], within: { xmin: -88, ymin: 41.6, xmax: -87.4, ymax: 42.1 } },
    sql: `select count(*) ${from(table)} and st_intersects(geometry, st_makeenvelope(-88, 41.6, -87.4, 42.1, 4326))`,
  },
]
