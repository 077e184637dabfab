import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.ts'
import { checkPort, dataFolder, openDatabase, openWorker, CommandError, type LocalDatabase } from './local.ts'
import { renderHubs } from './render-hubs.ts'
import { readDemo, type Demo } from './seed/demo.ts'
import { seed } from './seed/seed.ts'
import { scriptContext } from './script-context.ts'
import { makeTiles } from './tiles.ts'
import { folderStore, uploadTiles } from './tile-store.ts'

interface StartOptions {
  port: number
  /** The folder of all data; `fresh` empties it first. */
  folder?: string
  fresh?: boolean
  /** The address of a Postgres; default: `DATABASE_URL`, else the embedded database in `folder`. */
  databaseUrl?: string | undefined
  /** Settings of the Worker other than those of a local one. */
  vars?: Record<string, string>
  log(line: string): void
}

interface RunningProduct {
  url: string
  demo: Demo
  miniflare: Awaited<ReturnType<typeof openWorker>>['miniflare']
  worker: Awaited<ReturnType<typeof openWorker>>['worker']
  database: LocalDatabase
  close(): Promise<void>
}

/**
 * Starts everything: database, Worker, boundaries, demo places, hubs. Each step is logged, skipped when its
 * result already exists, and resumed where an earlier start was killed. Throws `CommandError` with a sentence that
 * says what to do.
 */
export async function start({
  port,
  folder = dataFolder,
  fresh,
  databaseUrl = process.env.DATABASE_URL,
  vars,
  log,
}: StartOptions): Promise<RunningProduct> {
  await checkPort(port)
  if (fresh && databaseUrl)
    throw new CommandError(
      'Commonplace empties no Postgres of yours: make an empty database and name it in DATABASE_URL, or start without --fresh.',
    )
  if (fresh) rmSync(folder, { recursive: true, force: true })
  const step = stepper(log)

  step('Building')
  await build(log)
  step('Making the boundary tiles')
  // Before the database: making tiles beside an embedded Postgres in one process takes minutes instead of
  // seconds.
  const tiles = folderStore(join(folder, 'tiles'))
  const manifest = await makeTiles(tiles, (line) => log(`  ${line}`))
  step('Opening the database')
  const database = await openDatabase(folder, databaseUrl)
  step('Starting the Worker')
  const { miniflare, worker, close } = await openWorker({
    env: database.env,
    port,
    folder,
    ...(vars && { vars }),
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
    const demo = await seed(context.ctx, { folder, database: database.name }, log)
    step('Rendering the hubs')
    await renderHubs(database, worker, (await miniflare.getR2Bucket('HUBS')) as unknown as R2Bucket, log)
    await context.close()
    step(null)
    // Miniflare does not run cron by itself. It starts only here: earlier it would make the hubs a second
    // time beside those above.
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

/** Logs each step, and how long the previous one took. */
function stepper(log: (line: string) => void) {
  let name: string | null = null
  let startMs = performance.now()
  return (next: string | null) => {
    if (name) log(`✓ ${name} (${((performance.now() - startMs) / 1000).toFixed(1)} s)`)
    if (next) log(`… ${next}`)
    name = next
    startMs = performance.now()
  }
}
