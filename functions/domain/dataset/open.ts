import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql, type RawBuilder } from 'kysely'
import { asking } from '#db/asking.ts'
import { dataTable, emptyTable } from '#db/dataTable.ts'
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
import { askableDataType } from '../dataType/visibility.ts'
import { whereVisible } from '#functions/domain/dataType/dataTypes.ts'
import { countUse } from './fieldUse.ts'
import type { Column } from '../records/columns.ts'
import type { ColumnRead } from '../records/read.ts'
import type { Stat } from '../records/tally.ts'
import { queryFields } from './fields.ts'
import type { Joined } from './joins.ts'
import { spendingOf, type Spending } from './budget.ts'
import { near } from './near.ts'
import { dataTypeOf, inSources, readingsOf, recordsIn, sourcesOf, timeZoneOf } from './readable.ts'
import { withSpread } from './spread.ts'

/** Which records are meant: those of one source, or those of a data type, in one place or (null) in all. */
export interface Scope {
  /** Only sources of this place. */
  placeId?: string | null
  sourceId?: string
  dataTypeId?: string
  /** Of a data type: only these sources, as far as the actor may see them. */
  sourceIds?: string[]
  /** The answer is for all readers of a question of this visibility: its joins are of what they all may see. */
  readers?: Visibility
  /** The question is one that staff has saved, whoever reads its answer. */
  isSaved?: boolean
}

/** A source whose records are read, with what is kept about them. */
export interface OpenSource {
  id: string
  placeId: string
  dataVersion: number
  stat: Stat
  /** The facets of the map that are counted whole. */
  facets: string[]
}

/** Records ready to be asked. */
export interface Dataset extends Spending {
  dataTypeId: string
  schema: FieldSchema
  /** Key of the date by which records are ordered; null without one. */
  primaryDate: string | null
  timeZone: string
  sources: OpenSource[]
  sourceIds: string[]
  readings: (ColumnRead & Pick<Column, 'field'>)[]
  /** What the question may join, in its order. */
  joined: readonly Joined[]
  env: QueryEnv
  /** The table as `t`, and the sources the actor may see. */
  scope: QueryScope
}

/** How many rows a list gives unasked, and how many at most. */
const listLimits = { defaultLimit: 100, maxLimit: 1000 }
/** How many rows an analytics answer has at most. */
export const maxAnswerRows = 10_000
/** A row more than that, to tell that there are more. */
export const analyticsLimits = {
  ...{ defaultLimit: maxAnswerRows + 1, maxLimit: maxAnswerRows + 1 },
  countsGroups: true,
}

/**
 * Opens the records of a scope: only sources that the actor may see, no more closed than `maxVisibility`. Failure
 * `notFound` without such a source, and for a data type that the place (or, without one, anyone) does not show to the
 * actor: of what is not shown no one learns what it looks like. Whoever names the sources has looked already. Notes
 * every source as what the answer depends on, and says their versions: who has the answer made of them needs no other,
 * unless the `question` asks what time it is. `joined` are the records that the question joins; without it, it may join
 * none.
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
    joined?: readonly Joined[]
  } = {},
): Promise<Dataset> {
  const sources = await sourcesOf(ctx, scope, maxVisibility)
  const dataTypeId = scope.sourceId === undefined ? scope.dataTypeId : sources[0]?.dataTypeId
  if (dataTypeId === undefined) throw new Failure('notFound')
  ctx.about.dataTypeId = dataTypeId
  const sourceIds = sources.map(({ id }) => id)
  // Of another place the hub's own edge does not know what is public.
  const { site } = ctx
  const own = sources.filter(({ placeId }) => site.mode !== 'hub' || placeId === site.placeId)
  dependsOn(ctx, {
    rows: { dataType: [dataTypeId], source: sourceIds },
    shows: { source: own.map(({ id }) => id) },
    ...(scope.sourceId === undefined && { lists: { source: scope.placeId ?? null } }),
  })
  const isNamed = scope.sourceId !== undefined || scope.sourceIds !== undefined
  const asking = scope.placeId ?? null
  // Where those who looked found none, no source shows what its records look like.
  const shownBy = isNamed ? (sources.length ? null : askableDataType(ctx, asking)) : whereVisible(ctx, asking)
  const [dataType, timeZone] = await Promise.all([
    dataTypeOf(ctx, dataTypeId, shownBy),
    timeZoneOf(ctx, scope.placeId ?? (scope.sourceId === undefined ? null : (sources[0]?.placeId ?? null))),
  ])
  if (!dataType) throw new Failure('notFound')
  const versions = sources.map(({ id, dataVersion }) => [`source:${id}`, dataVersion])
  const made = {
    ...Object.fromEntries((joined ?? []).flatMap((each) => each.basis)),
    ...{ [`dataType:${dataTypeId}`]: dataType.version, timeZone, ...Object.fromEntries(versions) },
  }
  await dependsOn(ctx, { versions: made, isOfNow: readsClock(question) })
  countUse(ctx.now(), dataTypeId, dataType.schema, question)
  const readings = readingsOf(dataType, 't')
  const table = dataType.tableName && dataType.columns ? dataTable(dataType.tableName) : emptyTable()
  const spending = spendingOf(ctx, scope)
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
      near: (box) => near(sources, box),
      rows: recordsIn(sources),
      ...(spending.budget && { budget: spending.budget }),
      ...(joined && { joins: { rowId: sql`t.id`, offered: joined.map(({ offered }) => offered) } }),
      ...limits,
    },
    scope: { from: sql`${table} as t`, where: [inSources(sourceIds)] },
  }
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

/** What is wrong with a question, as a Failure. */
export function understood<T>(ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    if (error instanceof QueryError) throw new Failure('invalid', { issues: error.issues, cause: error })
    throw error
  }
}

/** Whose records a statement reads. */
interface StatementScope extends Pick<Spending, 'statementMs'> {
  sourceIds: readonly string[]
  joined?: readonly Pick<Joined, 'sourceIds'>[]
}

/**
 * Runs a statement on the records of a dataset. What only the data could show, such as a number too large, is the question's fault: `invalid`. One
 * that takes longer than a statement may, or more than the database has, is `tooSlow`, and says how to ask for less.
 */
export async function run<Row>(
  ctx: Context,
  dataset: StatementScope,
  statement: RawBuilder<Row>,
): Promise<Row[]> {
  const sources = [dataset, ...(dataset.joined ?? [])].flatMap(({ sourceIds }) => sourceIds)
  try {
    const db = asking(ctx.db.withoutPlugins(), sources, dataset.statementMs)
    const { rows: rows } = await statement.execute(db)
    return rows
  } catch (error) {
    throw refusalOf(codeOf(error), error) ?? error
  }
}

/** SQLSTATE: what a value cannot be (22) or an array cannot hold (54); cancelled after its time (57014), out of room (53). */
function refusalOf(code: string, cause: unknown): Failure | undefined {
  if (code === '57014' || code.startsWith('53')) {
    const say =
      'Something took longer than expected. Ask for less: add filters, group by a coarser bucket, or by fewer values.'
    return new Failure('tooSlow', { say, cause })
  }
  // Columns of fields are looked up: one that is not there was there a moment ago, and its data type has changed since.
  if (code === '42703' && /\bf_/.test(String(cause)))
    return new Failure('unavailable', { say: 'The fields of the data are being changed. Ask again.', cause })
  if (!code.startsWith('22') && !code.startsWith('54')) return undefined
  const message = 'Cannot be computed from this data.'
  return new Failure('invalid', { issues: [{ path: [], message }], cause })
}

/** The database's code for an error; some drivers wrap it in a cause. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause)
}
