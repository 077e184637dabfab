import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { formatValue } from '#app/charts/format.ts'
import type { FieldFacts } from '#app/components/records/field-facts.tsx'
import { fieldTypes, hasNames, type Field, type FieldSchema } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from './load.server.ts'
import { readingOf } from './reading.server.ts'

/** So many fields are counted: each costs columns of one question. */
const mostFields = 30
const topValues = 5

type Row = Record<string, unknown>

/** What is known of each field over all records: how many have it, how many differ, the range, the most frequent values. */
export async function sourceFields(
  args: LoaderFunctionArgs,
  sourceId: string,
  schema: FieldSchema,
): Promise<FieldFacts[]> {
  const keys = Object.keys(schema).slice(0, mostFields)
  const listed = keys.filter((key) => ['text', 'boolean'].includes(kindOf(schema[key])))
  const params = { sourceId }
  const field = listed.map((key) => `data.${key}`)
  const [reading, { answer }, values] = await Promise.all([
    readingOf(args),
    load(args, {
      answer: {
        endpoint: v1.source.analytics,
        params,
        options: { aggregations: aggregationsOf(schema, keys) },
      },
    }),
    field.length
      ? load(args, { top: { endpoint: v1.source.values, params, options: { field, limit: topValues } } })
      : null,
  ])
  const [row = {}] = answer.results as Row[]
  const total = Number(row.total ?? 0)
  const top = topOf(values?.top, field)
  return keys.flatMap((key, i): FieldFacts[] => {
    const described = schema[key]
    if (!described) return []
    const written = (value: unknown) => formatValue(value, described, reading)
    const range = (['min', 'median', 'max'] as const).flatMap((name): [string, string][] => {
      const value = row[`${name}${i}`]
      return value === undefined || value === null ? [] : [[rangeNames[name], written(value)]]
    })
    const distinct = row[`distinct${i}`]
    return [
      {
        key,
        name: described.name,
        type: fieldTypes[described.type],
        notes: described.notes ?? '',
        filled: Number(row[`filled${i}`] ?? 0),
        total,
        distinct: distinct === undefined ? null : Number(distinct),
        range,
        top: (top[`data.${key}`] ?? [])
          .filter(({ value }) => value !== null)
          .map(({ value, count }) => ({ value: String(value), label: written(value), count })),
      },
    ]
  })
}

/** What a field is counted as: numbers that are codes of something as texts are, which have no range. */
const kindOf = (field: Field | undefined) =>
  field === undefined ? 'object' : field.type === 'number' && hasNames(field) ? 'text' : field.type

const rangeNames = { min: 'Smallest', median: 'Middle', max: 'Largest' }
const comparable = ['number', 'date']
const counted = ['text', 'boolean', ...comparable]

function aggregationsOf(schema: FieldSchema, keys: string[]) {
  const perField = keys.flatMap((key, i) => {
    const type = kindOf(schema[key])
    const of = (name: string) => ({ function: name, arguments: [{ field: `data.${key}` }] })
    return [
      { alias: `filled${i}`, value: { function: 'count' }, filters: { [`data.${key}`]: { $ne: null } } },
      ...(counted.includes(type) ? [{ alias: `distinct${i}`, value: of('distinctCount') }] : []),
      ...(comparable.includes(type)
        ? ['min', 'max'].map((name) => ({ alias: `${name}${i}`, value: of(name) }))
        : []),
      ...(type === 'number' && schema[key]?.identifier !== true
        ? [{ alias: `median${i}`, value: of('median') }]
        : []),
    ]
  })
  return [{ alias: 'total', value: { function: 'count' } }, ...perField]
}

interface Value {
  value: string | number | boolean | null
  count: number
}

/** The values by field: asked for one field, they come without its name. */
function topOf(answer: unknown, fields: string[]): Record<string, Value[]> {
  if (!answer) return {}
  const [only] = fields
  const single = (answer as { results?: Value[] }).results
  return only && Array.isArray(single) ? { [only]: single } : (answer as Record<string, Value[]>)
}
