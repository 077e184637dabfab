import { sql } from 'kysely'
import { record } from '#functions/domain/activity/activity.ts'
import { answerOf, ask, joinedOf, keepAnswer, sourcesOf, versionKeyOf } from './answers.ts'
import { param, placeOf, type NounRequest } from '#functions/domain/noun/requests.ts'
import { withIncludes } from '#functions/domain/noun/includes.ts'
import { requireQuestion } from './insightQuestion.ts'
import { requireFit, subjectOf, withSentence } from './insightSubject.ts'
import { insertNew } from '#functions/domain/noun/newId.ts'
import { emit, write } from '#functions/domain/outbox/outbox.ts'
import {
  by,
  whereFiltered,
  listPage,
  whereSearched,
  buildOrder,
  total,
} from '#functions/domain/noun/paging.ts'
import { bringBack, gone } from '#functions/domain/noun/restore.ts'
import {
  conflict,
  expectVersion,
  fresh,
  bumpVersion,
  withoutUndefined,
} from '#functions/domain/noun/versions.ts'
import { dependOn, many, some } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { readRowBatched } from '#functions/platform/cache/batch.ts'
import { suited } from '#functions/engine/picture/subject.ts'
import { readsClock } from '#functions/engine/query/index.ts'
import type { Output } from '#functions/shapes/analytics.ts'
import type {
  InsightAnalyticsOptions,
  InsightChanges,
  InsightTest,
  NewInsight,
} from '#functions/shapes/insight.ts'
import type { OneOptions, RestorableOptions } from '#functions/shapes/options.ts'

const columns = [
  'insight.id',
  'insight.placeId',
  'insight.name',
  'insight.notes',
  'insight.visibility',
  'insight.dataTypeId',
  'insight.sourceId',
  'insight.visualization',
  'insight.query',
  'insight.version',
  'insight.createdAt',
  'insight.updatedAt',
] as const

/** What the kept answer looks like; null until the question was asked once. */
const output = sql<Output | null>`(select r.output from insight_result r
  where r.insight_id = ${sql.ref('insight.id')})`.as('output')

/** The zone of its place, which the dates of its answer are told in. */
const timeZone = sql<
  string | null
>`(select p.time_zone from place p where p.id = ${sql.ref('insight.placeId')})`.as('timeZone')

/** The insights of a place (or of all places) that the actor may see, by name. */
export async function find(ctx: Context, asked: NounRequest<RestorableOptions>) {
  const { search, filters, orderings, maxVisibility, visibility, includes, deleted, ...cut } = asked.options
  const { placeId } = asked.params
  const which = deleted
    ? await gone(ctx, 'insight', placeId)
    : many(ctx, 'insight', placeId ?? null, maxVisibility)
  const query = ctx.db
    .selectFrom('insight')
    .select([...columns, output, total])
    .where(which)
    .where(whereSearched(search, ['insight.name', 'insight.notes']))
    .where(whereFiltered(filters, 'insight'))
    .$if(visibility !== undefined, (q) => q.where('insight.visibility', '=', visibility as 'public'))
  const found = await listPage(ctx, query, buildOrder(orderings, 'insight', [by('name')]), cut)
  const scope = { placeId: asked.params.placeId ?? null, maxVisibility }
  return { ...found, results: await withIncludes(ctx, 'insight', found.results, includes, scope) }
}

/** One insight; undefined when there is none that the actor may see. */
export async function findById(ctx: Context, asked: NounRequest<OneOptions>) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const scope = { placeId: asked.params.placeId ?? null }
  const [insight] = await withIncludes(ctx, 'insight', [row], asked.options.includes, scope)
  return insight
}

