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
  type HubState,
} from '../domain/hubs.ts'
import { refreshAnswers } from '../domain/refresh.ts'
import { placeState } from '../domain/placeState.ts'
import { closeEvents, countAttempt, openEvents, type OpenEvent } from '../domain/outbox-reader.ts'
import { hubPages } from './hub-pages.ts'
import type { Locale } from './locales.ts'
import { writePlaceState } from './place-state.ts'
import { readManifest } from './manifest.ts'
import { prerender, type Rendered } from './prerender.ts'
import { removeSnapshot, writeSnapshot, type Snapshot } from './snapshot.ts'
import { stagesOf } from './stages.ts'
import { placeHostnames } from './urls.ts'

/** Renders one path of a hub, in each of some languages, as an anonymous visitor would get it live. */
export type Visit = (
  hub: { placeId: string; canonicalHost: string },
  path: string,
  languages: readonly Locale[],
) => Promise<Rendered[]>

type Log = (line: string) => void

/**
 * Tells the edge everything that has happened since it was last told: for each place concerned the changed
 * pages are rendered, the manifest flips and the snapshots are written. Events are closed only after that, so
 * a crash repeats work and loses none; repeating changes nothing. The places in `whole` are rendered whole, and those
 * of events of kind 'hub'; of a place that lives in another database (not `isHere`) nothing is told. Gives the events
 * that it saw.
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
  for (const placeId of places) {
    const concerned = events.filter((event) => event.placeId === placeId || event.placeId === null)
    const isWhole = whole.includes(placeId) || concerned.some(({ kind }) => kind === 'hub')
    const changed = isWhole ? null : new Set(concerned.flatMap((event) => tagsOf(event)))
    try {
      await publishPlace(ctx, placeId, changed, visit, log)
    } catch (error) {
      // One hub that cannot be made must not hold up the others; its events stay open and the sweeper tries again.
      failed.add(placeId)
      ctx.report(error, { placeId, during: 'publish' })
      log(`${placeId}: not published, the site that is up stays up: ${String(error)}`)
    }
  }
  const isOpen = (event: { placeId: string | null }) =>
    event.placeId === null ? failed.size > 0 : failed.has(event.placeId)
  await closeEvents(ctx, idsOf(events.filter((event) => !isOpen(event))))
  await countAttempt(ctx, idsOf(events.filter(isOpen)))
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

/** Brings what the edge knows of one place up to date; `changed` null renders every page again. */
export async function publishPlace(
  ctx: Context,
  placeId: string,
  changed: Set<string> | null,
  visit: Visit,
  log: Log,
): Promise<void> {
  const hub = await hubState(ctx, placeId)
  const gone = hub
    ? hub.released
    : placeHostnames({ id: placeId, domains: await domainsLeft(ctx, placeId) }, ctx.settings)
  await forgetHosts(ctx, gone)
  if (!hub) return
  const canonicalHost = hub.domains[0] ?? placeHostnames({ id: placeId, domains: [] }, ctx.settings)[0] ?? ''
  // Visibility first: what is no longer public must go before anything new is made.
  const first = await publishSnapshot(ctx, hub, canonicalHost, hub.manifest)
  // Visitors may not store answers, so what is stale is asked once here and not by each page.
  if (hub.isHub || changed === null) await refreshAnswers(ctx, placeId)
  if (!hub.isHub) return
  const paths = hubPages(hub)
  const served = await readManifest(ctx.hubs, placeId, hub.manifest)
  let current = hub.manifest
  for (const only of stagesOf(served, paths)) {
    const number = await prerender(
      {
        placeId,
        paths,
        current,
        changed: hub.manifest === 0 ? null : changed,
        allocate: () => allocateManifest(ctx, placeId),
        only,
      },
      (path, languages) => visit({ placeId, canonicalHost }, path, languages),
      { hubs: ctx.hubs, log },
    )
    if (number === null) continue
    if (!(await flipManifest(ctx, placeId, current, number))) {
      log(`${placeId}: another builder was faster, starting over`)
      // What it made is as new as it knew; what was told to this one is made on top of that.
      return publishPlace(ctx, placeId, changed, visit, log)
    }
    current = number
    // Making the pages took its time: what was public before may not be so any more.
    const now = await hubState(ctx, placeId)
    if (now) await publishSnapshot(ctx, now, first.canonicalHost, number)
  }
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
