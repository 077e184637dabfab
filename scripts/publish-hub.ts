import { setTimeout as delay } from 'node:timers/promises'
import { connect, type DbEnv, type Identity } from '#db/connect.ts'
import { queueMessage, type openWorker } from './local.ts'

/** Longer than the lease of a killed worker, which nobody can shorten. */
const longestPauseMs = 60_000

type Worker = Pick<Awaited<ReturnType<typeof openWorker>>['worker'], 'queue'>

/** Scripts act as the system. */
export const asSystem: Identity = { user: '', places: [], global: 'system' }

/**
 * Has hubs made completely, and waits until no event about them is pending, however many steps that takes;
 * without hubs, until all pending events are processed. Throws when a hub cannot be made (the Worker's log
 * says why), and when there is no progress for `maxPauseMs`.
 */
export async function publishHubs(
  worker: Worker,
  env: DbEnv,
  placeIds: readonly string[] = [],
  maxPauseMs = longestPauseMs,
) {
  const { db, end } = connect(env, asSystem)
  try {
    let messages: object[] = placeIds.map((placeId) => ({ v: 1, kind: 'hub', placeId }))
    if (messages.length === 0) messages = [{ v: 1, kind: 'outbox' }]
    let before = ''
    let movedAt = performance.now()
    for (;;) {
      const { outcome } = await worker.queue('events', messages.map(queueMessage))
      if (outcome !== 'ok') throw new Error('The hubs could not be rendered; the lines above say why.')
      let query = db.selectFrom('outbox').select(['id', 'placeId', 'attempts']).where('doneAt', 'is', null)
      if (placeIds.length > 0) query = query.where('placeId', 'in', placeIds)
      const open = await query.execute()
      if (open.length === 0) return
      const failing = open.find(({ attempts }) => attempts > 0)
      if (failing)
        throw new Error(`The hub of ${failing.placeId} could not be rendered; the lines above say why.`)
      // Progress shows in a lease that is renewed every few seconds, in a manifest after each stage, and in the
      // number of the lease after each step, which renders at least one page: the first stage may take many steps.
      const hubs = await db
        .selectFrom('hub')
        .select(['manifest', 'leaseUntil', 'fence'])
        .orderBy('placeId')
        .execute()
      const now = JSON.stringify([open.map(({ id }) => id), hubs])
      if (now !== before) [before, movedAt] = [now, performance.now()]
      else if (performance.now() - movedAt > maxPauseMs)
        throw new Error(
          `The hub of ${open[0]?.placeId} makes no progress; it is tried again in the background.`,
        )
      // The Worker wakes its own queue after a step, so it may already be working.
      await delay(100)
      messages = [{ v: 1, kind: 'outbox' }]
    }
  } finally {
    await end()
  }
}

/**
 * Has sources profiled and their files made, which the queue does when it has time. Pages show both, so hubs are
 * published again afterwards. Throws when it fails (the Worker's log says why).
 */
export async function prepareSources(worker: Worker, sources: readonly string[]): Promise<void> {
  const { outcome } = await worker.queue('events', [queueMessage({ v: 1, kind: 'exports', sources })])
  if (outcome !== 'ok') throw new Error('The sources could not be prepared; the lines above say why.')
}

/**
 * Has hubs made again whose pages are of another build than `version`, until nothing more can be made.
 * Returns the number of hubs made, and those that failed, with the reason.
 */
export async function makeHubsAgain(worker: Worker, env: DbEnv, version: string) {
  const { db, end } = connect(env, asSystem)
  const rest = async () => {
    const hubs = await db
      .selectFrom('hub')
      .innerJoin('place', 'place.id', 'hub.placeId')
      .select(['hub.placeId', 'hub.manifest', 'hub.builds', 'hub.buildsOf', 'hub.buildFailure'])
      .where('place.isHub', '=', true)
      .where('place.deletedAt', 'is', null)
      .where('hub.manifest', '>', 0)
      .execute()
    return hubs.filter(({ builds, buildsOf, manifest }) => buildsOf !== manifest || builds.join() !== version)
  }
  try {
    let remaining = await rest()
    const before = remaining.length
    for (let isMoving = true; isMoving && remaining.length > 0;) {
      await worker.queue('jobs', [queueMessage({ v: 1, kind: 'builds' })])
      const now = await rest()
      isMoving = JSON.stringify(now) !== JSON.stringify(remaining)
      remaining = now
    }
    return {
      madeCount: before - remaining.length,
      failures: remaining.map(({ placeId, buildFailure }) => ({
        placeId,
        why: Object.values(buildFailure?.pages ?? {})[0] ?? 'it is made in the background',
      })),
    }
  } finally {
    await end()
  }
}
