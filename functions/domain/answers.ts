import { analytics } from './dataset.ts'
import { seen } from './visible.ts'
import { placesOf } from '../access/identity-of.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { QueryError } from '../query/error.ts'
import { readsClock } from '../query/index.ts'
import type { AnswerRow, Output } from '../shapes/analytics.ts'
import type { Tx, Visibility } from '#db/schema.ts'

/** A question with what it is asked of. */
export interface Question {
  placeId: string
  dataTypeId: string
  sourceId: string | null
  visibility: Visibility
  query: Record<string, unknown>
}

/** What a question gave: rows by alias, and what its columns are. */
export interface Answer {
  results: AnswerRow[]
  output: Output
  meta: { results: number; total: number; schema: Output['schema'] }
}

/** The most rows of an answer that are kept; longer ones are asked again. */
const maxKeptRows = 10_000

/**
 * The sources a question is asked of, by id: no more closed than the insight itself, so that everyone who sees it
 * gets the same answer and no one learns of rows that he may not read. A private insight may name a private source.
 */
export async function sourcesOf(ctx: Context, question: Omit<Question, 'query'>) {
  const { placeId, dataTypeId, sourceId, visibility } = question
  const level = visibility === 'private' && sourceId === null ? 'place' : visibility
  const sources = await ctx.db
    .selectFrom('source')
    .select(['id', 'dataVersion'])
    .where(seen(ctx, 'source', level))
    .where('placeId', '=', placeId)
    .where('dataTypeId', '=', dataTypeId)
    .$if(sourceId !== null, (q) => q.where('id', '=', sourceId as string))
    .orderBy('id')
    .execute()
  ctx.depends.add(`sources:${placeId}`)
  for (const { id } of sources) ctx.depends.add(`source:${id}`)
  return sources
}

/** Asks now. Failure `invalid` says where in `query` it cannot be understood. */
export async function ask(ctx: Context, question: Question, sources: { id: string }[]): Promise<Answer> {
  const { placeId, dataTypeId, query } = question
  try {
    return await analytics(ctx, { placeId, dataTypeId, sourceIds: sources.map(({ id }) => id) }, query)
  } catch (error) {
    const isInvalid = error instanceof QueryError || (error instanceof Failure && error.kind === 'invalid')
    if (!isInvalid) throw error
    const issues = error.issues.map((issue) => ({ ...issue, path: ['query', ...issue.path] }))
    throw new Failure('invalid', { issues, cause: error })
  }
}

/** Names the state of the world an answer holds for: the question's version and the version of each source's data. */
export function versionKeyOf(version: number, sources: { id: string; dataVersion: number }[]): string {
  return [`v${version}`, ...sources.map(({ id, dataVersion }) => `${id}@${dataVersion}`)].join(';')
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
  const kept = {
    versionKey,
    output: JSON.stringify(output),
    rows: JSON.stringify(results),
    computedAt: ctx.now(),
  }
  await tx
    .insertInto('insightResult')
    .values({ insightId: insight.id, placeId: insight.placeId, ...kept })
    .onConflict((conflict) => conflict.column('insightId').doUpdateSet(kept))
    .execute()
}

/** The answer of a saved insight: the kept one if nothing has changed since, else asked anew and kept where the actor may write. */
export async function answerOf(
  ctx: Context,
  insight: Question & { id: string; version: number },
): Promise<Answer> {
  const sources = await sourcesOf(ctx, insight)
  const versionKey = await keyOf(ctx, insight, sources)
  const kept = await ctx.db
    .selectFrom('insightResult')
    .select(['output', 'rows'])
    .where('insightId', '=', insight.id)
    .where('versionKey', '=', versionKey)
    .executeTakeFirst()
  if (kept) {
    const output = kept.output as unknown as Output
    const count = kept.rows.length
    return { results: kept.rows, output, meta: { results: count, total: count, schema: output.schema } }
  }
  const answer = await ask(ctx, insight, sources)
  if (mayKeep(ctx, insight.placeId)) await keepAnswer(ctx.db, ctx, insight, versionKey, answer)
  return answer
}

/** The state of the world an answer holds for: where the question asks what time it is, for no longer than a minute. */
async function keyOf(
  ctx: Context,
  { id, version, query }: Question & { id: string; version: number },
  sources: { id: string; dataVersion: number }[],
): Promise<string> {
  const key = versionKeyOf(version, sources)
  if (readsClock(query)) return `${key};${ctx.now().toISOString().slice(0, 16)}`
  await ctx.basis({ [`insight:${id}`]: key })
  return key
}

function mayKeep({ actor }: Context, placeId: string): boolean {
  return actor.kind === 'system' || actor.user?.role === 'super_admin' || placesOf(actor).includes(placeId)
}
