import { readCached } from '#functions/platform/cache/cached.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import type { Tier } from '#functions/platform/cache/tier.ts'
import { analytics, toAnswer, type Answer } from '#functions/domain/dataset/dataset.ts'
import { resolveJoins } from '#functions/domain/dataset/joins.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import { getMemberPlaceIds } from '#functions/domain/access/identity.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { readBatched } from '#functions/platform/cache/batch.ts'
import { QueryError } from '#functions/engine/query/error.ts'
import { readsClock } from '#functions/engine/query/index.ts'
import type { Tx, Visibility } from '#db/schema.ts'
import { tryOptionalWrite } from '#db/unavailable.ts'

/** A query with its place, data type and visibility. */
export interface Question {
  placeId: string
  dataTypeId: string
  sourceId: string | null
  visibility: Visibility
  query: Record<string, unknown>
  /** Saved by staff, with their query budget; otherwise the caller's budget applies. */
  isSaved?: boolean
}

/** Answers with more rows are not cached. */
const maxKeptRows = 10_000

/**
 * The sources of a query, by id: none more private than the insight itself, so that all its readers get the same answer
 * and nobody learns of rows that they may not read. A private insight may name a private source. Each with what else its
 * answer depends on: the version of its data type and the place's time zone.
 */
export async function listSources(ctx: Context, question: Omit<Question, 'query'>) {
  const { placeId, dataTypeId, sourceId, visibility } = question
  const level = visibility === 'private' && sourceId === null ? 'place' : visibility
  // A page of figures reads this for each of them, in one batch.
  const read = (keys: string[]) => readSources(ctx, placeId, level, keys.map(parseSelection))
  const key = keyOfWhich({ dataTypeId, sourceId })
  const sources = (await readBatched(ctx, `sources of ${placeId}, ${level}`, key, read)) ?? []
  dependsOn(ctx, { lists: { source: placeId }, shows: { source: sources.map(({ id }) => id) } })
  return sources
}

/** The sources of a data type, or one of them. */
interface SourceSelection {
  dataTypeId: string
  sourceId: string | null
}

const keyOfWhich = ({ dataTypeId, sourceId }: SourceSelection) => JSON.stringify([dataTypeId, sourceId])

function parseSelection(key: string): SourceSelection {
  const [dataTypeId, sourceId] = JSON.parse(key) as [string, string | null]
  return { dataTypeId, sourceId }
}

async function readSources(ctx: Context, placeId: string, level: Visibility, requests: SourceSelection[]) {
  const rows = await ctx.db
    .selectFrom('source')
    .leftJoin('place', 'place.id', 'source.placeId')
    .leftJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .select(['source.id', 'source.dataTypeId', 'source.dataVersion'])
    .select(['dataType.version as typeVersion', 'place.timeZone'])
    .where(whereRowsVisible(ctx, 'source', level))
    .where('source.placeId', '=', placeId)
    .where(({ eb, and, or }) =>
      or(
        requests.map(({ dataTypeId, sourceId }) =>
          and([
            eb('source.dataTypeId', '=', dataTypeId),
            ...(sourceId === null ? [] : [eb('source.id', '=', sourceId)]),
          ]),
        ),
      ),
    )
    .orderBy('source.id')
    .execute()
  return new Map(
    requests.map((which) => [
      keyOfWhich(which),
      rows.filter(
        ({ id, dataTypeId }) =>
          dataTypeId === which.dataTypeId && (which.sourceId === null || id === which.sourceId),
      ),
    ]),
  )
}

/** The dependencies of joined records: only those that all readers may see. */
export async function readJoinedBasis(ctx: Context, { query, placeId, visibility }: Question) {
  const joins = await prefixQueryIssues(() =>
    resolveJoins(ctx, query.joins, { placeId, readers: visibility }),
  )
  return joins.flatMap(({ basis }) => basis)
}

/** Runs a query. Failure `invalid` with paths in `query`. */
export async function ask(ctx: Context, question: Question, sources: { id: string }[]): Promise<Answer> {
  const { placeId, dataTypeId, visibility, query } = question
  const scope = {
    ...{ placeId, dataTypeId, sourceIds: sources.map(({ id }) => id), readers: visibility },
    isSaved: question.isSaved ?? false,
  }
  return prefixQueryIssues(() => analytics(ctx, scope, query))
}

/** Prefixes the paths of issues by `query`. */
async function prefixQueryIssues<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isInvalid = error instanceof QueryError || (error instanceof Failure && error.kind === 'invalid')
    if (!isInvalid) throw error
    const issues = error.issues.map((issue) => ({ ...issue, path: ['query', ...issue.path] }))
    throw new Failure('invalid', { issues, cause: error })
  }
}

type QuestionSources = Awaited<ReturnType<typeof listSources>>

type JoinedBasis = Awaited<ReturnType<typeof readJoinedBasis>>

/** The format of cached answers; raised where it changes, which invalidates older ones. 3: the days that the data cover. */
const answerFormat = '3'