/** Saves a question. It is asked before it is saved, so a saved one can always be answered. */
export async function create(ctx: Context, asked: NounRequest<unknown, NewInsight>) {
  const { data } = asked
  const placeId = placeOf(asked)
  const question = {
    placeId,
    dataTypeId: data.dataTypeId,
    sourceId: data.sourceId ?? null,
    visibility: data.visibility ?? 'place',
    query: data.query,
  } as const
  await requireQuestion(ctx, question)
  const sources = await sourcesOf(ctx, question)
  const joined = await joinedOf(ctx, question)
  const answer = await ask(ctx, question, sources)
  requireFit(data.visualization, answer.output)
  const id = await write(ctx, async (tx) => {
    const row = {
      ...withoutUndefined(toStored(data)),
      ...{ placeId, name: data.name, dataTypeId: data.dataTypeId },
      ...{ sourceId: question.sourceId, visibility: question.visibility },
      visualization: JSON.stringify(data.visualization),
      query: JSON.stringify(data.query),
      ...fresh(ctx),
    }
    const id = await insertNew(tx, ctx, { noun: 'insight', placeId, given: data.id }, (free) =>
      tx
        .insertInto('insight')
        .values({ ...row, id: free })
        .onConflict((c) => c.column('id').doNothing())
        .executeTakeFirst(),
    )
    await keepAnswer(tx, ctx, { id, placeId }, versionKeyOf(1, sources, joined), answer)
    await record(tx, ctx, { verb: 'created', type: 'insight', id, name: data.name, placeId })
    await emit(tx, { kind: 'insight', placeId, payload: { id } })
    return id
  })
  return get(ctx, { params: { insightId: id }, placeId })
}

/** Changes an insight; its data type stays. The question is asked again before it is saved. */
export async function updateById(ctx: Context, asked: NounRequest<unknown, InsightChanges>) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const { version, ...changes } = asked.data
  expectVersion(ctx, version, row)
  const { id, placeId } = row
  const question = {
    placeId,
    dataTypeId: row.dataTypeId,
    sourceId: row.sourceId,
    visibility: changes.visibility ?? row.visibility,
    query: changes.query ?? row.query,
  }
  await requireQuestion(ctx, question)
  const sources = await sourcesOf(ctx, question)
  const joined = await joinedOf(ctx, question)
  const answer = await ask(ctx, question, sources)
  // What was saved before may stay as it is: a page then shows it as it can
  if (changes.visualization || changes.query)
    requireFit(changes.visualization ?? row.visualization, answer.output)
  await write(ctx, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('insight')
      .set({ ...withoutUndefined(toStored(changes)), ...bumpVersion(ctx, row) })
      .where('id', '=', id)
      .where('version', '=', row.version)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw conflict(row.version, null)
    await keepAnswer(tx, ctx, row, versionKeyOf(row.version + 1, sources, joined), answer)
    await record(tx, ctx, { verb: 'updated', type: 'insight', id, name: changes.name ?? row.name, placeId })
    await emit(tx, { kind: 'insight', placeId, payload: { id } })
  })
  return get(ctx, asked)
}

/** Brings back what was deleted up to 30 days ago; undefined when there is nothing to bring back. */
export async function restore(ctx: Context, asked: NounRequest) {
  return (await bringBack(ctx, 'insight', asked)) ? get(ctx, asked) : undefined
}

/** Puts an insight away. */
export async function deleteById(ctx: Context, asked: NounRequest) {
  const row = await get(ctx, asked)
  if (!row) return undefined
  const { id, name, placeId } = row
  await write(ctx, async (tx) => {
    await tx
      .updateTable('insight')
      .set({ deletedAt: ctx.now(), ...bumpVersion(ctx, row) })
      .where('id', '=', id)
      .execute()
    await record(tx, ctx, { verb: 'deleted', type: 'insight', id, name, placeId })
    await emit(tx, { kind: 'insight', placeId, payload: { id } })
  })
  return { id }
}

