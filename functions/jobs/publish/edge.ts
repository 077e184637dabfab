import type { Context } from '#functions/context.ts'
import { removeShapes } from '#functions/domain/boundary/set-shapes.ts'
import { findHostAlias } from '#functions/domain/hostname/domain-alias.ts'
import { hubState } from '#functions/domain/hub/hubs.ts'
import { findClosedHub } from '#functions/domain/place/closed-hub.ts'
import { listClosedFiles } from '#functions/domain/place/closed-files.ts'
import type { HubState } from '#functions/shapes/hub-state.ts'
import { markHandled, untoldPlaces } from '#functions/domain/outbox/outbox-reader.ts'
import { placeState } from '#functions/domain/place/place-state.ts'
import {
  clearFailures,
  countFailure,
  dueEdges,
  listFailures,
  retryNow,
} from '#functions/domain/page/publishing/failures.ts'
import { reapplyWithdrawals, type LastPublic } from '#functions/domain/internals/recovery.ts'
import { readManifest } from '#functions/edge/hub/manifest.ts'
import { writeClosedFiles } from '#functions/edge/media/withheld.ts'
import { readPlaceState, writePlaceState } from '#functions/edge/hub/place-state.ts'
import { describeFailure } from './problem.ts'
import { wrapBucket, StorageError } from '#functions/platform/storage.ts'
import { readSnapshot, removeSnapshot, writeSnapshot, type Snapshot } from '#functions/edge/hub/snapshot.ts'
import { placeHostnames } from '#functions/engine/address/urls.ts'
import { hasWithdrawn } from '#functions/edge/hub/withdrawn.ts'

/** Timeout for writing one object of the edge: the others do not wait longer for it. */
const writeMs = 5000
/** How many places are written concurrently. */
const atOnce = 8

/**
 * Writes the public state to the edge: of places with new events, and of those that failed and are due again.
 * Independent of pages, manifests, leases and failing places; a failure for one host is retried for that host only. Must
 * run as the system actor.
 */
export async function updateEdges(
  ctx: Context,
  isHere: (placeId: string) => boolean = () => true,
): Promise<void> {
  const untold = await untoldPlaces(ctx)
  const due = await dueEdges(ctx)
  const places = new Set([...untold.map(({ placeId }) => placeId), ...due].filter(isHere))
  await writeEdges(ctx, places)
  for (const { placeId, events } of untold) await markHandled(ctx, placeId, events)
}

/**
 * Writes the current state of some places to the edge. Failures are reported, counted and retried separately for each
 * object. Must run as the system actor.
 */
