import { readCached } from '#functions/platform/cache/cached.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import type { Tier } from '#functions/platform/cache/tier.ts'
import { analytics, toAnswer, type Answer } from '#functions/domain/dataset/dataset.ts'
import { joinedBy } from '#functions/domain/dataset/joins.ts'
import { whereSeen } from '#functions/domain/noun/visible.ts'
import { placesOf } from '#functions/domain/access/identity-of.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { readBatched } from '#functions/platform/cache/batch.ts'
import { QueryError } from '#functions/engine/query/error.ts'
import { readsClock } from '#functions/engine/query/index.ts'
import type { Tx, Visibility } from '#db/schema.ts'
import { madeIfPossible } from '#db/unavailable.ts'

/** A question with what it is asked of. */
export interface Question {
  placeId: string
  dataTypeId: string
  sourceId: string | null
  visibility: Visibility
  query: Record<string, unknown>
  /** Staff has saved it; without it whoever asks pays for it. */
  isSaved?: boolean
}

/** The most rows of an answer that are kept; longer ones are asked again. */
const maxKeptRows = 10_000

/**
 * The sources a question is asked of, by id: no more closed than the insight itself, so that everyone who sees it
 * gets the same answer and no one learns of rows that he may not read. A private insight may name a private source. Each
 * with what else an answer of its records is made of: the version of their data type and the place's time zone.
 */
export async function sourcesOf(ctx: Context, question: Omit<Question, 'query'>) {
  const { placeId, dataTypeId, sourceId, visibility } = question
  const level = visibility === 'private' && sourceId === null ? 'place' : visibility
  // A page of figures asks this of every one of them
  const read = (keys: string[]) => readSources(ctx, placeId, level, keys.map(whichOf))
  const key = keyOfWhich({ dataTypeId, sourceId })
  const sources = (await readBatched(ctx, `sources of ${placeId}, ${level}`, key, read)) ?? []
  dependsOn(ctx, { lists: { source: placeId }, shows: { source: sources.map(({ id }) => id) } })
  return sources
}

/** The sources of a data type, or one of them. */
interface Which {
  dataTypeId: string
  sourceId: string | null
}

const keyOfWhich = ({ dataTypeId, sourceId }: Which) => JSON.stringify([dataTypeId, sourceId])

function whichOf(key: string): Which {
  const [dataTypeId, sourceId] = JSON.parse(key) as [string, string | null]
  return { dataTypeId, sourceId }
}

async function readSources(ctx: Context, placeId: string, level: Visibility, requests: Which[]) {
  const rows = await ctx.db
    .selectFrom('source')
    .leftJoin('place', 'place.id', 'source.placeId')
    .leftJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .select(['source.id', 'source.dataTypeId', 'source.dataVersion'])
    .select(['dataType.version as typeVersion', 'place.timeZone'])
    .where(whereSeen(ctx, 'source', level))
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

/** What the records that a question joins are made of: only such as all its readers may see. */
export async function joinedOf(ctx: Context, { query, placeId, visibility }: Question) {
  const joins = await inQuery(() => joinedBy(ctx, query.joins, { placeId, readers: visibility }))
  return joins.flatMap(({ basis }) => basis)
}

/** Asks now. Failure `invalid` says where in `query` it cannot be understood. */
export async function ask(ctx: Context, question: Question, sources: { id: string }[]): Promise<Answer> {
  const { placeId, dataTypeId, visibility, query } = question
  const scope = {
    ...{ placeId, dataTypeId, sourceIds: sources.map(({ id }) => id), readers: visibility },
    isSaved: question.isSaved ?? false,
  }
  return inQuery(() => analytics(ctx, scope, query))
}

/** What is wrong with a question is said where it stands: in `query`. */
async function inQuery<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isInvalid = error instanceof QueryError || (error instanceof Failure && error.kind === 'invalid')
    if (!isInvalid) throw error
    const issues = error.issues.map((issue) => ({ ...issue, path: ['query', ...issue.path] }))
    throw new Failure('invalid', { issues, cause: error })
  }
}