/** The answer of a saved insight. A reader may filter further, page, and choose the time zone; nothing else. */
export async function analytics(ctx: Context, asked: NounRequest<InsightAnalyticsOptions>) {
  const row = await getAsked(ctx, asked)
  if (!row) return undefined
  const { filters, ...overrides } = withoutUndefined(asked.options)
  if (filters === undefined && Object.keys(overrides).length === 0) {
    const answer = await answerOf(ctx, row)
    return withSentence(answer, subjectOf(row, answer))
  }
  const both = [row.query.filters, filters].filter((part) => part !== undefined && part !== null)
  const query = {
    ...row.query,
    ...overrides,
    ...(both.length && { filters: both.length === 1 ? both[0] : both }),
  }
  await ctx.basis({ [`insight:${row.id}`]: row.version }, readsClock(query))
  const answer = await ask(ctx, { ...row, query }, await sourcesOf(ctx, row))
  return withSentence(answer, subjectOf({ ...row, query }, answer))
}

/**
 * Asks a question without saving it: of the sources of the data type that all in this place may see, or of one that the
 * actor may see. Gives its answer, the sentence that says it, and its drawing: as asked, else as tells most.
 */
export async function test(ctx: Context, asked: NounRequest<unknown, InsightTest>) {
  const { dataTypeId, sourceId = null, query, visualization } = asked.data
  const question = { placeId: placeOf(asked), dataTypeId, sourceId, visibility: 'private' as const, query }
  await requireQuestion(ctx, question)
  const sources = await sourcesOf(ctx, question)
  const answer = await ask(ctx, question, sources)
  const [timeZone = null] = sources.map((source) => source.timeZone)
  const shown = { ...(visualization ?? suited(answer.output)) }
  const subject = subjectOf({ name: '', visualization: shown, query, timeZone }, answer)
  // It brings the geometry of maps, which no other question needs
  const { drawingOf } = await import('#functions/engine/picture/drawing.ts')
  const { drawnAs, why, spec } = await drawingOf(ctx.tiles, subject)
  return { ...withSentence(answer, subject), visualization: drawnAs, why, spec }
}

/** What of a new insight its shape does not say: whether its question can be asked. */
export async function check(ctx: Context, asked: NounRequest<unknown, Partial<NewInsight>>) {
  const { dataTypeId, sourceId = null, query, visibility = 'place', visualization } = asked.data
  if (dataTypeId === undefined || query === undefined) return
  const question = { placeId: placeOf(asked), dataTypeId, sourceId, visibility, query }
  await requireQuestion(ctx, question)
  const answer = await ask(ctx, question, await sourcesOf(ctx, question))
  if (visualization) requireFit(visualization, answer.output)
}

function get(ctx: Context, asked: Pick<NounRequest, 'params' | 'placeId'>) {
  const { placeId } = asked
  const id = param(asked, 'insightId')
  // Several may be read together, by the request of one of them
  dependOn(ctx, 'insight', id)
  return readRowBatched(ctx, `insight of ${placeId}`, id, (ids) =>
    insightsOf(ctx, ids, placeId)
      .select([...columns, output])
      .execute(),
  )
}

/** The insight that a path names with its place's time zone; undefined when there is none that the actor may see. */
export function getAsked(ctx: Context, asked: Pick<NounRequest, 'params' | 'placeId'>) {
  const { placeId } = asked
  const id = param(asked, 'insightId')
  dependOn(ctx, 'insight', id)
  return readRowBatched(ctx, `asked insight of ${placeId}`, id, (ids) =>
    insightsOf(ctx, ids, placeId)
      .select([...columns, timeZone])
      .execute(),
  )
}

const insightsOf = (ctx: Context, ids: string[], placeId: string | null) =>
  ctx.db.selectFrom('insight').where(some(ctx, 'insight', ids, placeId))

function toStored({ visualization, query, ...rest }: Omit<InsightChanges, 'version'>) {
  return {
    ...rest,
    visualization: visualization && JSON.stringify(visualization),
    query: query && JSON.stringify(query),
  }
}
