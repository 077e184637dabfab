import { forEachDatabase } from '#functions/jobs/every-database.ts'
import { createLimiter } from '#functions/platform/limits.ts'
import type { Env } from '#functions/settings.ts'
import type { Snapshot } from '#functions/edge/hub/snapshot.ts'
import { isReader, serveBeacon } from './beacon.ts'
import { countDownload, countEmptySearch, flushHubUsage, isHubFlushDue } from './hub.ts'

/** Answers a beacon of a hub page; it is counted after the response, and counts are written periodically. */
export function answerBeacon(
  request: Request,
  env: Env,
  execution: Pick<ExecutionContext, 'waitUntil'>,
  snapshot: Snapshot,
): Promise<Response> {
  return serveBeacon(request, {
    snapshot,
    hubs: env.HUBS,
    limits: createLimiter(env),
    now: new Date(),
    waitUntil: (work) => execution.waitUntil(work),
    scheduleFlush: () => flush(env),
  })
}

/** Counts the download of a source's file from a hub. */
export async function recordDownload(env: Env, placeId: string, sourceId: string): Promise<void> {
  countDownload(new Date(), placeId, sourceId)
  await flush(env)
}

/** Counts a search of a hub without results, unless its sender is a bot or opts out. */
export async function recordEmptySearch(
  { headers }: Request,
  env: Env,
  placeId: string,
  text: string,
): Promise<void> {
  if (!isReader(headers)) return
  countEmptySearch(new Date(), placeId, text)
  await flush(env)
}

/** Writes the counts when they are due, to the database of each place. What cannot be written is kept for the next time. */
async function flush(env: Env) {
  const now = new Date()
  if (!isHubFlushDue(now)) return
  await forEachDatabase(env, async ({ ctx, isHere }) => {
    await flushHubUsage(ctx.db, isHere, now).catch((error: unknown) =>
      ctx.report(error, { during: 'flushHubUsage' }),
    )
  })
}
