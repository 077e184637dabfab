import { sql } from 'kysely'
import { fieldEntries, type FieldEntry } from './fields.ts'
import {
  analyticsLimits,
  compileAnalytics,
  maxAnswerRows,
  open,
  compileRows,
  run,
  type Scope,
} from './open.ts'
import { selectFirstPage, findSortKeys, selectPage } from './order.ts'
import { countHeavy } from './budget.ts'
import { resolveJoins } from './joins.ts'
import { coverageIn } from './coverage.ts'
import { readProfiles } from './profiles.ts'
import { listTotal } from './total.ts'
import { readUnion, type AliasedDatum } from './union.ts'
import {
  buildPositionConditions,
  createTokenError,
  buildOrderBy,
  positionIn,
  buildPositionColumn,
  createPageToken,
  type Position,
} from '#functions/domain/noun/keyset.ts'
import { toDatum, rowColumns, type Row } from '#functions/domain/records/read.ts'
import { isRecordId } from '#functions/domain/records/remove.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { present, totalIn, withSeenValues } from '#functions/engine/query/index.ts'
import type { AnswerRow, Output } from '#functions/shapes/analytics.ts'
import type { AnalyticsOptions, Datum, DatumOptions, FieldListOptions } from '#functions/shapes/datum.ts'
import { pickFieldKnowledge } from '#functions/shapes/field.ts'
import type { ProfileState } from '#functions/shapes/field-profile.ts'
import type { Page } from '#functions/shapes/options.ts'

/**
 * A page of records. `next`: the cursor of the next page; absent on the last one and where the order is not by plain
 * fields; `limit` is present only where more rows were requested than a page has. With joins, records of several data
 * types, each with the alias of its join, and no `total`, which is not counted.
 */
interface DatumPage {
  results: Partial<Datum & AliasedDatum>[]
  meta: { results: number; total?: number; estimated?: true; next?: string; limit?: number }
}

/** The answer to a query: rows by alias, and the description of its columns. */
export interface Answer {
  results: AnswerRow[]
  meta: { results: number; total: number; estimated?: true; schema: Output['schema']; timeZone?: string }
  output: Output
}

/** Wraps rows as an answer; they are all there are unless `output.total` says otherwise. */
export function toAnswer(results: AnswerRow[], output: Output): Answer {
  const { schema, timeZone, estimated, total = results.length } = output
  const meta = {
    ...{ results: results.length, total },
    ...(estimated && { estimated }),
    ...{ schema, ...(timeZone && { timeZone }) },
  }
  return { results, meta, output }
}

/** What the output states where a limit or offset left rows out. */
const buildTotalMeta = (
  total: number | null | undefined,
  rows: number,
  { offset: skipped, estimated }: { offset: number; estimated?: true },
) =>
  typeof total === 'number' && total > rows
    ? { total, ...(estimated && { estimated }), ...(skipped > 0 && { skipped }) }
    : {}

/**
 * Records that match the filters, the newest first unless ordered otherwise. `total` counts all matches:
 * above 100,000 it may be an estimate, marked as such, unless `count` is `exact`; with `none` it is left out.
 * Paging by `next` takes the same time for every page, by `offset` it gets slower. With joins, the records of
 * each join follow. Failure `notFound` without such records, `invalid` for a query that is not valid.
 */
