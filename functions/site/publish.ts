import type { Context } from '../context.ts'
import { aliasOf } from '../domain/domainAlias.ts'
import { tagsOf } from '../domain/events.ts'
import { HubLease, Superseded } from '../domain/hubLease.ts'
import { domainsLeft, hubState, releasedHosts } from '../domain/hubs.ts'
import { tell } from '../domain/outbox.ts'
import {
  closeEvents,
  countAttempt,
  openAtOnce,
  openEvents,
  spreadEvents,
  type OpenEvent,
} from '../domain/outbox-reader.ts'
import { placeState } from '../domain/placeState.ts'
import { refreshAnswers } from '../domain/refresh.ts'
import { isOfWhole } from './draft.ts'
import { makeAll, publishSnapshot, takeAway, type Made, type Visit } from './make-hub.ts'
import { writePlaceState } from './place-state.ts'
import { OutOfTime } from './prerender.ts'
import { removeSnapshot } from './snapshot.ts'
import { placeHostnames } from './urls.ts'

type Log = (line: string) => void

/** How long one message of the queue makes pages: then it is the turn of others, and of the next step of the same hub. */
const stepMs = 30_000
/** What a hub may take when that time is over, so that a small change does not wait for a large hub to be done. */
const leastMs = 2000

/**
 * Tells the edge everything that has happened since it was last told: for each place concerned the changed
 * pages are rendered, the manifest flips and the snapshots are written. Events are closed only after that, place by place, so
 * a crash repeats work and loses none; repeating changes nothing. The places in `whole` are rendered whole, and those
 * of events of kind 'hub'; of a place that lives in another database (not `isHere`) nothing is told. What concerns a hub
 * that someone else is making stays open, and the queue is told when that is done. A hub that takes longer than a step is
 * gone on with by the next message. Gives the events that it saw and need not see again.
 */
export async function publishOutbox(
  ctx: Context,
  visit: Visit,
  log: Log,
  whole: string[] = [],
  isHere: (placeId: string) => boolean = () => true,
): Promise<OpenEvent[]> {
  // What a message asks for is written down: it may take several steps.
  const asked = whole.filter(isHere)
  if (asked.length > 0)
    await ctx.transaction(async (tx) => {
      for (const placeId of asked) await tell(tx, { kind: 'hub', placeId, payload: {} })
    })
  await spreadEvents(ctx)
  const events = await openEvents(ctx)
  const places = [...new Set([...asked, ...events.flatMap(({ placeId }) => placeId ?? [])])].filter(isHere)
  // Visibility first, of all places: what is no longer public must go before anything new is made.
  const failed = await tellStates(ctx, places)
  const isOfOthers = (event: OpenEvent) => event.placeId === null || !isHere(event.placeId)
  await closeEvents(ctx, idsOf(events.filter(isOfOthers)))
  const began = ctx.now().getTime()
  const later = new Set<string>()
  for (const placeId of places) {
    const own = events.filter((event) => event.placeId === placeId)
    const since = ctx.now().getTime()
    const isOver = () => {
      const now = ctx.now().getTime()
      return now - began > stepMs && now - since > leastMs
    }
    try {
      const how = await publishPlace(ctx, placeId, { events: own, visit, log, isOver })
      if (how !== 'made') later.add(placeId)
      if (how === 'begun') ctx.wake()
    } catch (error) {
      // One hub that cannot be made must not hold up the others; its events stay open and the sweeper tries again.
      failed.add(placeId)
      ctx.report(error, { placeId, during: 'publish' })
      log(`${placeId}: not published as it should be, what is up stays up: ${String(error)}`)
    }
    if (failed.has(placeId)) await countAttempt(ctx, idsOf(own))
    else if (!later.has(placeId)) await closeEvents(ctx, idsOf(own))
  }
  const isMore = events.length === openAtOnce && places.some((id) => !failed.has(id) && !later.has(id))
  if (isMore) ctx.wake()
  return events.filter(({ placeId }) => placeId === null || !later.has(placeId))
}

/**
 * Lets the edge know what is public of some places, and at which versions, and takes from it the hosts that they gave up.
 * Gives those where it failed, and reports them.
 */
export async function tellStates(ctx: Context, places: Iterable<string>): Promise<Set<string>> {
  const failed = new Set<string>()
  for (const placeId of places) {
    try {
      await forgetHosts(ctx, await releasedHosts(ctx, placeId))
      const state = await placeState(ctx, placeId)
      if (state) await writePlaceState(ctx.hubs, state)
    } catch (error) {
      failed.add(placeId)
      ctx.report(error, { placeId, during: 'tellStates' })
    }
  }
  return failed
}

/** Makes hosts nobody's, with www and without. */
async function forgetHosts(ctx: Context, hosts: string[]) {
  for (const host of hosts)
    for (const each of [host, aliasOf(host)]) if (each) await removeSnapshot(ctx.hubs, each)
}

const idsOf = (events: { id: string }[]) => events.map((event) => event.id)

/** What is told of a place, and how its pages are made. */
type Telling = Pick<Made, 'events' | 'visit' | 'log' | 'isOver'>

/**
 * Brings what the edge knows of one place up to date. `busy`: someone else is making the pages of this hub, and only what
 * has gone was taken away. `begun`: the step's time was over before all was made.
 */
async function publishPlace(
  ctx: Context,
  placeId: string,
  telling: Telling,
): Promise<'made' | 'busy' | 'begun'> {
  const { events, log } = telling
  const changed = events.some(isOfWhole) ? null : new Set(events.flatMap(tagsOf))
  const hub = await hubState(ctx, placeId)
  const gone = hub
    ? hub.released
    : placeHostnames({ id: placeId, domains: await domainsLeft(ctx, placeId) }, ctx.settings)
  await forgetHosts(ctx, gone)
  if (!hub) return 'made'
  const canonicalHost = hub.domains[0] ?? placeHostnames({ id: placeId, domains: [] }, ctx.settings)[0] ?? ''
  // Visibility first: what is no longer public must go before anything new is made.
  await publishSnapshot(ctx, hub, canonicalHost, hub.manifest)
  if (!hub.isHub) {
    if (changed === null) await refreshAnswers(ctx, placeId)
    return 'made'
  }
  const made: Made = { ctx, hub, canonicalHost, changed, ...telling }
  const lease = await HubLease.take(ctx, placeId)
  if (!lease) {
    log(`${placeId}: someone else is making it`)
    await takeAway(made)
    return 'busy'
  }
  try {
    // Visitors may not store answers, so what is stale is asked once here and not by each page.
    await refreshAnswers(ctx, placeId)
    await makeAll(made, lease)
    return 'made'
  } catch (error) {
    if (error instanceof OutOfTime) log(`${placeId}: its pages take longer than a step`)
    else if (error instanceof Superseded) log(`${placeId}: someone else has taken over`)
    else throw error
    return error instanceof OutOfTime ? 'begun' : 'busy'
  } finally {
    // Where the database does not answer the lease ends by itself.
    if (await lease.free().catch(() => false)) ctx.wake()
  }
}
