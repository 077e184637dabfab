import type { Context } from '#functions/context.ts'
import { allocateManifest, flipManifest, readServedManifest } from '#functions/domain/hub/hubs.ts'
import type { HubState } from '#functions/shapes/hub-state.ts'
import { hubMemory, type Memo } from '#functions/platform/cache/memo.ts'
import { LeaseLostError, type HubLease } from '#functions/domain/hub/hub-lease.ts'
import type { OpenEvent } from '#functions/domain/outbox/outbox-reader.ts'
import { readDraft, removeDraft, writeDraft } from './draft.ts'
import { hubPages } from '#functions/edge/hub/hub-pages.ts'
import { lostIn } from './lost.ts'
import type { HubLanguages, Locale } from '#functions/shapes/locale.ts'
import {
  buildsIn,
  languagesIn,
  mergeManifests,
  readManifest,
  type ManifestPage,
} from '#functions/edge/hub/manifest.ts'
import { prerender, type Job, type PageRendering } from './prerender.ts'
import { PageError } from './problem.ts'
import { planStages, urgentStages } from './stages.ts'
import { buildSnapshot, writeEdges } from './edge.ts'
import { verdictOn } from '#functions/edge/hub/withdrawn.ts'

/** Renders one path of a hub, in each of some languages, as an anonymous visitor would get it live. */
export type VisitPath = (
  hub: { placeId: string; canonicalHost: string },
  path: string,
  /** Those to render. */
  locales: readonly Locale[],
  /** Those of the hub, its own first. */
  languages: HubLanguages,
  memo: Memo,
) => Promise<PageRendering[]>

/** A hub that is being updated. */
export interface HubInMaking {
  ctx: Context
  hub: HubState
  canonicalHost: string
  /** The handled events, and the tags they make stale; null: everything. */
  events: readonly OpenEvent[]
  staleTags: Set<string> | null
  visit: VisitPath
  log: (line: string) => void
  isOver: () => boolean
}

/**
 * Renders a hub stage by stage and publishes each as soon as it is complete. Throws `LeaseLostError` when another process
 * has taken over the lease: nothing is published then. Throws `OutOfTimeError` at the time limit: what was rendered is stored
 * as a draft for the next step. Throws when some pages could not be rendered: the others are published, these stay as
 * they were, and the draft is kept.
 */
export async function makeAll(job: HubInMaking, lease: HubLease): Promise<void> {
  const { ctx, hub, events } = job
  const { placeId } = hub
  const draft = await readDraft(ctx.hubs, placeId, events, ctx.now(), ctx.settings.build)
  const before = draft.made.size
  const failures = new Map<string, PageError>()
  try {
    await makeStages(job, lease, { renderedPages: draft.made, pageErrors: failures })
    const [first] = failures.values()
    if (first)
      throw new PageError(
        `${failures.size} of its pages stay as they are: ${first.message}`,
        first.path,
        first.failures,
      )
  } catch (error) {
    if (!(error instanceof LeaseLostError) && draft.made.size > before)
      await writeDraft(ctx.hubs, placeId, { renderedPages: draft.made, events, now: ctx.now() })
    throw error
  }
  if (draft.isThere) await removeDraft(ctx.hubs, placeId)
}

async function makeStages(
  job: HubInMaking,
  lease: HubLease,
  progress: Pick<Job, 'renderedPages' | 'pageErrors'>,
): Promise<void> {
  const { ctx, hub } = job
  const { placeId } = hub
  const manifest = await readManifest(ctx.hubs, placeId, lease.manifest)
  const memo = hubMemory()
  let current = lease.manifest
  let areEdgesWritten = false
  // Links depend on the hub's languages, so pages of the old and the new set must not be served together: one stage for all.
  const isInOthers = manifest !== null && languagesIn(manifest).join() !== hub.languages.join()
  const stages = isInOthers ? [() => true] : planStages(manifest, hubPages(hub), withheldBy(job))
  for (const only of stages) {
    const step = { only, languages: hub.languages, memo, isOver: job.isOver, ...progress }
    const number = await makeStage(job, current, step, () => lease.beat())
    if (number === null) continue
    current = await serveManifest(ctx, lease, placeId, current, number)
    await writeEdges(ctx, [placeId])
    areEdgesWritten = true
  }
  // The process that published it may have died before it wrote the edge.
  if (!areEdgesWritten) await writeEdges(ctx, [placeId])
}

/**
 * Publishes a manifest. When pages were removed from the published one meanwhile, both are merged first. Returns the
 * number of the manifest that is published then.
 */
export async function serveManifest(
  ctx: Context,
  lease: HubLease,
  placeId: string,
  base: number,
  madeCount: number,
): Promise<number> {
  let [from, to] = [base, madeCount]
  while (!(await lease.flip(from, to, await buildsIn(ctx.hubs, placeId, to)))) {
    const otherManifest = await readServedManifest(ctx, placeId)
    const number = await allocateManifest(ctx, placeId)
    await mergeManifests(ctx.hubs, placeId, { base: from, ours: to, theirs: otherManifest, number })
    ;[from, to] = [otherManifest, number]
  }
  return to
}

/** Whether the edge withholds a page from readers until it is rendered again. */
const withheldBy = ({ ctx, hub }: HubInMaking) => {
  const snapshot = buildSnapshot(ctx, hub)
  return (path: string, page: ManifestPage) => verdictOn(snapshot, path, page) === 'withheld'
}

/** Removes pages of what is not public any more and renders the lists that mention them again, without a lease. */
export async function withdrawPages(job: HubInMaking): Promise<void> {
  const { ctx, hub } = job
  const { placeId } = hub
  const memo = hubMemory()
  let current = await readServedManifest(ctx, placeId)
  const manifest = await readManifest(ctx.hubs, placeId, current)
  for (const only of urgentStages(manifest, hubPages(hub), withheldBy(job))) {
    const number = await makeStage(job, current, { only, memo })
    if (number === null) continue
    // The process that holds the lease has served a newer manifest: start from that one.
    const builds = await buildsIn(ctx.hubs, placeId, number)
    if (!(await flipManifest(ctx, placeId, current, number, builds))) return withdrawPages(job)
    current = number
    await writeEdges(ctx, [placeId])
  }
}

/** Renders one stage of a hub and writes its manifest. Returns the number of the manifest; null when nothing has changed. */
export function makeStage(
  job: HubInMaking,
  current: number,
  step: Pick<Job, 'only' | 'languages' | 'memo' | 'renderedPages' | 'pageErrors' | 'isOver' | 'again'>,
  beat?: () => Promise<void>,
): Promise<number | null> {
  const { ctx, hub, canonicalHost, events, staleTags, visit, log } = job
  const { placeId } = hub
  return prerender(
    {
      ...step,
      placeId,
      paths: hubPages(hub),
      current,
      isWithheld: withheldBy(job),
      staleTags: current === 0 ? null : staleTags,
      lost: lostIn(events),
      allocate: () => allocateManifest(ctx, placeId),
    },
    async (path, locales, languages, before) => {
      await beat?.()
      return visit({ placeId, canonicalHost }, path, locales, languages, before)
    },
    { hubs: ctx.hubs, log },
  )
}