export async function find(ctx: Context, scope: Scope, options: DatumOptions): Promise<DatumPage> {
  const { maxVisibility, next, count, ...query } = options
  const joins = await resolveJoins(ctx, query.joins, scope, maxVisibility)
  const dataset = await open(ctx, scope, { maxVisibility, question: query, joined: joins })
  const { where, orderBy, limit, isCapped, offset, excluded, union, steps } = compileRows(dataset, query)
  await countHeavy(ctx, steps)
  if (union) {
    if (next !== undefined) throw createTokenError(next)
    const records = await readUnion(ctx, dataset, union)
    const results = records.map((each) => without(each, excluded))
    return { results, meta: { results: results.length } }
  }
  const keys = findSortKeys(dataset, query.orderings)
  const list = `data of ${dataset.dataTypeId}`
  const secrets = ctx.settings
  if (next !== undefined && !keys) throw createTokenError(next)
  const after = keys && next !== undefined ? await positionIn(secrets, list, keys, next) : null
  const readings = dataset.readings.filter(({ key }) => !excluded.has(`data.${key}`))
  const position = keys ? buildPositionColumn(keys) : sql<Position>`'[]'::json`
  const columns = sql`${rowColumns(readings)}, ${position} as position`
  const whole = sql.join([...dataset.scope.where, ...where], sql` and `)
  const order = hasClause(query.orderings) || !keys ? sql.join(orderBy) : buildOrderBy(keys)
  const rows = limit + 1 + offset
  const page =
    keys &&
    (after
      ? selectPage(dataset, keys, buildPositionConditions(keys, after), where, rows)
      : selectFirstPage(dataset, keys, where, rows))
  const request = page || { from: sql`${dataset.scope.from} where ${whole}`, orderBy: order }
  const [values, total] = await Promise.all([
    run(
      ctx,
      dataset,
      sql<Row & { position: Position }>`select ${columns} from ${request.from}
        order by ${request.orderBy} limit ${limit + 1}::int offset ${offset}::bigint`,
    ),
    listTotal(ctx, dataset, where, query, count),
  ])
  const matches = values.slice(0, limit)
  const results = matches.map((row) => without(toDatum(readings, row), excluded))
  const last = keys && values.length > limit ? matches.at(-1) : undefined
  const more = keys && last && { next: await createPageToken(secrets, list, keys, last.position) }
  const meta = { results: results.length, ...total, ...more, ...(isCapped && { limit }) }
  return { results, meta }
}

/**
 * One record by its stable id; undefined where the scope has none. Failure `notFound` without such a scope.
 */
export async function findById(ctx: Context, scope: Scope, id: string): Promise<Datum | undefined> {
  if (!isRecordId(id)) return undefined
  const dataset = await open(ctx, scope)
  const { readings, scope: rows } = dataset
  const conditions = sql.join([...rows.where, sql`t.id = ${id}::bigint`], sql` and `)
  const [row] = await run(
    ctx,
    dataset,
    sql<Row>`select ${rowColumns(readings)} from ${rows.from} where ${conditions}`,
  )
  return row && toDatum(readings, row)
}

/** Fields; `meta.profile` says, where profiles were requested, whether they are current. */
interface FieldPage extends Page<FieldEntry> {
  meta: Page<FieldEntry>['meta'] & { profile?: ProfileState }
}

/**
 * The fields that queries may use, with their meaning; with `profile` also the profiles of their values (null
 * where there is none).
 */
export async function fields(
  ctx: Context,
  scope: Scope,
  { profile: isProfiled = false, ...options }: FieldListOptions = {},
): Promise<FieldPage> {
  const dataset = await open(ctx, scope, options)
  const entries = fieldEntries(dataset.env.fields, dataset.primaryDate)
  const meta = { results: entries.length, total: entries.length }
  if (!isProfiled) return { results: entries, meta }
  const { state, profiles, readAsEmpty } = await readProfiles(ctx, dataset)
  const results = entries.map((entry) => {
    if (!entry.field.startsWith('data.')) return entry
    const key = entry.field.slice('data.'.length)
    return { ...entry, profile: profiles.get(key) ?? null, readAsEmpty: readAsEmpty.get(key) ?? null }
  })
  return { results, meta: { ...meta, profile: state } }
}

/**
 * Answers a query: one row per group, keyed by alias, at most 10,000. A query without aggregations and
 * groupings returns records. Failure `invalid` with the path of whatever is not valid, and where there are
 * more rows than 10,000 and no limit cuts them off.
 */
