import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql, type RawBuilder } from 'kysely'
import { withDeclaredSources } from '#db/declared-sources.ts'
import { dataTable, emptyTable } from '#db/data-table.ts'
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
} from '#functions/engine/query/index.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { askableDataType } from '../data-type/visibility.ts'
import { whereVisible } from '#functions/domain/data-type/data-types.ts'
import { countUse } from './field-use.ts'
import type { Column } from '../records/columns.ts'
import type { ColumnRead } from '../records/read.ts'
import type { Stat } from '../records/tally.ts'
import { queryFields } from './fields.ts'
import type { ResolvedJoin } from './joins.ts'
import { queryLimitsFor, type QueryLimits } from './budget.ts'
import { whereNearBox } from './near.ts'
import { findBoundarySet } from './region.ts'
import {
  findDataType,
  dataTypeOfSource,
  whereInSources,
  buildReadings,
  recordsIn,
  listVisibleSources,
  readTimeZone,
} from './readable.ts'
import { withSpread } from './spread.ts'

/** Which records are queried: those of one source, or of a data type, in one place or (null) in all. */
export interface Scope {
  /** Only sources of this place. */
  placeId?: string | null
  sourceId?: string
  dataTypeId?: string
  /** With a data type: only these of its sources, as far as the actor may see them. */
  sourceIds?: string[]
  /**
   * The answer is for all readers of a saved query of this visibility: joins are limited to what all of them
   * may see.
   */
  readers?: Visibility
  /** The query was saved by staff, whoever reads its answer. */
  isSaved?: boolean
}

/** A source whose records are queried, with its stored statistics. */
export interface OpenSource {
  id: string
  placeId: string
  dataVersion: number
  stat: Stat
  /** Facets whose map cells are complete. */
  facets: string[]
}

/** Records ready to be queried. */
export interface Dataset extends QueryLimits {
  dataTypeId: string
  schema: FieldSchema
  /** Key of the date field by which records are ordered; null without one. */
  primaryDate: string | null
  timeZone: string
  sources: OpenSource[]
  sourceIds: string[]
  readings: (ColumnRead & Pick<Column, 'field'>)[]
  /** The resolved joins, in the order of the query. */
  joined: readonly ResolvedJoin[]
  env: QueryEnv
  /** The table with alias `t`, limited to the sources the actor may see. */
  scope: QueryScope
}

/** Default and highest number of rows of a list. */
const listLimits = { defaultLimit: 100, maxLimit: 1000 }
/** Most rows of an analytics answer. */
export const maxAnswerRows = 10_000
/** One row more than `maxAnswerRows`, to notice that there are more. */
export const analyticsLimits = {
  ...{ defaultLimit: maxAnswerRows + 1, maxLimit: maxAnswerRows + 1 },
  countsGroups: true,
}

/**
 * Prepares the records of a scope for queries: only sources that the actor may see, at most as private as
 * `maxVisibility`. Failure `notFound` without such a source, and for a data type that the place (or, without
 * one, anyone) does not show to the actor, so that its schema is not revealed; `sourceIds` were checked by
 * the caller. Adds all sources to what the answer depends on and reports their versions, which identify the
 * answer unless `question` uses the current time. `joined`: the joins that the query may use; none without
 * it.
 */
export async function open(
  ctx: Context,
  scope: Scope,
  {
    maxVisibility = 'private',
    limits = listLimits,
    question,
    joined,
  }: {
    maxVisibility?: Visibility
    limits?: Pick<QueryEnv, 'defaultLimit' | 'maxLimit' | 'countsGroups'>
    question?: unknown
    joined?: readonly ResolvedJoin[]
  } = {},
): Promise<Dataset> {
  const { sources, dataTypeId, dataType, set, timeZone } = await read(ctx, scope, maxVisibility, question)
  ctx.about.dataTypeId = dataTypeId
  const sourceIds = sources.map(({ id }) => id)
  // The edge of a hub knows what is public of its own place only.
  const { site } = ctx
  const own = sources.filter((source) => site.mode !== 'hub' || source.placeId === site.placeId)
  dependsOn(ctx, {
    rows: { dataType: [dataTypeId], source: sourceIds },
    shows: { source: own.map(({ id }) => id) },
    ...(scope.sourceId === undefined && { lists: { source: scope.placeId ?? null } }),
  })
  if (!dataType) throw new Failure('notFound')
  const versions = sources.map(({ id, dataVersion }) => [`source:${id}`, dataVersion])
  const basis = {
    ...Object.fromEntries((joined ?? []).flatMap((each) => each.basis)),
    ...{ [`dataType:${dataTypeId}`]: dataType.version, timeZone, ...Object.fromEntries(versions) },
  }
  await dependsOn(ctx, { versions: basis, isOfNow: readsClock(question) })
  countUse(ctx.now(), dataTypeId, dataType.schema, question)
  const readings = buildReadings(dataType, 't')
  const table = dataType.tableName && dataType.columns ? dataTable(dataType.tableName) : emptyTable()
  const spending = queryLimitsFor(ctx, scope)
  return {
    ...spending,
    dataTypeId,
    schema: dataType.schema,
    primaryDate: dataType.temporal?.primary ?? null,
    timeZone,
    sources,
    sourceIds,
    readings,
    joined: joined ?? [],
    env: {
      fields: withSpread(queryFields(readings), sources),
      timeZone,
      geometry: sql`t.geometry`,
      overlapsBounds: (box) => whereNearBox(sources, box),
      rows: recordsIn(sources),
      ...(spending.budget && { budget: spending.budget }),
      ...(joined && { joins: { rowId: sql`t.id`, offered: joined.map(({ join }) => join) } }),
      ...(set && { set }),
      ...limits,
    },
    scope: { from: sql`${table} as t`, where: [whereInSources(sourceIds)] },
  }
}