export async function writeEdges(input: Context, places: Iterable<string>): Promise<void> {
  const ctx = { ...input, hubs: wrapBucket(input.hubs, writeMs) }
  const next = [...places].values()
  const worker = async () => {
    for (const placeId of next)
      try {
        await writeEdge(ctx, placeId)
      } catch (error) {
        ctx.report(error, { placeId, during: 'writeEdges' })
        await recordFailure(ctx, placeId, 'state', error)
      }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** All objects concurrently and independently: the hosts first, since withdrawals depend on them. */
async function writeEdge(ctx: Context, placeId: string): Promise<void> {
  let hub = await hubState(ctx, placeId)
  if (hub?.isRestored) {
    const withdrawn = await reapplyWithdrawals(ctx, placeId, await readLastPublicState(ctx, hub))
    if (withdrawn.length > 0)
      ctx.report(
        new Error(`Withdrawn since the backup, and not made public again: ${withdrawn.join(', ')}.`),
        {
          placeId,
        },
      )
    hub = await hubState(ctx, placeId)
  }
  const writes = hub ? buildHostWrites(ctx, hub) : await buildClosedHostWrites(ctx, placeId)
  for (const host of (hub?.released ?? []).flatMap((each) => [each, findHostAlias(each) ?? each]))
    if (!writes.has(host)) writes.set(host, async () => (await removeSnapshot(ctx.hubs, host), false))
  writes.set('state', async () => {
    const state = await placeState(ctx, placeId)
    if (state) await writePlaceState(ctx.hubs, state)
    return false
  })
  const targets = [...writes]
  const ends = await Promise.allSettled(targets.map(([, write]) => write()))
  const before = new Set((await listFailures(ctx, placeId)).map(({ target }) => target))
  const right = targets.flatMap(([target], i) => (ends[i]?.status === 'fulfilled' ? [target] : []))
  // Former hosts of the place need no write.
  const past = [...before].filter((target) => target !== 'pages' && !writes.has(target))
  await clearFailures(ctx, placeId, [...right.filter((target) => before.has(target)), ...past])
  for (const [i, [target]] of targets.entries()) {
    const end = ends[i]
    if (end?.status !== 'rejected') continue
    ctx.report(end.reason, { placeId, target, during: 'writeEdge' })
    await recordFailure(ctx, placeId, target, end.reason)
  }
  // The edge no longer serves it; pages that mention it are rendered again immediately.
  if (before.has('pages') && ends.some((end) => end.status === 'fulfilled' && end.value))
    await retryNow(ctx, placeId)
}

/**
 * The edge's last public state of a place, read from the storage and not from memory. Throws `StorageError` where that
 * cannot be read: then nothing is written, and it is retried.
 */
async function readLastPublicState(ctx: Context, hub: HubState): Promise<LastPublic> {
  const state = await readPlaceState(ctx.hubs, hub.placeId)
  const last: LastPublic = {
    sources: state && Object.keys(state.sources),
    insights: state && Object.keys(state.insights),
    ...{ pages: null, isHub: null, manifest: null },
  }
  for (const host of placeHostnames({ id: hub.placeId, domains: hub.domains }, ctx.settings)) {
    const snapshot = await readSnapshot(ctx.hubs, host)
    if (snapshot?.dataTime !== undefined) throw new StorageError('What is known of the host cannot be read.')
    // A domain may be another place's since.
    if (snapshot?.placeId !== hub.placeId) continue
    const { manifest, isHub, pages = null } = snapshot
    const isWhole = (await readManifest(ctx.hubs, hub.placeId, manifest)) !== null
    return { ...last, pages, isHub, manifest: isWhole ? manifest : null }
  }
  return last
}

async function recordFailure(ctx: Context, placeId: string, target: string, error: unknown): Promise<void> {
  const reason = await describeFailure(ctx, placeId, error)
  await countFailure(ctx, { placeId, target }, reason, reason.kind === 'storage')
}

/** Functions that write the snapshots of a place's hosts; each returns whether it withdrew something. */
function buildHostWrites(ctx: Context, hub: HubState): Map<string, () => Promise<boolean>> {
  const snapshot = buildSnapshot(ctx, hub)
  const writes = new Map<string, () => Promise<boolean>>()
  for (const host of placeHostnames({ id: hub.placeId, domains: hub.domains }, ctx.settings))
    writes.set(host, async () => {
      const before = await writeSnapshot(ctx.hubs, host, snapshot)
      return before !== null && 'manifest' in before && hasWithdrawn(before, snapshot)
    })
  for (const host of hub.domains) {
    const alias = findHostAlias(host)
    const { at } = hub
    if (alias)
      writes.set(alias, async () => (await writeSnapshot(ctx.hubs, alias, { redirect: host, at }), false))
  }
  return writes
}

/**
 * The hosts of a closed place, whose snapshots say so; empty where there never was such a place. Also withdraws its
 * public areas and files.
 */
async function buildClosedHostWrites(
  ctx: Context,
  placeId: string,
): Promise<Map<string, () => Promise<boolean>>> {
  const closed = await findClosedHub(ctx, placeId)
  const writes = new Map<string, () => Promise<boolean>>()
  if (!closed) return writes
  const { domains, languages, at, boundarySets } = closed
  const names = placeHostnames({ id: placeId, domains }, ctx.settings)
  for (const host of names.flatMap((each) => [each, findHostAlias(each) ?? each]))
    writes.set(host, async () => {
      const before = await writeSnapshot(ctx.hubs, host, { closed: true, placeId, languages, at })
      return before !== null && !('closed' in before)
    })
  writes.set('areas', async () => {
    for (const id of boundarySets) await removeShapes(ctx, id)
    return false
  })
  writes.set('files', async () => {
    const next = Object.entries(await listClosedFiles(ctx, placeId)).values()
    const worker = async () => {
      for (const [beginning, list] of next) await writeClosedFiles(ctx.hubs, beginning, list)
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    return false
  })
  return writes
}

/** The host that links and search engines should use. */
export const getCanonicalHost = (ctx: Pick<Context, 'settings'>, { placeId, domains }: HubState): string =>
  domains[0] ?? placeHostnames({ id: placeId, domains: [] }, ctx.settings)[0] ?? ''

/** The snapshot of a place's hosts for the edge. */
export function buildSnapshot(ctx: Pick<Context, 'settings'>, hub: HubState): Snapshot {
  return {
    placeId: hub.placeId,
    isHub: hub.isHub,
    canonicalHost: getCanonicalHost(ctx, hub),
    manifest: hub.manifest,
    languages: hub.languages,
    at: hub.at,
    since: hub.since,
    sources: Object.fromEntries(
      hub.sources.map((source) => [source.id, { version: source.dataVersion, public: source.isPublic }]),
    ),
    pages: hub.pages.map(({ id }) => id),
    insights: hub.insights,
  }
}
