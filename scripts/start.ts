import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '#db/connect.ts'
import { build, sourcesHash } from './build.ts'
import { checkPort, dataFolder, openDatabase, openWorker, type LocalDatabase } from './local.ts'
import { readDemo, type Demo } from './seed/demo.ts'
import { seed } from './seed/seed.ts'
import { scriptContext } from './script-context.ts'
import { asSystem, makeHubsAgain, publishHubs } from './publish-hub.ts'
import { setCurrentBuild } from '#functions/domain/builds/currentBuild.ts'
import { makeTiles } from './tiles.ts'
import { folderStore, uploadTiles } from './tile-store.ts'

export interface StartOptions {
  port: number
  /** Where everything is kept; `fresh` empties it first. */
  folder?: string
  fresh?: boolean
  log(line: string): void
}

export interface Running {
  url: string
  demo: Demo
  miniflare: Awaited<ReturnType<typeof openWorker>>['miniflare']
  worker: Awaited<ReturnType<typeof openWorker>>['worker']
  database: LocalDatabase
  close(): Promise<void>
}

/**
 * Brings everything up: database, Worker, boundaries, demo places, hubs. Each step says what it does and is
 * skipped when its result is already there. Throws `Stop` with a sentence a person can act on.
 */
export async function start({ port, folder = dataFolder, fresh, log }: StartOptions): Promise<Running> {
  await checkPort(port)
  if (fresh) rmSync(folder, { recursive: true, force: true })
  const step = stepper(log)

  step('Building')
  await build(log)
  step('Making the boundary tiles')
  // Before the database: cutting tiles beside an embedded Postgres in one process takes minutes instead of seconds.
  const tiles = folderStore(join(folder, 'tiles'))
  const manifest = await makeTiles(tiles, (line) => log(`  ${line}`))
  step('Opening the database')
  const database = await openDatabase(folder)
  step('Starting the Worker')
  const { miniflare, worker, close } = await openWorker({
    env: database.env,
    port,
    folder,
    log: (line) => log(`  ${line}`),
  })
  let ticking: NodeJS.Timeout | undefined
  const stop = async () => {
    clearInterval(ticking)
    await close()
    await database.close()
  }
  try {
    await uploadTiles(tiles, manifest, await miniflare.getR2Bucket('TILES'))
    step('Seeding the demo places')
    const context = await scriptContext(database.env, port, miniflare)
    const demo = await seed(context.ctx, join(folder, 'demo.json'), log)
    step('Rendering the hubs')
    await renderHubs(database, worker, miniflare, log)
    await context.close()
    step(null)
    // Miniflare does not fire cron by itself. Not before: it would make the hubs a second time beside those above.
    ticking = setInterval(() => void worker.scheduled({ cron: '* * * * *' }).catch(() => {}), 60_000)
    return {
      url: `http://localhost:${port}`,
      demo: demo ?? readDemo(join(folder, 'demo.json')),
      miniflare,
      worker,
      database,
      close: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Renders the hubs that were never published, and has those made again that have pages of another build. */
async function renderHubs(
  database: LocalDatabase,
  worker: Running['worker'],
  miniflare: Running['miniflare'],
  log: (line: string) => void,
) {
  const hubs = await miniflare.getR2Bucket('HUBS')
  const stamp = await (await hubs.get('build'))?.text()
  const { db, end } = connect(database.env, asSystem)
  const places = await db
    .selectFrom('place')
    .leftJoin('hub', 'hub.placeId', 'place.id')
    .select(['place.id', 'place.isHub', 'hub.manifest'])
    .orderBy('place.id')
    .execute()
  const fresh = places.filter((place) => stamp === undefined || (place.isHub && !place.manifest))
  for (const { id } of fresh) await publishHubs(worker, database.env, [id])
  // Changes that wait go before, and keep their hub from being made again meanwhile.
  await publishHubs(worker, database.env).catch((error: unknown) => log(`  ${String(error)}`))
  await setCurrentBuild(hubs as unknown as R2Bucket, sourcesHash(), new Date())
  const { made, left } = await makeHubsAgain(worker, database.env, sourcesHash())
  if (fresh.length === 0 && made === 0 && left.length === 0) log('  The hubs are up to date.')
  for (const { placeId, why } of left) log(`  ${placeId} stays as it is for now: ${why}`)
  await hubs.put('build', sourcesHash())
  await end()
}

/** Says what is being done, and how long the step before took. */
function stepper(log: (line: string) => void) {
  let name: string | null = null
  let began = performance.now()
  return (next: string | null) => {
    if (name) log(`✓ ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
    if (next) log(`… ${next}`)
    name = next
    began = performance.now()
  }
}
