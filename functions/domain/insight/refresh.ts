import { readAnswer } from './answers.ts'
import type { Context } from '#functions/context.ts'

/**
 * Refreshes the cached answers of a place's insights that are outdated; returns how many succeeded. One that fails (its
 * field was removed) is reported and does not stop the others; after the time limit the rest is left to the pages that
 * show them. Must run as the system actor.
 */
export async function refreshAnswers(
  ctx: Context,
  placeId: string,
  isOver: () => boolean = () => false,
): Promise<number> {
  const insights = await ctx.db
    .selectFrom('insight')
    .select(['id', 'placeId', 'dataTypeId', 'sourceId', 'visibility', 'query', 'version'])
    .where('placeId', '=', placeId)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
  let answerCount = 0
  for (const insight of insights) {
    if (isOver()) break
    try {
      await readAnswer(ctx, insight)
      answerCount += 1
    } catch (error) {
      ctx.report(error, { insightId: insight.id, during: 'refresh' })
    }
  }
  return answerCount
}
