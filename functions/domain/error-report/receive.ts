import { limits, countAttempt } from '#functions/domain/identity/attempts.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import type { SentReport } from '#functions/shapes/error-report.ts'

/**
 * Stores a report of a reader, who needs no account. False where the source is not public (any more), or its place has
 * no hub. Throws `tooMany`, with Retry-After on the response, where too many come from one network or are about one
 * source or place: the network is counted first, so that a flood does not use up the limits of others. A duplicate is
 * accepted silently. Runs as the product.
 */
export async function receive(ctx: Context, { isSpam, ...report }: SentReport): Promise<boolean> {
  const { placeId, sourceId, formHash } = report
  const source = await ctx.db
    .selectFrom('source')
    .innerJoin('place', 'place.id', 'source.placeId')
    .select('source.id')
    .where('source.id', '=', sourceId)
    .where('place.id', '=', placeId)
    .where('place.deletedAt', 'is', null)
    .where('place.isHub', '=', true)
    .where(whereRowsVisible(ctx, 'source', 'public'))
    .executeTakeFirst()
  if (!source) return false
  const sameReport = await ctx.db
    .selectFrom('errorReport')
    .select('id')
    .where('formHash', '=', formHash)
    .executeTakeFirst()
  if (sameReport) return true
  await countAttempt(ctx, limits.errorReportFrom(ctx))
  await countAttempt(ctx, limits.errorReportAbout(placeId, sourceId))
  await ctx.db
    .insertInto('errorReport')
    .values({ ...report, id: crypto.randomUUID(), status: isSpam ? 'spam' : 'open' })
    .onConflict((conflict) => conflict.column('formHash').doNothing())
    .execute()
  return true
}
