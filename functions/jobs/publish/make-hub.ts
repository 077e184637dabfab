import type { Context } from '#functions/context.ts'
import { allocateManifest, flipManifest, servedManifest } from '#functions/domain/hub/hubs.ts'
import type { HubState } from '#functions/shapes/hubState.ts'
import { hubMemory, type Memo } from '#functions/platform/cache/memo.ts'
import { Superseded, type HubLease } from '#functions/domain/hub/hubLease.ts'
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
import { prerender, type Job, type Rendered } from './prerender.ts'
import { PageError } from './problem.ts'
import { stagesOf, urgentStages } from './stages.ts'
import { snapshotOf, writeEdges } from './edge.ts'
import { verdictOn } from '#functions/edge/hub/withdrawn.ts'

/** Renders one path of a hub, in each of some languages, as an anonymous visitor would get it live. */
export type VisitPath = (
  hub: { placeId: string; canonicalHost: string },
  path: string,
  /** Those to render. */
  wanted: readonly Locale[],
  /** Those of the hub, its own first. */
  languages: HubLanguages,
  memo: Memo,
) => Promise<Rendered[]>

/** A hub that is brought up to date. */
export interface HubInMaking {
  ctx: Context
  hub: HubState
  canonicalHost: string
  /** What is told, and what that makes stale; null: everything. */
  events: readonly OpenEvent[]
  changed: Set<string> | null
  visit: VisitPath
  log: (line: string) => void
  isOver: () => boolean
}

/**
 * Makes every stage and has it served. Throws Superseded when the hub is not ours any more: nothing of it is served then;
 * OutOfTime when the step's time is over. What was made is kept then for the next step. Throws when pages could not be
 * made: the others are served, these stay as they are, and what was made is kept for the next try.
 */
export async function makeAll(made: HubInMaking, lease: HubLease): Promise<void> {
  const { ctx, hub, events } = made
  const { placeId } = hub
  const draft = await readDraft(ctx.hubs, placeId, events, ctx.now(), ctx.settings.build)
  const before = draft.made.size
  const failed = new Map<string, PageError>()
  try {
    await makeStages(made, lease, { made: draft.made, failed })
    const [first] = failed.values()
    if (first)
      throw new PageError(
        `${failed.size} of its pages stay as they are: ${first.message}`,
        first.path,
        first.failures,
      )
  } catch (error) {
    if (!(error instanceof Superseded) && draft.made.size > before)
      await writeDraft(ctx.hubs, placeId, { made: draft.made, events, now: ctx.now() })
    throw error
  }
  if (draft.isThere) await removeDraft(ctx.hubs, placeId)
}

async function makeStages(
  made: HubInMaking,
  lease: HubLease,
  kept: Pick<Job, 'made' | 'failed'>,
): Promise<void> {
  const { ctx, hub } = made
  const { placeId } = hub
  const served = await readManifest(ctx.hubs, placeId, lease.manifest)
  const memo = hubMemory()
  let current = lease.manifest
  let isTold = false
  // Links lead to where languages are: pages of before and after do not stand beside each other.
  const isInOthers = served !== null && languagesIn(served).join() !== hub.languages.join()
  const stages = isInOthers ? [() => true] : stagesOf(served, hubPages(hub), withheldBy(made))
  for (const only of stages) {
    const step = { only, languages: hub.languages, memo, isOver: made.isOver, ...kept }
    const number = await makeStage(made, current, step, () => lease.beat())
    if (number === null) continue
    current = await serveManifest(ctx, lease, placeId, current, number)
    await writeEdges(ctx, [placeId])
    isTold = true
  }
  // Who made all of it before may have died when it was flipped and the edge was not told.
  if (!isTold) await writeEdges(ctx, [placeId])
}

/** Has a manifest served that was made of another; with what was taken away meanwhile. Gives the number that is served then. */
export async function serveManifest(
  ctx: Context,
  lease: HubLease,
  placeId: string,
  base: number,
  made: number,
): Promise<number> {
  let [from, to] = [base, made]
  while (!(await lease.flip(from, to, await buildsIn(ctx.hubs, placeId, to)))) {
    const theirs = await servedManifest(ctx, placeId)
    const number = await allocateManifest(ctx, placeId)
    await mergeManifests(ctx.hubs, placeId, { base: from, mine: to, theirs, number })
    ;[from, to] = [theirs, number]
  }
  return to
}

/** What the edge keeps from readers until it is made again. */
const withheldBy = ({ ctx, hub }: HubInMaking) => {
  const snapshot = snapshotOf(ctx, hub)
  return (path: string, page: ManifestPage) => verdictOn(snapshot, path, page) === 'withheld'
}

/** Takes away what has gone, and makes the lists anew that named it: that waits for nobody. */
export async function takeAway(made: HubInMaking): Promise<void> {
  const { ctx, hub } = made
  const { placeId } = hub
  const memo = hubMemory()
  let current = await servedManifest(ctx, placeId)
  const served = await readManifest(ctx.hubs, placeId, current)
  for (const only of urgentStages(served, hubPages(hub), withheldBy(made))) {
    const number = await makeStage(made, current, { only, memo })
    if (number === null) continue
    // Who makes the hub has made some of it: begin with that.
    const builds = await buildsIn(ctx.hubs, placeId, number)
    if (!(await flipManifest(ctx, placeId, current, number, builds))) return takeAway(made)
    current = number
    await writeEdges(ctx, [placeId])
  }
}

/** Makes what of a hub is of one stage, and writes its manifest; gives its number, null when nothing has changed. */
export function makeStage(
  made: HubInMaking,
  current: number,
  step: Pick<Job, 'only' | 'languages' | 'memo' | 'made' | 'failed' | 'isOver' | 'again'>,
  beat?: () => Promise<void>,
): Promise<number | null> {
  const { ctx, hub, canonicalHost, events, changed, visit, log } = made
  const { placeId } = hub
  return prerender(
    {
      ...step,
      placeId,
      paths: hubPages(hub),
      current,
      isWithheld: withheldBy(made),
      changed: current === 0 ? null : changed,
      lost: lostIn(events),
      allocate: () => allocateManifest(ctx, placeId),
    },
    async (path, wanted, languages, before) => {
      await beat?.()
      return visit({ placeId, canonicalHost }, path, wanted, languages, before)
    },
    { hubs: ctx.hubs, log },
  )
}
