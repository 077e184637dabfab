import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startProxy } from '#db/embedded/proxy.ts'
import { toServerAddress } from '#db/embedded/tls.ts'
import type { Db } from '#db/schema.ts'
import { setArchives } from '#functions/engine/tile/manifest.ts'
import { findFreePort, openWorker, queueMessage } from '../local.ts'
import { kyselyOver } from './context.ts'
import { appIn, limitedWorkerd } from './import-worker.ts'
import { onImportDatabase, placeId, systemPool } from './import-world.ts'
import { openIsolate } from './isolate.ts'

/**
 * The cost of making the tiles of a set in the built Worker: milliseconds from the message on, and the peak
 * memory of its isolate in megabytes.
 */
interface TilesInWorker {
  ms: number
  peakMegabytes: number
}

/** The timeout of making tiles. */
const maxMs = 600_000

/**
 * Makes the built Worker create the tiles of a set by a queue message, in workerd with a heap bounded as for
 * imports. `plant` inserts the set, which is due, into an empty database. Throws when the isolate ends, and
 * when there are no tiles at the end.
 */
export async function tilesInWorker(owner: URL, plant: (db: Db) => Promise<void>): Promise<TilesInWorker> {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-tiles-'))
  try {
    return await onImportDatabase(owner, async (database) => {
      const db = kyselyOver(systemPool(database))
      await plant(db)
      const proxy = await startProxy(toServerAddress(database))
      const [port, inspectorPort] = [await findFreePort(), await findFreePort()]
      const env = { DATABASE_URL: (await appIn(database)).href, DB_PROXY: proxy.address }
      process.env.MINIFLARE_WORKERD_PATH = limitedWorkerd(folder)
      const opening = openWorker({ env, port, folder, inspectorPort })
      const { miniflare, worker, close } = await opening.finally(
        () => delete process.env.MINIFLARE_WORKERD_PATH,
      )
      const isolate = await openIsolate(inspectorPort)
      try {
        const startMs = performance.now()
        const posting = worker.queue('jobs', [queueMessage({ v: 1, kind: 'jobs' })])
        let peakMegabytes = 0
        const isDue = () =>
          db.selectFrom('boundarySet').select('tilesDueAt').where('tilesDueAt', 'is not', null).execute()
        while ((await isDue()).length > 0 && performance.now() - startMs < maxMs) {
          peakMegabytes = Math.max(peakMegabytes, await isolate.megabytes())
          await delay(100)
        }
        const ms = performance.now() - startMs
        await posting
        const { objects } = await (
          await miniflare.getR2Bucket('TILES')
        ).list({ prefix: setArchives(placeId) })
        if (objects.length !== 1) throw new Error('The Worker made no tiles.')
        return { ms, peakMegabytes }
      } finally {
        isolate.close()
        await close()
        await proxy.close()
        await db.destroy()
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
