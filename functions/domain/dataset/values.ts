import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { checkSteps, type QueryField } from '#functions/engine/query/index.ts'
import type { ValuesOptions } from '#functions/shapes/datum.ts'
import type { Page } from '#functions/shapes/options.ts'
import { containsPattern } from '#functions/shapes/like-pattern.ts'
import { countHeavy } from './budget.ts'
import { compileAnalytics, open, compileRows, run, readQuery, type Dataset, type Scope } from './open.ts'

/** One value of a field and how many records have it. */
interface ValueCount {
  value: string | number | boolean | null
  count: number
}

/** The default number of values. */
const usualLimit = 50

const scalars = ['text', 'number', 'boolean', 'date']

/**
 * The distinct values of a field with their counts, the most frequent first; items of lists one by one, null
 * for records without a value. With several fields: such a list for each, by field. Failure `invalid` at
 * `field` above the caller's query budget.
 */
export async function values(
  ctx: Context,
  scope: Scope,
  { field: names, search, limit, ...filters }: ValuesOptions,
): Promise<Page<ValueCount> | Record<string, ValueCount[]>> {
  const dataset = await open(ctx, scope, { maxVisibility: filters.maxVisibility, question: filters })
  const fields = names.map((name) => getScalarField(dataset, name))
  const {
    where,
    limit: most,
    isCapped,
  } = compileRows(dataset, {
    ...filters,
    limit: limit ?? usualLimit,
    // A text is looked for in the values, not in the records; anything else is reported with the other issues.
    ...(typeof search !== 'string' && { search }),
  })
  const text = typeof search === 'string' && search.trim() !== '' ? search.trim() : null
  const isWhole = Object.keys(filters).every((key) => key === 'maxVisibility')
  const uncountedFields = fields.filter((each) => !isWhole || findStoredValues(dataset, each) === null)
  await countHeavy(ctx, estimateSteps(dataset, uncountedFields, filters))
  const rows = await Promise.all(
    fields.map(async (field) => {
      const storedValues = isWhole ? findStoredValues(dataset, field) : null
      return storedValues
        ? pick(storedValues, text, most)
        : countValues(ctx, dataset, field, where, text, most)
    }),
  )
  const [first] = rows
  if (first && rows.length === 1) {
    return {
      results: first.values,
      meta: { results: first.values.length, total: first.total, ...(isCapped && { limit: most }) },
    }
  }
  return Object.fromEntries(names.map((name, i) => [name, rows[i]?.values ?? []]))
}

/**
 * The cost of counting the values of these fields, in steps: a query with a group per value, for each field.
 * Failure `invalid` at `field` above the caller's budget.
 */
function estimateSteps(
  dataset: Dataset,
  uncountedFields: QueryField[],
  filters: Record<string, unknown>,
): number {
  const { budget: _none, ...env } = dataset.env
  const withoutBudget = { ...dataset, env }
  const steps = uncountedFields.reduce((sum, { path, type }) => {
    const one = type === 'array' ? { function: 'expand', arguments: [{ field: path }] } : { field: path }
    const aggregations = [
      { alias: 'value', value: one },
      { alias: 'count', value: { function: 'count' } },
    ]
    return (
      sum +
      compileAnalytics(withoutBudget, { ...filters, aggregations, groupings: [{ field: 'value' }] }).steps
    )
  }, 0)
  readQuery(() => checkSteps(steps, () => ['field'], dataset.env))
  return steps
}

function getScalarField({ env }: Dataset, name: string): QueryField {
  const field = env.fields.find(({ path }) => path === name)
  const issue = (message: string) =>
    new Failure('invalid', { issues: [{ path: ['field'], value: name, message }] })
  if (!field) throw issue('Field does not exist.')
  const type = field.type === 'array' ? (field.items?.type ?? '') : field.type
  if (!scalars.includes(type)) throw issue('Values of this type cannot be listed.')
  return field
}

interface CountedValues {
  values: ValueCount[]
  total: number
}

/**
 * The value list of a text or boolean field from the stored stats; null where a source has too many values,
 * and for other fields.
 */
function findStoredValues({ sources }: Dataset, { path, type }: QueryField): ValueCount[] | null {
  if ((type !== 'text' && type !== 'boolean') || !path.startsWith('data.')) return null
  const counts = new Map<string | null, number>()
  const add = (value: string | null, count: number) => counts.set(value, (counts.get(value) ?? 0) + count)
  for (const { stat } of sources) {
    if (stat.count === 0) continue
    const fieldStat = stat.fields[path.slice('data.'.length)]
    if (!fieldStat?.values) return null
    for (const [value, count] of Object.entries(fieldStat.values)) add(value, count)
    if (fieldStat.nulls > 0) add(null, fieldStat.nulls)
  }
  return [...counts].map(([value, count]) => ({
    value: type === 'boolean' && value !== null ? value === 'true' : value,
    count,
  }))
}

function pick(all: ValueCount[], search: string | null, limit: number): CountedValues {
  const lower = search?.toLowerCase()
  const matching = all.filter(
    ({ value }) => !lower || (value !== null && String(value).toLowerCase().includes(lower)),
  )
  const ranking = matching.sort((a, b) => b.count - a.count || order(a.value, b.value))
  return { values: ranking.slice(0, limit), total: matching.length }
}

function order(a: ValueCount['value'], b: ValueCount['value']): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return String(a) < String(b) ? -1 : 1
}

async function countValues(
  ctx: Context,
  dataset: Dataset,
  { type, sql: value }: QueryField,
  where: RawBuilder<boolean>[],
  search: string | null,
  limit: number,
): Promise<CountedValues> {
  const { scope } = dataset
  const conditions = sql.join([...scope.where, ...where], sql` and `)
  const items =
    type === 'array'
      ? sql`select e.v from ${scope.from} left join lateral unnest(${value}) as e(v) on true where ${conditions}`
      : sql`select ${value} as v from ${scope.from} where ${conditions}`
  const pattern = search === null ? null : containsPattern(search)
  // At least one row, because the total is a column of the rows.
  const rows = await run(
    ctx,
    dataset,
    sql<{ value: unknown; count: string; total: string }>`
      select v as value, count(*) as count, count(*) over () as total from (${items}) items
      ${pattern === null ? sql`` : sql`where v::text ilike ${pattern}`}
      group by 1 order by count(*) desc, v::text collate "C" limit ${Math.max(limit, 1)}::int`,
  )
  return {
    values: rows.slice(0, limit).map((row) => ({ value: toPlainValue(row.value), count: Number(row.count) })),
    total: Number(rows[0]?.total ?? 0),
  }
}

function toPlainValue(value: unknown): ValueCount['value'] {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : String(value)
}
