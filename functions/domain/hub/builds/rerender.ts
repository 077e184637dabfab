import type { Context } from '#functions/context.ts'
import type { Acted, Builds } from '#functions/shapes/internal.ts'
import { act } from '#functions/domain/internals/internals.ts'
import { setCurrentBuild } from '#functions/platform/current-build.ts'
import { forgetFailures, hubsByBuild } from './hub-builds.ts'
import { readStoredBuild } from '#functions/platform/stored-build.ts'

/** The progress of the running build: hubs in progress, hubs that are done, and errors. */
export async function builds(ctx: Context): Promise<Builds> {
  const { build = null } = ctx.settings
  const { total, done, open, byBuild } = await hubsByBuild(ctx.db, build ?? '')
  const storedBuild = build === null ? null : await readStoredBuild(ctx.hubs, build)
  return {
    build,
    kept: storedBuild?.isWhole ? 'all' : storedBuild?.hasPageFiles ? 'pages' : 'none',
    total,
    done,
    making: open.filter(({ isMade }) => isMade).map(({ placeId }) => placeId),
    failed: open.flatMap(({ placeId, buildFailure: failure }) => {
      const [first] = Object.values(failure?.pages ?? {})
      if (!failure || first === undefined) return []
      const { attempts, nextAt, pages } = failure
      return [{ id: placeId, attempts, nextAt, pages: Object.keys(pages), message: first }]
    }),
    builds: byBuild.map(({ build: id, hubs }) => ({ id, hubs })),
  }
}

/**
 * Queues rendering of the hubs whose pages are of another build, including failed ones. Idempotent: pending pages are
 * found by comparing builds with what is served.
 */
export async function rerender(ctx: Context): Promise<Acted> {
  const { build } = ctx.settings
  if (build !== undefined) await setCurrentBuild(ctx.hubs, build, ctx.now())
  const result = await act(ctx, 'refreshed', 'rerender', async (tx) => {
    const affected = await forgetFailures(tx)
    const { total, done } = await hubsByBuild(tx, build ?? '')
    return { affected, left: total - done }
  })
  if (build !== undefined) ctx.wake('builds')
  return result
}
