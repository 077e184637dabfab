import type { Context } from '#functions/context.ts'
import { hubManifest, listServedHubs } from '#functions/domain/hub/hubs.ts'
import { addCounts, endPass, readCheck, saveCheck } from '#functions/domain/file/storage/check.ts'
import { emit } from '#functions/domain/outbox/outbox.ts'
import type { DomainEvent } from '#functions/domain/outbox/events.ts'
import { fileKey, manifestKey, manifestName, pageKey, readManifest } from '#functions/edge/hub/manifest.ts'

/** Limits of one night: hubs, and lists of a thousand names for them. */
const usual = { hubs: 1000, lists: 500, names: 1000 }

/** Names of one event: some kilobytes. */
const namesAtOnce = 200

/** The kind of outbox event for lost objects. */
const lostKind = 'lost'

/** The key under which the progress of a pass is stored. */
const part = 'hubs/'

/**
 * Checks that all objects of served hubs are in the bucket, continuing where the night before ended, and emits an event
 * with the names of the missing ones: pages with these are rendered and stored again. Otherwise an unchanged page is
 * never rendered again, and its readers get an error until then. Findings are stored with those of other parts of the
 * storage. Returns the number of lost objects. Must run as the system actor.
 */
export async function findLost(ctx: Context, most = usual): Promise<number> {
  let check = await readCheck(ctx.db, part)
  const placeIds = await listServedHubs(ctx, check.cursor, most.hubs)
  let [lists, all] = [0, 0]
  for (const placeId of placeIds) {
    const row = await checkHubObjects(ctx, placeId, most.names)
    lists += row.lists
    all += row.lost
    const counts = { objects: row.objects, lost: row.lost }
    check = { ...check, cursor: placeId, counts: addCounts(check.counts, counts) }
    await saveCheck(ctx, check)
    if (lists >= most.lists) return all
  }
  if (placeIds.length < most.hubs) await endPass(ctx, check)
  return all
}

/** The lost objects of one hub; emits the event. */
async function checkHubObjects(ctx: Context, placeId: string, names: number) {
  const number = await hubManifest(ctx, placeId)
  const present = new Set<string>()
  let lists = 0
  for (const key of [manifestKey(placeId, number), pageKey(placeId, ''), fileKey(placeId, '')]) {
    let startAfter: string | undefined
    do {
      const list = await ctx.hubs.list({ prefix: key, limit: names, ...(startAfter && { startAfter }) })
      for (const object of list.objects) present.add(object.key)
      startAfter = list.truncated ? list.objects.at(-1)?.key : undefined
      lists += 1
    } while (startAfter !== undefined)
  }
  const manifest = await readManifest(ctx.hubs, placeId, number)
  // Without its list (memory may have one that the bucket lacks) the whole hub is rendered again.
  const expectedObjects = new Map([
    [manifestKey(placeId, number), manifestName(number)],
    ...Object.values(manifest?.pages ?? {}).flatMap(({ hash, files }) => [
      [pageKey(placeId, hash), hash] as const,
      ...files.map((name) => [fileKey(placeId, name), name] as const),
    ]),
  ])
  const lost = [...expectedObjects].filter(([key]) => !present.has(key)).map(([, name]) => name)
  // Published meanwhile, so the list is outdated. The next pass checks it again.
  const isOfNow = (await hubManifest(ctx, placeId)) === number
  if (isOfNow && lost.length > 0) await reportLostObjects(ctx, placeId, lost)
  return { lists, lost: isOfNow ? lost.length : 0, objects: expectedObjects.size }
}

/** Emits the names of the lost objects of a hub. */
async function reportLostObjects(ctx: Context, placeId: string, names: string[]): Promise<void> {
  const text = `${names.length} objects of a hub were lost in the storage, and are made again.`
  ctx.report(new Error(text), { placeId })
  await ctx.transaction(async (tx) => {
    for (let at = 0; at < names.length; at += namesAtOnce)
      await emit(tx, { kind: lostKind, placeId, payload: { names: names.slice(at, at + namesAtOnce) } })
  })
  ctx.wake()
}

/** The names of lost objects in events. */
export function lostIn(events: readonly DomainEvent[]): Set<string> {
  return new Set(
    events.flatMap(({ kind, payload }) =>
      kind === lostKind && Array.isArray(payload.names) ? payload.names.map(String) : [],
    ),
  )
}
