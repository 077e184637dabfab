import { connect } from '#db/connect.ts'
import type { Db } from '#db/schema.ts'
import { hubManifest } from '#functions/domain/hub/hubs.ts'
import { setCurrentBuild } from '#functions/platform/current-build.ts'
import { sourcesHash } from './build.ts'
import type { LocalDatabase, openWorker } from './local.ts'
import { asSystem, makeHubsAgain, prepareSources, publishHubs } from './publish-hub.ts'

type WorkerHandle = Awaited<ReturnType<typeof openWorker>>

/**
 * Renders the hubs that were never published, and has those made again whose pages are of another build. A
 * hub that fails does not stop the others: `log` gets the reason, and the product retries it.
 */
export async function renderHubs(
  database: Pick<LocalDatabase, 'env'>,
  worker: Pick<WorkerHandle['worker'], 'queue'>,
  hubs: Pick<R2Bucket, 'get' | 'put'>,
  log: (line: string) => void,
): Promise<void> {
  const stamp = await (await hubs.get('build'))?.text()
  const { db, end } = connect(database.env, asSystem)
  try {
    const places = await db
      .selectFrom('place')
      .leftJoin('hub', 'hub.placeId', 'place.id')
      .select(['place.id', 'place.isHub', 'hub.manifest'])
      .orderBy('place.id')
      .execute()
    const fresh = places.filter((place) => stamp === undefined || (place.isHub && !place.manifest))
    const explain = async (placeId: string, error: unknown) => {
      const failure = await db
        .selectFrom('publishFailure')
        .select(['reason', 'path'])
        .where('placeId', '=', placeId)
        .executeTakeFirst()
      return failure ? `${failure.path ? `${failure.path}: ` : ''}${failure.reason}` : String(error)
    }
    // Pages show what the profiles and files of sources hold: made after the pages, these would be rendered a second
    // time. Hubs that were published before have theirs.
    const newHubs = fresh.filter(({ isHub, manifest }) => isHub && !manifest).map(({ id }) => id)
    if (newHubs.length > 0)
      await prepareSources(worker, await listSources(db, newHubs)).catch((error: unknown) =>
        log(`  ${String(error)}`),
      )
    // A message about one hub also publishes others with pending changes: of all that the seed has made.
    for (const { id, manifest } of fresh) {
      if (!manifest && (await hubManifest({ db }, id)) > 0) continue
      await publishHubs(worker, database.env, [id]).catch(async (error: unknown) =>
        log(`  ${id} is not rendered yet, and is tried again in the background: ${await explain(id, error)}`),
      )
    }
    // Pending changes are published first; they would keep their hub from being made again meanwhile.
    await publishHubs(worker, database.env).catch((error: unknown) => log(`  ${String(error)}`))
    await setCurrentBuild(hubs as R2Bucket, sourcesHash(), new Date())
    const { madeCount, failures } = await makeHubsAgain(worker, database.env, sourcesHash())
    if (fresh.length === 0 && madeCount === 0 && failures.length === 0) log('  The hubs are up to date.')
    for (const { placeId, why: reason } of failures) log(`  ${placeId} stays as it is for now: ${reason}`)
    await hubs.put('build', sourcesHash())
  } finally {
    await end()
  }
}

/** The ids of the sources of places, without deleted ones, in their order. */
async function listSources(db: Db, placeIds: readonly string[]): Promise<string[]> {
  const sources = await db
    .selectFrom('source')
    .select('id')
    .where('placeId', 'in', placeIds)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
  return sources.map(({ id }) => id)
}
