import type { Context } from '#functions/context.ts'
import { getEventTags } from '#functions/domain/outbox/events.ts'
import { HubLease, LeaseLostError } from '#functions/domain/hub/hub-lease.ts'
import { hubState } from '#functions/domain/hub/hubs.ts'
import { storyParts } from '#functions/domain/page/story-parts.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import {
  closeEvents,
  closePlace,
  duePlaces,
  openAtOnce,
  openEvents,
  placesAtOnce,
  fanOutEvents,
  type DuePlace,
} from '#functions/domain/outbox/outbox-reader.ts'
import {
  clearFailures,
  countFailure,
  delayProbe,
  retryNow,
} from '#functions/domain/page/publishing/failures.ts'
import { refreshAnswers } from '#functions/domain/insight/refresh.ts'
import { isOfWhole } from './draft.ts'
import { getCanonicalHost, updateEdges } from './edge.ts'
import { makeAll, withdrawPages, type HubInMaking, type VisitPath } from './make-hub.ts'
import { OutOfTimeError } from './prerender.ts'
import { describeFailure, storageAnswers } from './problem.ts'
import { wrapBucket, StorageError, withTimeout } from '#functions/platform/storage.ts'

type Log = (line: string) => void

/** Time limits, in milliseconds. */
export interface Times {
  /** For one message of the queue; then others have their turn, and later the next step of the same hub. */
  step: number
  /** The minimum for a hub when that time is nearly over, so that a small change does not wait for a large hub. */
  least: number
  /** A hub that reports no progress for this long after its time counts as failed and is not awaited any longer. */
  hang: number
  /** The interval at which newer events are written to the edge meanwhile. */
  edge: number
}
const usual: Times = { step: 30_000, least: 2000, hang: 60_000, edge: 2000 }

/**
 * Updates every hub with open events. First the public state of all places is written to the edge (`updateEdges`), and
 * again every two seconds during rendering. Then for each due place the changed pages are rendered, the manifest flips,
 * and its events are closed: in that order, place by place, so that a crash repeats work and loses none; repeating
 * changes nothing. A failing place is retried with growing delays and without end, regardless of messages for others; a
 * place that hangs is not waited for. Places in `whole` and those with events of kind 'hub' are rendered completely and
 * immediately; places of another database (not `isHere`) are skipped. Events of a hub that another process is rendering
 * stay open, and the queue is woken when that is done. A hub that takes longer than a step continues in the next
 * message.
 */
export async function publishOutbox(
  input: Context,
  visit: VisitPath,
  log: Log,
  whole: string[] = [],
  isHere: (placeId: string) => boolean = () => true,
  times: Times = usual,
): Promise<void> {
  const ctx = { ...input, hubs: wrapBucket(input.hubs) }
  // A request to render a whole hub is stored as an event, since it may take several messages.
  const placeIds = whole.filter(isHere)
  if (placeIds.length > 0)
    await ctx.transaction(async (tx) => {
      for (const placeId of placeIds) await emit(tx, { kind: 'hub', placeId, payload: {} })
    })
  for (const placeId of placeIds) await retryNow(ctx, placeId)
  await fanOutEvents(ctx)
  await updateEdges(ctx, isHere)
  const edge = repeatEvery(times.edge, () =>
    updateEdges(ctx, isHere).catch((error: unknown) => ctx.report(error, { during: 'updateEdges' })),
  )
  try {
    await publishPlaces(ctx, { visit, log, isHere, times })
  } finally {
    await edge.end()
  }
}

interface PublishOptions {
  visit: VisitPath
  log: Log
  isHere: (placeId: string) => boolean
  times: Times
}

async function publishPlaces(ctx: Context, { visit, log, isHere, times }: PublishOptions): Promise<void> {
  const places = await duePlaces(ctx)
  const startMs = ctx.now().getTime()
  const tasks: Promise<void>[] = []
  let isMore = places.length === placesAtOnce
  const startedAt = performance.now()
  for (const place of places) {
    if (!isHere(place.placeId)) {
      await closePlace(ctx, place.placeId)
      continue
    }
    const since = ctx.now().getTime()
    const isOver = () => {
      const now = ctx.now().getTime()
      return now - startMs > times.step && now - since > times.least
    }
    const work = publishPlace(ctx, place, { visit, log, isOver }, times.step + times.hang).then(
      (remaining) => {
        isMore ||= remaining
      },
    )
    // It continues in the background while the next places are rendered.
    const remainingMs = Math.max(times.least, times.step - (performance.now() - startedAt))
    tasks.push(work)
    await withTimeout(remainingMs, work).catch(() => {})
  }
  const outcomes = await Promise.allSettled(tasks)
  if (isMore) ctx.wake()
  // The failure could not even be noted, because the database does not answer.
  for (const end of outcomes) if (end.status === 'rejected') throw end.reason
}