/** The key of a cached answer: everything in `buildBasis`, and the version of the query. */
export function buildVersionKey(version: number, sources: QuestionSources, joinBasis: JoinedBasis): string {
  const basis = Object.entries(buildBasis(sources, joinBasis)).map(([name, value]) => `${name}@${value}`)
  return [`${answerFormat}v${version}`, ...basis].join(';')
}

/** The dependencies of an answer besides its query: data types, the place's time zone, and the data version of each source. */
function buildBasis(sources: QuestionSources, joinBasis: JoinedBasis): Record<string, number | string> {
  const [first] = sources
  if (!first) return Object.fromEntries(joinBasis)
  return {
    ...Object.fromEntries(joinBasis),
    [`dataType:${first.dataTypeId}`]: first.typeVersion ?? 0,
    timeZone: first.timeZone ?? 'UTC',
    ...Object.fromEntries(sources.map(({ id, dataVersion }) => [`source:${id}`, dataVersion])),
  }
}

/** Caches an answer in the database. */
export async function storeAnswer(
  tx: Tx | Context['db'],
  ctx: Context,
  insight: { id: string; placeId: string },
  versionKey: string,
  { output, results }: Answer,
): Promise<void> {
  if (results.length > maxKeptRows) return
  const storedAnswer = {
    versionKey,
    output: JSON.stringify(output),
    rows: JSON.stringify(results),
    computedAt: ctx.now(),
  }
  await tx
    .insertInto('insightResult')
    .values({ insightId: insight.id, placeId: insight.placeId, ...storedAnswer })
    .onConflict((conflict) => conflict.column('insightId').doUpdateSet(storedAnswer))
    .execute()
}

/**
 * The answer of a saved insight: the cached one if nothing has changed since, otherwise computed, and cached where the
 * actor may write.
 */
export async function readAnswer(
  ctx: Context,
  insight: Question & { id: string; version: number },
): Promise<Answer> {
  dependsOn(ctx, { shows: { insight: [insight.id] } })
  const sources = await listSources(ctx, insight)
  const writes: Promise<unknown>[] = []
  const result = await readCached<Answer, Answer>({
    key: await buildAnswerKey(ctx, insight, sources, await readJoinedBasis(ctx, insight)),
    tiers: [resultTier(ctx, insight)],
    // Answers depend on the row-level security of this actor, so nothing is shared with other requests.
    ...{ memory: null, singleFlight: null },
    make: () => ask(ctx, { ...insight, isSaved: true }, sources),
    toCacheable: async (answer) => ({ value: answer, made: answer }),
    later: (work) => void writes.push(work),
  })
  await Promise.all(writes)
  return 'made' in result ? result.made : result.value
}

/** The cache tier of an insight's answers in the database, by version key. */
function resultTier(ctx: Context, insight: { id: string; placeId: string }): Tier<Answer> {
  return {
    name: 'database',
    async get(versionKey) {
      const storedAnswer = await findStoredAnswer(ctx, insight.id, versionKey)
      return storedAnswer ? toAnswer(storedAnswer.rows, storedAnswer.output) : null
    },
    async put(versionKey, answer) {
      if (mayKeep(ctx, insight.placeId))
        await tryOptionalWrite(storeAnswer(ctx.db, ctx, insight, versionKey, answer))
    },
  }
}

/** The cached answer of an insight under a version key; undefined when there is none. */
function findStoredAnswer(ctx: Context, insightId: string, versionKey: string) {
  return readBatched(ctx, 'kept answer', JSON.stringify([insightId, versionKey]), async (keys) => {
    const pairs = keys.map((key) => JSON.parse(key) as [insightId: string, versionKey: string])
    const rows = await ctx.db
      .selectFrom('insightResult')
      .select(['insightId', 'versionKey', 'output', 'rows'])
      .where(({ eb, or, and }) =>
        or(pairs.map(([id, key]) => and([eb('insightId', '=', id), eb('versionKey', '=', key)]))),
      )
      .execute()
    return new Map(rows.map((row) => [JSON.stringify([row.insightId, row.versionKey]), row]))
  })
}

/** The version key of an answer: where the query uses the current time, it changes every minute. */
async function buildAnswerKey(
  ctx: Context,
  { id, version, query }: Question & { id: string; version: number },
  sources: QuestionSources,
  joinBasis: JoinedBasis,
): Promise<string> {
  const key = buildVersionKey(version, sources, joinBasis)
  const isOfNow = readsClock(query)
  await dependsOn(ctx, {
    versions: { [`insight:${id}`]: version, ...buildBasis(sources, joinBasis) },
    isOfNow,
  })
  return isOfNow ? `${key};${ctx.now().toISOString().slice(0, 16)}` : key
}

function mayKeep({ actor }: Context, placeId: string): boolean {
  return (
    actor.kind === 'system' ||
    actor.user?.role === 'super_admin' ||
    getMemberPlaceIds(actor).includes(placeId)
  )
}
