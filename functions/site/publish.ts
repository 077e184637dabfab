import type { Context } from '../context.ts'
import { tagsOf } from '../domain/events.ts'
import { aliasOf } from '../domain/domainAlias.ts'
import {
  allocateManifest,
  domainsLeft,
  flipManifest,
  hubState,
  placeIds,
  releasedHosts,
  servedManifest,
  type HubState,
} from '../domain/hubs.ts'
import { hubMemory, type AskedBefore } from '../asked-before.ts'
import { HubLease, Superseded } from '../domain/hubLease.ts'
import { write, tell } from '../domain/outbox.ts'
import { refreshAnswers } from '../domain/refresh.ts'
import { placeState } from '../domain/placeState.ts'
import { closeEvents, countAttempt, openEvents, type OpenEvent } from '../domain/outbox-reader.ts'
import { hubPages, type HubPath } from './hub-pages.ts'
import type { Locale } from './locales.ts'
import { writePlaceState } from './place-state.ts'
import { mergeManifests, readManifest } from './manifest.ts'
import { prerender, type Rendered } from './prerender.ts'
import { removeSnapshot, writeSnapshot, type Snapshot } from './snapshot.ts'
import { stagesOf, urgentStages } from './stages.ts'
import { placeHostnames } from './urls.ts'

/** Renders one path of a hub, in each of some languages, as an anonymous visitor would get it live. */
export type Visit = (
  hub: { placeId: string; canonicalHost: string },
  path: string,
  languages: readonly Locale[],
  asked: AskedBefore,
) => Promise<Rendered[]>

type Log = (line: string) => void

/**
 * Tells the edge everything that has happened since it was last told: for each place concerned the changed
 * pages are rendered, the manifest flips and the snapshots are written. Events are closed only after that, so
 * a crash repeats work and loses none; repeating changes nothing. The places in `whole` are rendered whole, and those
 * of events of kind 'hub'; of a place that lives in another database (not `isHere`) nothing is told. What concerns a hub
 * that someone else is making stays open, and the queue is told when that is done. Gives the events that it saw.
 */