/** What a scope consists of. Read at once: each is a request to the database of its own. */
async function read(ctx: Context, scope: Scope, maxVisibility: Visibility, question: unknown) {
  const { sourceId, sourceIds, placeId = null } = scope
  const [sources, typeRow, set, zoneOfPlace] = await Promise.all([
    listVisibleSources(ctx, scope, maxVisibility),
    typeIn(ctx, scope),
    findBoundarySet(ctx, question),
    readTimeZone(ctx, placeId),
  ])
  const [first] = sources
  const dataTypeId = sourceId === undefined ? scope.dataTypeId : first?.dataTypeId
  if (dataTypeId === undefined) throw new Failure('notFound')
  // Without a visible source of those named, the schema needs permission of its own.
  const isHidden = !first && (sourceId !== undefined || sourceIds !== undefined)
  const dataType = isHidden ? await findDataType(ctx, dataTypeId, askableDataType(ctx, placeId)) : typeRow
  const isElsewhere = placeId === null && sourceId !== undefined && first
  const timeZone = isElsewhere ? await readTimeZone(ctx, first.placeId) : zoneOfPlace
  return { sources, dataTypeId, dataType, set, timeZone }
}

/** The data type of a scope, which may be shown if one of its named sources may. */
function typeIn(ctx: Context, { sourceId, sourceIds, dataTypeId = '', placeId = null }: Scope) {
  if (sourceId !== undefined) return dataTypeOfSource(ctx, sourceId)
  return findDataType(ctx, dataTypeId, sourceIds === undefined ? whereVisible(ctx, placeId) : null)
}

/** Compiles a query for rows. Failure `invalid` where it is not valid. */
export function compileRows(dataset: Dataset, options: Record<string, unknown>) {
  return readQuery(() => rows(queryIn(options), dataset.env))
}

/** Compiles an analytics query. Failure `invalid` where it is not valid. */
export function compileAnalytics(dataset: Dataset, options: Record<string, unknown>) {
  return readQuery(() => analytics(queryIn(options), dataset.env))
}

/** The options without those that are not of the query language. */
function queryIn({ maxVisibility: _level, next: _next, ...query }: Record<string, unknown>) {
  return query
}

/** Runs `ask` and turns its QueryError into a Failure `invalid` with the issues. */
export function readQuery<T>(ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (error instanceof QueryError) throw new Failure('invalid', { issues: error.issues, cause: error })
    throw error
  }
}

/** The sources that a statement reads, and its time-out. */
interface StatementScope extends Pick<QueryLimits, 'statementMs'> {
  sourceIds: readonly string[]
  joined?: readonly Pick<ResolvedJoin, 'sourceIds'>[]
}

/**
 * Runs a statement on the records of a dataset. Failure `invalid` for errors that depend on the values (a
 * number out of range), `tooSlow` for a time-out or lack of memory, with advice, and `unavailable` while the
 * fields are being changed.
 */
export async function run<Row>(
  ctx: Context,
  dataset: StatementScope,
  statement: RawBuilder<Row>,
): Promise<Row[]> {
  const sources = [dataset, ...(dataset.joined ?? [])].flatMap(({ sourceIds }) => sourceIds)
  try {
    const db = withDeclaredSources(ctx.db.withoutPlugins(), sources, dataset.statementMs)
    const { rows } = await statement.execute(db)
    return rows
  } catch (error) {
    throw findFailure(getSqlState(error), error) ?? error
  }
}

/**
 * The Failure for a SQLSTATE: data exception (22), limit exceeded (54), query cancelled (57014), insufficient
 * resources (53); undefined for others.
 */
function findFailure(code: string, cause: unknown): Failure | undefined {
  if (code === '57014' || code.startsWith('53')) {
    const sentence =
      'Something took longer than expected. Ask for less: add filters, group by a coarser bucket, or by fewer values.'
    return new Failure('tooSlow', { message: sentence, cause })
  }
  // Column names come from the schema, so a missing one means that the data type has changed since it was
  // read.
  if (code === '42703' && /\bf_/.test(String(cause)))
    return new Failure('unavailable', {
      message: 'The fields of the data are being changed. Ask again.',
      cause,
    })
  if (!code.startsWith('22') && !code.startsWith('54')) return undefined
  const message = 'Cannot be computed from this data.'
  return new Failure('invalid', { issues: [{ path: [], message }], cause })
}

/** The SQLSTATE of an error or of its cause (some drivers wrap it); '' without one. */
function getSqlState(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : getSqlState(error.cause)
}