export async function analytics(ctx: Context, scope: Scope, query: AnalyticsOptions): Promise<Answer> {
  if (!hasClause(query.aggregations) && !hasClause(query.groupings)) return asRows(ctx, scope, query)
  const dataset = await open(ctx, scope, {
    maxVisibility: query.maxVisibility,
    limits: analyticsLimits,
    question: query,
    joined: await resolveJoins(ctx, query.joins, scope, query.maxVisibility),
  })
  const { query: compiledQuery, output, parsed: parsedQuery } = compileAnalytics(dataset, query)
  const rows = await run(ctx, dataset, compiledQuery(dataset.scope))
  if (rows.length > maxAnswerRows) throw createTooManyRowsError(query.limit)
  const rest = buildTotalMeta(totalIn(rows) ?? (await totalBefore()), rows.length, parsedQuery)
  const coverage = await coverageIn(ctx, dataset, parsedQuery)
  const results = present(rows, output)
  return toAnswer(results, {
    ...{ ...withSeenValues(output, results), timeZone: parsedQuery.timeZone, ...rest },
    ...(coverage && { coverage }),
  })

  /**
   * The total where the offset is beyond the last row, so that no row carries it: queried with the first row.
   */
  async function totalBefore(): Promise<number | null> {
    if (rows.length > 0 || parsedQuery.offset === 0 || parsedQuery.groupings.length === 0) return null
    const { query: first } = compileAnalytics(dataset, { ...query, offset: 0, limit: 1 })
    return totalIn(await run(ctx, dataset, first(dataset.scope)))
  }
}

async function asRows(ctx: Context, scope: Scope, query: AnalyticsOptions): Promise<Answer> {
  const { aggregations: _none, groupings: _neither, ...options } = query
  const { results, meta } = await find(ctx, scope, options)
  const { results: entries } = await fields(ctx, scope, options)
  const columns = entries.map((entry) => {
    const { field, name, type, items, measurement, precision } = entry
    return [field, { name, type, items, measurement, precision, ...pickFieldKnowledge(entry) }] as const
  })
  const alias = hasClause(query.joins) ? [['_alias', { name: 'Alias', type: 'text' }] as const] : []
  const schema = Object.fromEntries([...alias, ...columns])
  const rest = buildTotalMeta(meta.total, results.length, { ...meta, offset: Number(query.offset ?? 0) })
  const output = { schema, aggregations: [], groupings: [], orderings: [], ...rest }
  return {
    results: results.map((datum) => ({ ...datum })),
    meta: { ...meta, total: meta.total ?? results.length, schema },
    output,
  }
}

/** Refuses to truncate an answer: a truncated one would be read as complete. */
function createTooManyRowsError(limit: unknown): Failure {
  const most = maxAnswerRows.toLocaleString('en')
  const message = `The answer has more than ${most} rows. Group by something coarser, filter, or set a limit of at most ${most}.`
  return new Failure('invalid', { issues: [{ path: [hasClause(limit) ? 'limit' : 'groupings'], message }] })
}

/** Whether a clause is neither missing nor empty. */
export function hasClause(clause: unknown): boolean {
  return Array.isArray(clause) ? clause.length > 0 : clause !== undefined && clause !== null && clause !== ''
}

/** A record without the fields at the given paths, including keys within objects and shapes. */
function without<Row extends object>(row: Row, excluded: Set<string>): Partial<Row> {
  if (excluded.size === 0) return row
  return prune(row, '', excluded) as Partial<Row>
}

function prune(value: object, path: string, excluded: Set<string>): object {
  const entries = Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    const name = `${path}${key}`
    if (excluded.has(name)) return []
    const isInside = typeof part === 'object' && part !== null && !Array.isArray(part)
    return [[key, isInside ? prune(part, `${name}.`, excluded) : part]]
  })
  return Object.fromEntries(entries) as object
}