export async function publishOutbox(
  ctx: Context,
  visit: Visit,
  log: Log,
  whole: string[] = [],
  isHere: (placeId: string) => boolean = () => true,
): Promise<OpenEvent[]> {
  const events = await openEvents(ctx)
  const everywhere = events.some((event) => event.placeId === null) ? await placeIds(ctx) : []
  const told = [...whole, ...everywhere, ...events.flatMap((event) => event.placeId ?? [])]
  const places = new Set(told.filter(isHere))
  // Visibility first, of all places: what is no longer public must go before anything new is made.
  const failed = await tellStates(ctx, places)
  const busy = new Set<string>()
  for (const placeId of places) {
    const concerned = events.filter((event) => event.placeId === placeId || event.placeId === null)
    const isWhole = whole.includes(placeId) || concerned.some(({ kind }) => kind === 'hub')
    const changed = isWhole ? null : new Set(concerned.flatMap((event) => tagsOf(event)))
    try {
      if (!(await publishPlace(ctx, placeId, changed, visit, log))) busy.add(placeId)
    } catch (error) {
      // One hub that cannot be made must not hold up the others; its events stay open and the sweeper tries again.
      failed.add(placeId)
      ctx.report(error, { placeId, during: 'publish' })
      log(`${placeId}: not published, the site that is up stays up: ${String(error)}`)
    }
  }
  const concerns = (of: Set<string>, { placeId }: OpenEvent) =>
    placeId === null ? of.size > 0 : of.has(placeId)
  const isOpen = (event: OpenEvent) => concerns(failed, event) || concerns(busy, event)
  await closeEvents(ctx, idsOf(events.filter((event) => !isOpen(event))))
  await countAttempt(ctx, idsOf(events.filter((event) => concerns(failed, event))))
  // What a message asks for is written down where it has to wait.
  for (const placeId of whole)
    if (busy.has(placeId)) await write(ctx, (tx) => tell(tx, { kind: 'hub', placeId, payload: {} }))
  if (whole.some((placeId) => failed.has(placeId))) throw new Error('A hub could not be rendered whole.')
  return events
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

/**
 * Brings what the edge knows of one place up to date; `changed` null renders every page again. False: someone else is making
 * the pages of this hub, and only what has gone was taken away.
 */
export async function publishPlace(
  ctx: Context,
  placeId: string,
  changed: Set<string> | null,
  visit: Visit,
  log: Log,
): Promise<boolean> {
  const hub = await hubState(ctx, placeId)
  const gone = hub
    ? hub.released
    : placeHostnames({ id: placeId, domains: await domainsLeft(ctx, placeId) }, ctx.settings)
  await forgetHosts(ctx, gone)
  if (!hub) return true
  const canonicalHost = hub.domains[0] ?? placeHostnames({ id: placeId, domains: [] }, ctx.settings)[0] ?? ''
  // Visibility first: what is no longer public must go before anything new is made.
  await publishSnapshot(ctx, hub, canonicalHost, hub.manifest)
  if (!hub.isHub) {
    if (changed === null) await refreshAnswers(ctx, placeId)
    return true
  }
  const made: Made = { ctx, hub, canonicalHost, changed, visit, log }
  const lease = await HubLease.take(ctx, placeId)
  if (!lease) {
    log(`${placeId}: someone else is making it`)
    await takeAway(made)
    return false
  }
  try {
    // Visitors may not store answers, so what is stale is asked once here and not by each page.
    await refreshAnswers(ctx, placeId)
    await makeAll(made, lease)
    return true
  } catch (error) {
    if (!(error instanceof Superseded)) throw error
    log(`${placeId}: someone else has taken over`)
    return false
  } finally {
    // Where the database does not answer the lease ends by itself.
    if (await lease.free().catch(() => false)) ctx.wake()
  }
}

/** A hub that is brought up to date. */
interface Made {
  ctx: Context
  hub: HubState
  canonicalHost: string
  changed: Set<string> | null
  visit: Visit
  log: Log
}

/** Makes every stage and has it served. Throws Superseded when the hub is not ours any more: nothing of it is served then. */
async function makeAll(made: Made, lease: HubLease): Promise<void> {
  const { ctx, hub, canonicalHost } = made
  const { placeId } = hub
  const served = await readManifest(ctx.hubs, placeId, lease.manifest)
  const asked = hubMemory()
  let current = lease.manifest
  for (const only of stagesOf(served, hubPages(hub))) {
    const number = await makeStage(made, current, only, asked, () => lease.beat())
    if (number === null) continue
    current = await flipped(ctx, lease, placeId, current, number)
    // Making the pages took its time: what was public before may not be so any more.
    const now = await hubState(ctx, placeId)
    if (now) await publishSnapshot(ctx, now, canonicalHost, current)
  }
}

/** Has a manifest served that was made of another; with what was taken away meanwhile. Gives the number that is served then. */
async function flipped(
  ctx: Context,
  lease: HubLease,
  placeId: string,
  base: number,
  made: number,
): Promise<number> {
  let [from, to] = [base, made]
  while (!(await lease.flip(from, to))) {
    const theirs = await servedManifest(ctx, placeId)
    const number = await allocateManifest(ctx, placeId)
    await mergeManifests(ctx.hubs, placeId, { base: from, mine: to, theirs, number })
    ;[from, to] = [theirs, number]
  }
  return to
}

/** Takes away what has gone, and makes the lists anew that named it: that waits for nobody. */
async function takeAway(made: Made): Promise<void> {
  const { ctx, hub, canonicalHost } = made
  const { placeId } = hub
  const asked = hubMemory()
  let current = await servedManifest(ctx, placeId)
  for (const only of urgentStages(await readManifest(ctx.hubs, placeId, current), hubPages(hub))) {
    const number = await makeStage(made, current, only, asked)
    if (number === null) continue
    // Who makes the hub has made some of it: begin with that.
    if (!(await flipManifest(ctx, placeId, current, number))) return takeAway(made)
    current = number
    await publishSnapshot(ctx, hub, canonicalHost, current)
  }
}

function makeStage(
  { ctx, hub, canonicalHost, changed, visit, log }: Made,
  current: number,
  only: (path: HubPath) => boolean,
  asked: AskedBefore['hub'],
  beat?: () => Promise<void>,
): Promise<number | null> {
  const { placeId } = hub
  return prerender(
    {
      placeId,
      paths: hubPages(hub),
      current,
      changed: current === 0 ? null : changed,
      allocate: () => allocateManifest(ctx, placeId),
      only,
      asked,
    },
    async (path, languages, before) => {
      await beat?.()
      return visit({ placeId, canonicalHost }, path, languages, before)
    },
    { hubs: ctx.hubs, log },
  )
}

async function publishSnapshot(ctx: Context, hub: HubState, canonicalHost: string, manifest: number) {
  const snapshot: Snapshot = {
    placeId: hub.placeId,
    isHub: hub.isHub,
    canonicalHost,
    manifest,
    sources: Object.fromEntries(
      hub.sources.map((source) => [source.id, { version: source.dataVersion, public: source.isPublic }]),
    ),
  }
  const hosts = placeHostnames({ id: hub.placeId, domains: hub.domains }, ctx.settings)
  for (const host of hosts) await writeSnapshot(ctx.hubs, host, snapshot)
  for (const host of hub.domains) {
    const alias = aliasOf(host)
    if (alias) await writeSnapshot(ctx.hubs, alias, { redirect: host })
  }
  return snapshot
}
