import { sql, type RawBuilder } from 'kysely'
import type { Context } from '#functions/context.ts'
import type { CountMode } from '#functions/shapes/datum.ts'
import { run, type Dataset } from './open.ts'
import { recordsIn } from './readable.ts'

/** `total` is left out where none was requested; `estimated`: it is not exact. */
interface Total {
  total?: number
  estimated?: true
}

/** Up to this many records are counted exactly; more may be estimated. */
const maxCounted = 100_000

type Conditions = RawBuilder<boolean>[]

/** The exact number of matching records: from the stored stats without conditions, otherwise counted. */
export async function countTotal(ctx: Context, dataset: Dataset, where: Conditions): Promise<number> {
  if (where.length === 0) return recordsIn(dataset.sources)
  return countRows(ctx, dataset, sql<{ n: string }>`select count(*) as n from ${matching(dataset, where)}`)
}

/**
 * The number of records that match a query with the conditions `where`. Exact where the stored stats have it
 * (no conditions, or one field must have one of some listed values) and up to `most`; above that an estimate,
 * unless `exact` is requested: never less than what was counted, nor more than there are.
 */
export async function listTotal(
  ctx: Context,
  dataset: Dataset,
  where: Conditions,
  question: Record<string, unknown>,
  counting: CountMode = 'estimate',
  most = maxCounted,
): Promise<Total> {
  if (counting === 'none') return {}
  if (where.length === 0 || recordsIn(dataset.sources) === 0) return { total: recordsIn(dataset.sources) }
  const storedTotal = where.length === 1 ? findStoredTotal(dataset, question) : null
  if (storedTotal !== null) return { total: storedTotal }
  if (counting === 'exact') return { total: await countTotal(ctx, dataset, where) }
  const { total, rows } = await countUpTo(ctx, dataset, where, most + 1)
  if (total <= most) return { total }
  return { total: Math.max(total, await estimate(ctx, dataset, where, rows)), estimated: true }
}

function matching({ scope }: Dataset, where: Conditions) {
  return sql`${scope.from} where ${sql.join([...scope.where, ...where], sql` and `)}`
}

async function countRows(
  ctx: Context,
  dataset: Dataset,
  statement: RawBuilder<{ n: string }>,
): Promise<number> {
  const [row] = await run(ctx, dataset, statement)
  return Number(row?.n ?? 0)
}

/**
 * Counts up to `most`; `rows` is Postgres's estimate of the table's rows over all sources, -1 where it has
 * none.
 */
async function countUpTo(ctx: Context, dataset: Dataset, where: Conditions, most: number) {
  const [row] = await run(
    ctx,
    dataset,
    sql<{ n: string; rows: number | null }>`
      select (select count(*) from (select 1 from ${matching(dataset, where)} limit ${most}::int) counted) as n,
        (select reltuples from pg_class where oid = (select t.tableoid from ${matching(dataset, [])} limit 1)) as rows`,
  )
  return { total: Number(row?.n ?? 0), rows: row?.rows ?? -1 }
}

/** Rows of the table sampled for an estimate: takes some milliseconds, however large the table is. */
const sampleSize = 20_000

/**
 * Estimates the matches from the share that matches in a sample of blocks. The sample is repeatable, so that
 * the estimate changes only with the data.
 */
async function estimate(ctx: Context, dataset: Dataset, where: Conditions, rows: number) {
  const { scope } = dataset
  const records = recordsIn(dataset.sources)
  const percent = Math.min(100, (100 * sampleSize) / Math.max(rows, records))
  const [row] = await run(
    ctx,
    dataset,
    sql<{ some: string; all: string }>`
      select count(*) filter (where ${sql.join(where, sql` and `)}) as "some", count(*) as "all"
      from ${scope.from} tablesample system (${percent}::real) repeatable (1) where ${sql.join(scope.where, sql` and `)}`,
  )
  const [some, all] = [Number(row?.some ?? 0), Number(row?.all ?? 0)]
  return all === 0 ? 0 : Math.round((records * some) / all)
}

/**
 * The total from value lists, for a query that only says which values one text or boolean field may have;
 * null for every other query, and where a source has no value list of the field.
 */
function findStoredTotal({ sources, env }: Dataset, question: Record<string, unknown>): number | null {
  const request = equalityIn(question)
  if (!request) return null
  const field = env.fields.find(({ path }) => path === request.path)
  if (field?.type !== 'text' && field?.type !== 'boolean') return null
  const isRead = (value: unknown) =>
    field.type === 'text' ? typeof value === 'string' : typeof value === 'boolean'
  if (!request.values.every(isRead)) return null
  let total = 0
  for (const { stat } of sources) {
    if (stat.count === 0) continue
    const values = stat.fields[request.path.slice('data.'.length)]?.values
    if (!values) return null
    for (const value of new Set(request.values.map(String)))
      total += Object.hasOwn(values, value) ? (values[value] ?? 0) : 0
  }
  return total
}

/** The field and values of a plain equality condition; null for conditions of any other form. */
function equalityIn({ filters, where }: Record<string, unknown>): { path: string; values: unknown[] } | null {
  const [clause] = [filters, where].filter((each) => findOnlyMember(each) !== undefined)
  const outer = findOnlyMember(clause)
  if (!outer) return null
  const inner = outer.key === 'data' ? findOnlyMember(outer.value) : undefined
  const path = inner ? `data.${inner.key}` : outer.key
  if (!/^data\.[A-Za-z0-9]+$/.test(path)) return null
  const value = inner ? inner.value : outer.value
  const operator = findOnlyMember(value)
  if (!operator) return list(value)
  return operator.key === '$eq' || operator.key === '$in' ? list(operator.value) : null

  function list(input: unknown) {
    const values = Array.isArray(input) ? input : [input]
    return values.length > 0 ? { path, values } : null
  }
}

/** The only member of an object, or of the only object in a list; undefined otherwise. */
function findOnlyMember(clause: unknown): { key: string; value: unknown } | undefined {
  const value: unknown = Array.isArray(clause) && clause.length === 1 ? clause[0] : clause
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const members = Object.entries(value)
  const [member] = members
  return members.length === 1 && member ? { key: member[0], value: member[1] } : undefined
}