type QuestionSources = Awaited<ReturnType<typeof sourcesOf>>

type JoinedBasis = Awaited<ReturnType<typeof joinedOf>>

/** What kept answers say of themselves has changed: those of before are asked again. 3: which days the data cover. */
const answerFormat = '3'

/** Names the state of the world an answer holds for: all that `basisOf` names, and the question's version. */
export function versionKeyOf(version: number, sources: QuestionSources, joinBasis: JoinedBasis): string {
  const basis = Object.entries(basisOf(sources, joinBasis)).map(([name, value]) => `${name}@${value}`)
  return [`${answerFormat}v${version}`, ...basis].join(';')
}

/** What an answer is made of besides its question: data types, the place's time zone, and the data of each source. */
function basisOf(sources: QuestionSources, joinBasis: JoinedBasis): Record<string, number | string> {
  const [first] = sources
  if (!first) return Object.fromEntries(joinBasis)
  return {
    ...Object.fromEntries(joinBasis),
    [`dataType:${first.dataTypeId}`]: first.typeVersion ?? 0,
    timeZone: first.timeZone ?? 'UTC',
    ...Object.fromEntries(sources.map(({ id, dataVersion }) => [`source:${id}`, dataVersion])),
  }
}

/** Keeps an answer for the next reader. */
export async function keepAnswer(
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

/** The answer of a saved insight: the kept one if nothing has changed since, else asked anew and kept where the actor may write. */
export async function answerOf(
  ctx: Context,
  insight: Question & { id: string; version: number },
): Promise<Answer> {
  dependsOn(ctx, { shows: { insight: [insight.id] } })
  const sources = await sourcesOf(ctx, insight)
  const writes: Promise<unknown>[] = []
  const result = await readCached<Answer, Answer>({
    key: await keyOf(ctx, insight, sources, await joinedOf(ctx, insight)),
    tiers: [resultTier(ctx, insight)],
    // The answer is of what this actor's statements may see: it is asked by itself.
    ...{ memory: null, singleFlight: null },
    make: () => ask(ctx, { ...insight, isSaved: true }, sources),
    keep: async (answer) => ({ value: answer, made: answer }),
    later: (work) => void writes.push(work),
  })
  await Promise.all(writes)
  return 'made' in result ? result.made : result.value
}

/** The answers that the database keeps of an insight, by the state of the world they hold for. */
function resultTier(ctx: Context, insight: { id: string; placeId: string }): Tier<Answer> {
  return {
    name: 'database',
    async get(versionKey) {
      const storedAnswer = await keptOf(ctx, insight.id, versionKey)
      return storedAnswer ? toAnswer(storedAnswer.rows, storedAnswer.output) : null
    },
    async put(versionKey, answer) {
      if (mayKeep(ctx, insight.placeId))
        await madeIfPossible(keepAnswer(ctx.db, ctx, insight, versionKey, answer))
    },
  }
}

/** The kept answer of an insight in a state of the world; undefined when there is none. */
function keptOf(ctx: Context, insightId: string, versionKey: string) {
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

/** The state of the world an answer holds for: where the question asks what time it is, for no longer than a minute. */
async function keyOf(
  ctx: Context,
  { id, version, query }: Question & { id: string; version: number },
  sources: QuestionSources,
  joinBasis: JoinedBasis,
): Promise<string> {
  const key = versionKeyOf(version, sources, joinBasis)
  const isOfNow = readsClock(query)
  await dependsOn(ctx, { versions: { [`insight:${id}`]: version, ...basisOf(sources, joinBasis) }, isOfNow })
  return isOfNow ? `${key};${ctx.now().toISOString().slice(0, 16)}` : key
}

function mayKeep({ actor }: Context, placeId: string): boolean {
  return actor.kind === 'system' || actor.user?.role === 'super_admin' || placesOf(actor).includes(placeId)
}
