import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sql } from 'kysely'
import { readAnswer, ask, readJoinedBasis, storeAnswer, listSources, buildVersionKey } from './answers.ts'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { requireOpenRegions, requireQuestion } from './insight-question.ts'
import { requireFit, toPictureSubject, withSentence } from './insight-subject.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { sortBy } from '#functions/domain/noun/paging.ts'
import { createPlacedNoun, type OneRequest } from '#functions/domain/noun/placed-noun.ts'
import { announceAs, updateKnown, versionedRows } from '#functions/domain/noun/rows.ts'
import { withoutUndefined } from '#functions/domain/noun/versions.ts'
import { whereSomeVisible } from '#functions/domain/noun/visible.ts'
import type { Visibility } from '#db/schema.ts'
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

const columns = [
  'insight.id',
  'insight.placeId',
  'insight.name',
  'insight.notes',
  'insight.visibility',
  'insight.tags',
  'insight.dataTypeId',
  'insight.sourceId',
  'insight.visualization',
  'insight.query',
  'insight.version',
  'insight.createdAt',
  'insight.updatedAt',
] as const

/** The columns of the cached answer; null before the first run. */
const output = sql<Output | null>`(select r.output from insight_result r
  where r.insight_id = ${sql.ref('insight.id')})`.as('output')

/** The time zone of its place, for the dates of its answer. */
const timeZone = sql<
  string | null
>`(select p.time_zone from place p where p.id = ${sql.ref('insight.placeId')})`.as('timeZone')

const rows = versionedRows(
  'insight',
  announceAs('insight', ({ name }: { name: string; visibility: Visibility }) => name, {
    kind: 'insight',
    isListed: ({ visibility }) => visibility === 'public',
  }),
)

const insights = createPlacedNoun({
  noun: 'insight',
  select: ({ db }: Context) => db.selectFrom('insight').select([...columns, output]),
  listing: { order: [sortBy('name')], searchColumns: ['insight.name', 'insight.notes'] },
  rows,
  get: (ctx, request) =>
    readInsight(ctx, request, 'with output', (rows) => rows.select([...columns, output]).execute()),
})

export const { find, findById, deleteById, restore } = insights

/** Creates an insight. Its query is run before it is saved, so that a saved one can always be answered. */
export async function create(ctx: Context, request: NounRequest<unknown, NewInsight>) {
  const { data } = request
  const placeId = requirePlaceId(request)
  const question = {
    placeId,
    dataTypeId: data.dataTypeId,
    sourceId: data.sourceId ?? null,
    visibility: data.visibility ?? 'place',
    query: data.query,
  } as const
  await requireQuestion(ctx, question)
  await requireOpenRegions(ctx, data.visualization, question.visibility)
  const sources = await listSources(ctx, question)
  const joinBasis = await readJoinedBasis(ctx, question)
  const answer = await ask(ctx, question, sources)
  requireFit(data.visualization, answer.output)
  const { id: value, visualization, query, ...settings } = data
  const id = await write(ctx, async (tx) => {
    const values = {
      ...{ ...settings, placeId, sourceId: question.sourceId, visibility: question.visibility },
      visualization: JSON.stringify(visualization),
      query: JSON.stringify(query),
    }
    const id = await rows.insert(tx, ctx, values, { chosenId: value })
    await storeAnswer(tx, ctx, { id, placeId }, buildVersionKey(1, sources, joinBasis), answer)
    return id
  })
  return insights.get(ctx, { params: { insightId: id }, placeId })
}

/** Updates an insight, except its data type. The query is run again before it is saved. */
export async function updateById(ctx: Context, request: NounRequest<unknown, InsightChanges>) {
  return updateKnown(
    ctx,
    request.data,
    () => insights.get(ctx, request),
    (row, changes) => update(ctx, row, changes),
  )
}

async function update(
  ctx: Context,
  row: NonNullable<Awaited<ReturnType<typeof insights.get>>>,
  changes: InsightChanges,
): Promise<void> {
  const { visualization: _visualization, query: _query, version: _version, ...settings } = changes
  const question = {
    placeId: row.placeId,
    dataTypeId: row.dataTypeId,
    sourceId: row.sourceId,
    visibility: changes.visibility ?? row.visibility,
    query: changes.query ?? row.query,
  }
  await requireQuestion(ctx, question)
  if (changes.visualization || changes.visibility)
    await requireOpenRegions(ctx, changes.visualization ?? row.visualization, question.visibility)
  const sources = await listSources(ctx, question)
  const joinBasis = await readJoinedBasis(ctx, question)
  const answer = await ask(ctx, question, sources)
  // An unchanged visualization need not fit any more: pages then render it as well as possible.
  if (changes.visualization || changes.query)
    requireFit(changes.visualization ?? row.visualization, answer.output)
  await write(ctx, async (tx) => {
    await rows.update(tx, ctx, row, { ...settings, ...toStored(changes) })
    await storeAnswer(tx, ctx, row, buildVersionKey(row.version + 1, sources, joinBasis), answer)
  })
}

