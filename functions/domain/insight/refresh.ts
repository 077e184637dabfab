import { answerOf } from './answers.ts'
import type { Context } from '#functions/context.ts'

/**
 * Asks again every insight of a place whose kept answer is not of today's data, and keeps the new one; gives how many
 * could be answered. One that cannot (its field is gone) is reported and holds up no other; when the time is over the rest
 * is left to the pages that show them. Needs the product's own identity.
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
      await answerOf(ctx, insight)
      answerCount += 1
    } catch (error) {
      ctx.report(error, { insightId: insight.id, during: 'refresh' })
    }
  }
  return answerCount
}