/** The tools for rendering the pages of a place. */
type RenderTools = Pick<HubInMaking, 'visit' | 'log' | 'isOver'>

/** Renders what is due of one place and stores the outcome. True: more of it is due, and the queue can be woken immediately. */
async function publishPlace(
  ctx: Context,
  place: DuePlace,
  making: RenderTools,
  mostMs: number,
): Promise<boolean> {
  const { placeId, isProbed, isDue } = place
  const { log } = making
  // Nothing is rendered while the storage does not answer: checking first is cheap, rendering is not.
  if (isProbed && !(await storageAnswers(ctx.hubs, placeId))) {
    if (isDue) await fail(ctx, place, [], new StorageError('The storage does not answer.'))
    else await delayProbe(ctx, placeId, 'pages')
    return false
  }
  const events = await openEvents(ctx, placeId)
  const ids = events.map(({ id }) => id)
  try {
    const outcome = await withTimeout(mostMs, updatePages(ctx, placeId, { events, ...making }))
    if (outcome !== 'made') {
      if (outcome === 'begun') ctx.wake()
      return false
    }
    // In this order: if the process ends in between, the hub is rendered again, and no failure remains without an open
    // event.
    await clearFailures(ctx, placeId, ['pages'])
    await closeEvents(ctx, ids)
    return events.length === openAtOnce
  } catch (error) {
    // A hub that cannot be rendered must not delay the others: its events stay open, and it is retried.
    ctx.report(error, { placeId, during: 'publish' })
    log(`${placeId}: not published as it should be, what is up stays up: ${String(error)}`)
    await fail(ctx, place, ids, error)
    return false
  }
}

async function fail(ctx: Context, { placeId }: DuePlace, events: string[], error: unknown): Promise<void> {
  const reason = await describeFailure(ctx, placeId, error)
  const isProbed = reason.kind === 'storage' && !(await storageAnswers(ctx.hubs, placeId))
  await countFailure(ctx, { placeId, target: 'pages', events }, reason, isProbed)
}

/**
 * Updates the pages of one place. `busy`: another process is rendering this hub, so only pages of what is not public any
 * more were removed. `begun`: the time limit was reached before all pages were rendered.
 */
async function updatePages(
  ctx: Context,
  placeId: string,
  telling: RenderTools & Pick<HubInMaking, 'events'>,
): Promise<'made' | 'busy' | 'begun'> {
  const { events, log, isOver } = telling
  const isWhole = events.some(isOfWhole)
  const staleTags = isWhole
    ? null
    : new Set([...events.flatMap(getEventTags), ...(await useTags(ctx, placeId, events))])
  const hub = await hubState(ctx, placeId)
  if (!hub) return 'made'
  if (!hub.isHub) {
    if (staleTags === null) await refreshAnswers(ctx, placeId, isOver)
    return 'made'
  }
  const job: HubInMaking = {
    ctx,
    hub,
    canonicalHost: getCanonicalHost(ctx, hub),
    staleTags,
    ...telling,
  }
  const lease = await HubLease.acquire(ctx, placeId)
  if (!lease) {
    log(`${placeId}: someone else is making it`)
    await withdrawPages(job)
    return 'busy'
  }
  try {
    // Visitors cannot store answers, so stale ones are refreshed once here and not for each page.
    await refreshAnswers(ctx, placeId, isOver)
    await makeAll(job, lease)
    return 'made'
  } catch (error) {
    if (error instanceof OutOfTimeError) log(`${placeId}: its pages take longer than a step`)
    else if (error instanceof LeaseLostError) log(`${placeId}: someone else has taken over`)
    else throw error
    return error instanceof OutOfTimeError ? 'begun' : 'busy'
  } finally {
    // If the database does not answer, the lease expires by itself.
    if (await lease.free().catch(() => false)) ctx.wake()
  }
}

/**
 * The tags of stories that use a source: for each story that may have changed, the story itself, which stands for the
 * sources it used, and the sources that it uses now.
 */
async function useTags(
  ctx: Context,
  placeId: string,
  events: readonly { kind: string; payload: Record<string, unknown> }[],
): Promise<string[]> {
  const stories = events.flatMap(({ kind, payload: { id, listChanged, partsChanged } }) =>
    kind === 'page' && typeof id === 'string' && (listChanged !== false || partsChanged === true) ? [id] : [],
  )
  if (stories.length === 0) return []
  const parts = await storyParts(ctx, placeId, [...new Set(stories)])
  return [...stories, ...[...parts.values()].flatMap(({ sources }) => sources)].map((id) => `use:${id}`)
}

/** Repeats some work at an interval, never concurrently, until `end` is called. */
function repeatEvery(ms: number, work: () => Promise<unknown>) {
  let running: Promise<unknown> | null = null
  const timer = setInterval(() => {
    running ??= work().finally(() => (running = null))
  }, ms)
  return {
    async end() {
      clearInterval(timer)
      await running
    },
  }
}
