import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { columnsIn, dataTable, emptyTable, nullOf } from '#db/dataTable.ts'
import type { Visibility } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import {
  analytics,
  QueryError,
  readsClock,
  rows,
  type QueryEnv,
  type Scope as QueryScope,
} from '#functions/query/index.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { shown } from '../dataTypes.ts'
import { columnsOf } from '../records/columns.ts'
import type { Reading } from '../records/read.ts'
import type { Stat } from '../records/tally.ts'
import { seen } from '../visible.ts'
import { queryFields } from './fields.ts'

/** Which records are meant: those of one source, or those of a data type, in one place or (null) in all. */
export interface Scope {
  /** Only sources of this place. */
  placeId?: string | null
  sourceId?: string
  dataTypeId?: string
  /** Of a data type: only these sources, as far as the actor may see them. */
  sourceIds?: string[]
}

/** A source whose records are read, with what is kept about them. */
export interface OpenSource {
  id: string
  placeId: string
  dataVersion: number
  stat: Stat
}

/** Records ready to be asked. */
export interface Dataset {
  dataTypeId: string
  schema: FieldSchema
  /** Key of the date by which records are ordered; null without one. */
  primaryDate: string | null
  timeZone: string
  sources: OpenSource[]
  sourceIds: string[]
  readings: Reading[]
  env: QueryEnv
  /** The table as `t`, and the sources the actor may see. */
  scope: QueryScope
}

/** How many rows a list gives unasked, and how many at most. */
export const listLimits = { defaultLimit: 100, maxLimit: 1000 }
/** How many rows an analytics answer has at most. */
export const analyticsLimits = { defaultLimit: 10_000, maxLimit: 10_000 }

/**
 * Opens the records of a scope: only sources that the actor may see, no more closed than `maxVisibility`. Failure
 * `notFound` without such a source, and for a data type that the place (or, without one, anyone) does not show to the
 * actor: of what is not shown no one learns what it looks like. Whoever names the sources has looked already. Notes
 * every source as what the answer depends on, and unless the `question` asks what time it is, says their versions: who
 * has the answer made of them needs no other.
 */
export async function open(
  ctx: Context,
  scope: Scope,
  {
    maxVisibility = 'private',
    limits = listLimits,
    question,
  }: { maxVisibility?: Visibility; limits?: typeof listLimits; question?: unknown } = {},
): Promise<Dataset> {
  const sources = await sourcesOf(ctx, scope, maxVisibility)
  const dataTypeId = scope.sourceId === undefined ? scope.dataTypeId : sources[0]?.dataTypeId
  if (dataTypeId === undefined) throw new Failure('notFound')
  ctx.about.dataTypeId = dataTypeId
  if (scope.sourceId === undefined) ctx.depends.add(`sources:${scope.placeId ?? '*'}`)
  ctx.depends.add(`dataType:${dataTypeId}`)
  for (const { id } of sources) ctx.depends.add(`source:${id}`)
  const isNamed = scope.sourceId !== undefined || scope.sourceIds !== undefined
  const [dataType, timeZone] = await Promise.all([
    dataTypeOf(ctx, dataTypeId, isNamed ? sql<SqlBool>`true` : shown(ctx, scope.placeId ?? null)),
    timeZoneOf(ctx, scope.placeId ?? (scope.sourceId === undefined ? null : (sources[0]?.placeId ?? null))),
  ])
  if (!readsClock(question)) {
    const versions = sources.map(({ id, dataVersion }) => [`source:${id}`, dataVersion])
    await ctx.basis({ dataType: dataType.version, timeZone, ...Object.fromEntries(versions) })
  }
  const present = new Set(dataType.columns)
  const readings = columnsOf(dataType.schema).map((column) => ({
    ...column,
    value: present.has(column.columnName) ? sql.ref(`t.${column.columnName}`) : nullOf(column.field),
  }))
  const table = dataType.tableName && dataType.columns ? dataTable(dataType.tableName) : emptyTable()
  const sourceIds = sources.map(({ id }) => id)
  return {
    dataTypeId,
    schema: dataType.schema,
    primaryDate: dataType.temporal?.primary ?? null,
    timeZone,
    sources,
    sourceIds,
    readings,
    env: { fields: queryFields(readings), timeZone, geometry: sql`t.geometry`, ...limits },
    scope: { from: sql`${table} as t`, where: [inSources(sourceIds)] },
  }
}

