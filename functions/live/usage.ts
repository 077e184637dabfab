import type { Context } from '#functions/context.ts'
import { drainHits } from '#functions/edge/answers/hits.ts'
import type { Env } from '#functions/settings.ts'

/** Counts a request of a place; now and then what was counted is written. */
export async function countPlaceRequest(env: Env, { about, now }: Context): Promise<void> {
  if (about.placeId === null) return
  const usage = await import('#functions/jobs/usage/count.ts')
  usage.countRequest(now(), about.placeId, about.dataTypeId, about.isExport ? 'export' : 'request')
  await flush(env, now())
}

/** Counts the kept answers that were given lately. */
export async function countHits(env: Env): Promise<void> {
  const now = new Date()
  const usage = await import('#functions/jobs/usage/count.ts')
  for (const { placeId, dataTypeId, count } of drainHits(now.getTime()))
    usage.countRequest(now, placeId, dataTypeId, 'request', count)
  await flush(env, now)
}

async function flush(env: Env, now: Date) {
  const usage = await import('#functions/jobs/usage/count.ts')
  if (!usage.isFlushDue(now)) return
  const { openSystem } = await import('#functions/api/request-context.ts')
  const { ctx, close } = openSystem(env)
  await usage.flushUsage(ctx.db).catch((error: unknown) => ctx.report(error, { during: 'flushUsage' }))
  const { flushUse } = await import('#functions/domain/dataset/field-use.ts')
  await flushUse(ctx.db).catch((error: unknown) => ctx.report(error, { during: 'flushUse' }))
  await close()
}
