import { hubMemory } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import {
  findNextOldHub,
  storeBuilds,
  storeBuildFailure,
  type BuildFailure,
  type OldHub,
} from '#functions/domain/hub/builds/hub-builds.ts'
import { HubLease, LeaseLostError } from '#functions/domain/hub/hub-lease.ts'
import { hubState } from '#functions/domain/hub/hubs.ts'
import { refreshAnswers } from '#functions/domain/insight/refresh.ts'
import { getCanonicalHost, writeEdges } from '../edge.ts'
import { serveManifest, makeStage, type HubInMaking, type VisitPath } from '../make-hub.ts'
import { buildsIn, readManifest } from '#functions/edge/hub/manifest.ts'
import type { PageError } from '../problem.ts'

/** Time limit of one step for a hub, in ms, so that pending changes of it do not wait longer. */
const stepMs = 10_000
/** A hub that failed is tried again after a minute, then after two, four … an hour at most. */
const minMs = 60_000
const maxMs = 3_600_000

export interface RenderOptions {
  build: string
  log: (line: string) => void
  /** Time limit of a call. */
  ms: number
  /** Whether a place lives in this database; without it, all do. */
  isHere?: (placeId: string) => boolean
}

/**
 * Renders pages of other builds again, hub by hub, the one published longest ago first, in steps. Each step publishes
 * what it rendered, so the published manifests are the only state: it may be interrupted or run concurrently without
 * rendering anything twice. A page that cannot be rendered stays as it is, with the files of its build; its hub is
 * retried later and delays no other.
 */
export async function renderAgain(
  ctx: Context,
  visit: VisitPath,
  { build, log, ms, isHere }: RenderOptions,
): Promise<void> {
  const end = ctx.now().getTime() + ms
  const others: string[] = []
  while (ctx.now().getTime() < end) {
    const old = await findNextOldHub(ctx, build, others)
    if (!old) return
    const until = Math.min(end, ctx.now().getTime() + stepMs)
    const isOver = () => ctx.now().getTime() > until
    const isOurs = isHere?.(old.placeId) !== false
    if (!isOurs || !(await runStep(ctx, visit, old, { build, log, isOver }))) others.push(old.placeId)
  }
}

interface Step {
  build: string
  log: (line: string) => void
  isOver: () => boolean
}

/** One step of one hub; false: it is not to be gone on with now. */
async function runStep(ctx: Context, visit: VisitPath, old: OldHub, step: Step): Promise<boolean> {
  const { placeId } = old
  const { build, log } = step
  const lease = await HubLease.acquire(ctx, placeId)
  if (!lease) return false
  try {
    return await makeSome(ctx, visit, lease, old, step)
  } catch (error) {
    if (error instanceof LeaseLostError) return false
    ctx.report(error, { placeId, during: 'renderAgain', build })
    log(`${placeId}: not made again, what is up stays up: ${String(error)}`)
    await storeBuildFailure(ctx, placeId, failedOnceMore(ctx, build, old.failure, { '': String(error) }))
    return false
  } finally {
    // While the database does not answer, the lease expires by itself.
    if (await lease.free().catch(() => false)) ctx.wake()
  }
}

async function makeSome(
  ctx: Context,
  visit: VisitPath,
  lease: HubLease,
  { placeId, failure }: OldHub,
  { build, log, isOver }: Step,
): Promise<boolean> {
  const hub = await hubState(ctx, placeId)
  if (!hub?.isHub) return false
  const manifest = await readManifest(ctx.hubs, placeId, lease.manifest)
  if (!manifest) throw new Error(`Its manifest ${lease.manifest} cannot be read.`)
  // Visitors cannot store answers, so stale ones are refreshed once here and not for each page.
  if (!Object.values(manifest.pages).some((page) => page.build === build)) await refreshAnswers(ctx, placeId)
  const canonicalHost = getCanonicalHost(ctx, hub)
  const job: HubInMaking = { ctx, hub, canonicalHost, events: [], staleTags: null, visit, log, isOver }
  // Pages that failed in earlier steps come last.
  const before = failure?.nextAt === null ? failure.pages : {}
  const failures = new Map<string, PageError>()
  const again = { build, hasEnded: false }
  const hasNotFailed = ({ path }: { path: string }) => !Object.hasOwn(before, path)
  const number = await makeStage(
    job,
    lease.manifest,
    { only: hasNotFailed, memo: hubMemory(), pageErrors: failures, isOver, again },
    () => lease.beat(),
  )
  const current =
    number === null ? lease.manifest : await serveManifest(ctx, lease, placeId, lease.manifest, number)
  const builds = await buildsIn(ctx.hubs, placeId, current)
  if (number === null) await storeBuilds(ctx, placeId, current, builds)
  // Rendering took time: some of it may not be public any more.
  else await writeEdges(ctx, [placeId])
  const pages = { ...before, ...toMessages(failures) }
  if (Object.keys(pages).length === 0) {
    if (failure) await storeBuildFailure(ctx, placeId, null)
    return again.hasEnded
  }
  const previous: BuildFailure = { build, attempts: failure?.attempts ?? 0, nextAt: null, pages }
  log(`${placeId}: ${Object.keys(pages).length} pages stay as they are`)
  await storeBuildFailure(
    ctx,
    placeId,
    again.hasEnded ? previous : failedOnceMore(ctx, build, previous, pages),
  )
  return again.hasEnded
}

const toMessages = (failures: Map<string, Error>) =>
  Object.fromEntries([...failures].map(([path, { message }]) => [path, message]))

function failedOnceMore(
  ctx: Context,
  build: string,
  before: BuildFailure | null,
  pages: BuildFailure['pages'],
): BuildFailure {
  const attempts = (before?.attempts ?? 0) + 1
  const wait = Math.min(maxMs, minMs * 2 ** (attempts - 1))
  return { build, attempts, nextAt: new Date(ctx.now().getTime() + wait).toISOString(), pages }
}