/** The answer of a saved insight. Readers may only add filters, page, and choose the time zone. */
export async function analytics(ctx: Context, request: NounRequest<InsightAnalyticsOptions>) {
  const row = await getWithTimeZone(ctx, request)
  if (!row) return undefined
  const { filters, ...overrides } = withoutUndefined(request.options)
  if (filters === undefined && Object.keys(overrides).length === 0) {
    const answer = await readAnswer(ctx, row)
    return withSentence(answer, toPictureSubject(row, answer))
  }
  const both = [row.query.filters, filters].filter((part) => part !== undefined && part !== null)
  const query = {
    ...row.query,
    ...overrides,
    ...(both.length && { filters: both.length === 1 ? both[0] : both }),
  }
  await dependsOn(ctx, { versions: { [`insight:${row.id}`]: row.version }, isOfNow: readsClock(query) })
  const answer = await ask(ctx, { ...row, query }, await listSources(ctx, row))
  return withSentence(answer, toPictureSubject({ ...row, query }, answer))
}

/**
 * Runs a query without saving it: on the sources of the data type that everyone in this place may see, or on one that
 * the actor may see. Returns its answer, a sentence that states it, and its drawing: the requested one, or else the most
 * informative.
 */
export async function test(ctx: Context, request: NounRequest<unknown, InsightTest>) {
  const { dataTypeId, sourceId = null, query, visualization } = request.data
  const question = {
    placeId: requirePlaceId(request),
    dataTypeId,
    sourceId,
    visibility: 'private' as const,
    query,
  }
  await requireQuestion(ctx, question)
  const sources = await listSources(ctx, question)
  const answer = await ask(ctx, question, sources)
  const [timeZone = null] = sources.map((source) => source.timeZone)
  const defaults = { ...(visualization ?? suited(answer.output)) }
  const subject = toPictureSubject({ name: '', visualization: defaults, query, timeZone }, answer)
  // Loads the geometry of maps, which no other query needs.
  const { buildDrawing } = await import('#functions/engine/picture/drawing.ts')
  const { drawnAs, why, spec } = await buildDrawing(ctx.tiles, subject)
  return { ...withSentence(answer, subject), visualization: drawnAs, why, spec }
}

/** Validates what the schema of a new insight cannot: whether its query can be run. */
export async function check(ctx: Context, request: NounRequest<unknown, Partial<NewInsight>>) {
  const { dataTypeId, sourceId = null, query, visibility = 'place', visualization } = request.data
  if (dataTypeId === undefined || query === undefined) return
  const question = { placeId: requirePlaceId(request), dataTypeId, sourceId, visibility, query }
  await requireQuestion(ctx, question)
  if (visualization) await requireOpenRegions(ctx, visualization, visibility)
  const answer = await ask(ctx, question, await listSources(ctx, question))
  if (visualization) requireFit(visualization, answer.output)
}

/** The insight in the path with its place's time zone; undefined when there is none that the actor may see. */
export function getWithTimeZone(ctx: Context, request: OneRequest) {
  return readInsight(ctx, request, 'with time zone', (rows) => rows.select([...columns, timeZone]).execute())
}

/** Reads some columns of an insight, identified by `name`; concurrent reads are batched. */
function readInsight<Row extends { id: string }>(
  ctx: Context,
  request: OneRequest,
  name: string,
  read: (rows: ReturnType<typeof selectInsights>) => Promise<Row[]>,
): Promise<Row | undefined> {
  const { placeId } = request
  const id = param(request, 'insightId')
  dependsOn(ctx, { rows: { insight: [id] } })
  return readRowBatched(ctx, `insight ${name} of ${placeId}`, id, (ids) =>
    read(selectInsights(ctx, ids, placeId)),
  )
}

const selectInsights = (ctx: Context, ids: string[], placeId: string | null) =>
  ctx.db.selectFrom('insight').where(whereSomeVisible(ctx, 'insight', ids, placeId))

/** The JSON parts of an insight as text for the database. */
function toStored({ visualization, query }: Pick<InsightChanges, 'visualization' | 'query'>) {
  return {
    ...(visualization && { visualization: JSON.stringify(visualization) }),
    ...(query && { query: JSON.stringify(query) }),
  }
}