/** One source by equality: an index can then give the order as well. */
function inSources(ids: string[]): RawBuilder<boolean> {
  return ids.length === 1
    ? sql<boolean>`t.source_id = ${ids[0]}`
    : sql<boolean>`t.source_id = any(${ids}::text[])`
}

async function sourcesOf(ctx: Context, scope: Scope, maxVisibility: Visibility) {
  const { placeId, sourceId, dataTypeId, sourceIds } = scope
  const conditions: RawBuilder<SqlBool>[] = [seen(ctx, 'source', maxVisibility)]
  if (placeId) conditions.push(sql<SqlBool>`${sql.ref('source.placeId')} = ${placeId}`)
  if (sourceId !== undefined) conditions.push(sql<SqlBool>`source.id = ${sourceId}`)
  else conditions.push(sql<SqlBool>`${sql.ref('source.dataTypeId')} = ${dataTypeId ?? ''}`)
  if (sourceIds) conditions.push(sql<SqlBool>`source.id = any(${sourceIds}::text[])`)
  const found = await ctx.db
    .selectFrom('source')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['source.id', 'source.placeId', 'source.dataTypeId', 'source.dataVersion'])
    .select(['sourceStat.count', 'sourceStat.extent', 'sourceStat.fields'])
    .where(sql<SqlBool>`${sql.join(conditions, sql` and `)}`)
    .orderBy('source.id')
    .execute()
  return found.map(({ count, extent, fields, ...source }) => ({
    ...source,
    stat: { count: count ?? 0, extent: extent ?? null, fields: (fields ?? {}) as Stat['fields'] },
  }))
}

async function dataTypeOf(ctx: Context, id: string, condition: RawBuilder<SqlBool>) {
  const row = await ctx.db
    .selectFrom('dataType')
    .select(['schema', 'temporal', 'tableName', 'version', columnsIn(sql.ref('tableName')).as('columns')])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .where(condition)
    .executeTakeFirst()
  if (!row) throw new Failure('notFound')
  return { ...row, schema: row.schema as unknown as FieldSchema }
}

/** Days and hours are those of the place; without one, UTC. */
async function timeZoneOf(ctx: Context, placeId: string | null): Promise<string> {
  if (placeId === null) return 'UTC'
  const place = await ctx.db
    .selectFrom('place')
    .select('timeZone')
    .where('id', '=', placeId)
    .executeTakeFirst()
  return place?.timeZone ?? 'UTC'
}

/** The parts of a query for rows; what is wrong with it is a Failure. */
export function rowsOf(dataset: Dataset, options: Record<string, unknown>) {
  return understood(() => rows(queryIn(options), dataset.env))
}

/** An analytics query, checked; what is wrong with it is a Failure. */
export function analyticsOf(dataset: Dataset, options: Record<string, unknown>) {
  return understood(() => analytics(queryIn(options), dataset.env))
}

/** The options that the query language knows. */
function queryIn({ maxVisibility: _level, next: _next, ...query }: Record<string, unknown>) {
  return query
}

function understood<T>(ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (error instanceof QueryError) throw new Failure('invalid', { issues: error.issues, cause: error })
    throw error
  }
}

/** Runs a statement. What only the data could show, such as a number too large, is the question's fault: `invalid`. */
export async function run<Row>(ctx: Context, statement: RawBuilder<Row>): Promise<Row[]> {
  try {
    const { rows: found } = await statement.execute(ctx.db.withoutPlugins())
    return found
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code !== 'string' || !code.startsWith('22')) throw error
    const message = 'Cannot be computed from this data.'
    throw new Failure('invalid', { issues: [{ path: [], message }], cause: error })
  }
}
