import { sql } from 'kysely'
import { fieldEntries, type FieldEntry } from './dataset/fields.ts'
import { analyticsLimits, analyticsOf, open, rowsOf, run, type Dataset, type Scope } from './dataset/open.ts'
import { keysOf, pageOf } from './dataset/order.ts'
import { behind, notAToken, orderOf, positionIn, positionOf, tokenOf, type Position } from './keyset.ts'
import { datumOf, rowColumns, type Row } from './records/read.ts'
import { isRecordId } from './records/remove.ts'
import type { Context } from '../context.ts'
import { present } from '../query/index.ts'
import type { AnswerRow, Output } from '../shapes/analytics.ts'
import type { AnalyticsOptions, Datum, DatumOptions, FieldsOptions } from '../shapes/datum.ts'
import type { Page } from '../shapes/options.ts'

/** A page of records. `next` names the page after it; absent on the last one and where the order is by anything but fields. */
export interface DatumPage {
  results: Partial<Datum>[]
  meta: { results: number; total: number; next?: string }
}

/** What a question gave: rows by alias, and what its columns are. */
export interface Answer {
  results: AnswerRow[]
  meta: { results: number; total: number; schema: Output['schema'] }
  output: Output
}

/**
 * Records that meet the filters; the newest first unless asked otherwise. `total` counts all that match, exactly. Goes
 * on after a page by its `next` as fast as the first page; by `offset` it gets slower.
 */
export async function find(ctx: Context, scope: Scope, options: DatumOptions): Promise<DatumPage> {
  const { maxVisibility, next, ...query } = options
  const dataset = await open(ctx, scope, { maxVisibility, question: query })
  const { where, orderBy, limit, offset, excluded } = rowsOf(dataset, query)
  const keys = keysOf(dataset, query.orderings)
  const list = `data of ${dataset.dataTypeId}`
  const secret = ctx.settings.authSecret
  if (next !== undefined && !keys) throw notAToken(next)
  const after = keys && next !== undefined ? await positionIn(secret, list, keys, next) : null
  const readings = dataset.readings.filter(({ key }) => !excluded.has(`data.${key}`))
  const position = keys ? positionOf(keys) : sql<Position>`'[]'::json`
  const columns = sql`${rowColumns(readings)}, ${position} as position`
  const whole = sql.join([...dataset.scope.where, ...where], sql` and `)
  const order = asks(query.orderings) || !keys ? sql.join(orderBy) : orderOf(keys)
  const asked =
    keys && after
      ? pageOf(dataset, keys, behind(keys, after), where, limit + 1 + offset)
      : { from: sql`${dataset.scope.from} where ${whole}`, orderBy: order }
  const [rows, total] = await Promise.all([
    run(
      ctx,
      sql<Row & { position: Position }>`select ${columns} from ${asked.from}
        order by ${asked.orderBy} limit ${limit + 1}::int offset ${offset}::bigint`,
    ),
    totalOf(ctx, dataset, where),
  ])
  const found = rows.slice(0, limit)
  const results = found.map((row) => without(datumOf(readings, row), excluded))
  const last = keys && rows.length > limit ? found.at(-1) : undefined
  const more = keys && last && { next: await tokenOf(secret, list, keys, last.position) }
  return { results, meta: { results: results.length, total, ...more } }
}

/** One record by its stable id; undefined when the scope has none. */
export async function findById(ctx: Context, scope: Scope, id: string): Promise<Datum | undefined> {
  if (!isRecordId(id)) return undefined
  const { readings, scope: rows } = await open(ctx, scope)
  const conditions = sql.join([...rows.where, sql`t.id = ${id}::bigint`], sql` and `)
  const [row] = await run(ctx, sql<Row>`select ${rowColumns(readings)} from ${rows.from} where ${conditions}`)
  return row && datumOf(readings, row)
}

/** The fields that questions to the records may use, with what they mean. */
export async function fields(
  ctx: Context,
  scope: Scope,
  options: FieldsOptions = {},
): Promise<Page<FieldEntry>> {
  const { env, primaryDate } = await open(ctx, scope, options)
  const results = fieldEntries(env.fields, primaryDate)
  return { results, meta: { results: results.length, total: results.length } }
}

/**
 * The answer to a question: one row a group, keyed by alias, at most 10,000. A question that neither aggregates nor
 * groups asks for the records themselves. Failure `invalid` with the path of whatever is not understood.
 */
export async function analytics(ctx: Context, scope: Scope, query: AnalyticsOptions): Promise<Answer> {
  if (!asks(query.aggregations) && !asks(query.groupings)) return asRows(ctx, scope, query)
  const dataset = await open(ctx, scope, {
    maxVisibility: query.maxVisibility,
    limits: analyticsLimits,
    question: query,
  })
  const { query: compiled, output } = analyticsOf(dataset, query)
  const results = present(await run(ctx, compiled(dataset.scope)), output)
  return { results, meta: { results: results.length, total: results.length, schema: output.schema }, output }
}

async function asRows(ctx: Context, scope: Scope, query: AnalyticsOptions): Promise<Answer> {
  const { aggregations: _none, groupings: _neither, ...options } = query
  const { results, meta } = await find(ctx, scope, options)
  const { results: entries } = await fields(ctx, scope, options)
  const schema = Object.fromEntries(
    entries.map(({ field, name, type, items, measurement }) => [field, { name, type, items, measurement }]),
  )
  const output = { schema, aggregations: [], groupings: [], orderings: [] }
  return { results: results.map((datum) => ({ ...datum })), meta: { ...meta, schema }, output }
}

/** How many records match: what is kept where nothing narrows them, else counted. */
export async function totalOf(
  ctx: Context,
  dataset: Dataset,
  where: ReturnType<typeof rowsOf>['where'],
): Promise<number> {
  const { sources, scope } = dataset
  if (where.length === 0) return sources.reduce((sum, { stat }) => sum + stat.count, 0)
  const conditions = sql.join([...scope.where, ...where], sql` and `)
  const [row] = await run(
    ctx,
    sql<{ n: string }>`select count(*) as n from ${scope.from} where ${conditions}`,
  )
  return Number(row?.n ?? 0)
}

/** Whether a clause says anything. */
function asks(clause: unknown): boolean {
  return Array.isArray(clause) ? clause.length > 0 : clause !== undefined && clause !== null && clause !== ''
}

function without(datum: Datum, excluded: Set<string>): Partial<Datum> {
  if (excluded.size === 0) return datum
  return Object.fromEntries(Object.entries(datum).filter(([name]) => !excluded.has(name)))
}
