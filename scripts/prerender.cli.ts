import { join } from 'node:path'
import { dataFolder, findFreePort, openDatabase, openWorker, CommandError } from './local.ts'
import { publishHubs } from './publish-hub.ts'
import { readDemo } from './seed/demo.ts'
import { formatProgress, readBuilds, startRerender, watchBuilds } from './watch-builds.ts'

/** Returns the argument after an option. */
const option = (name: string) => {
  const at = process.argv.indexOf(name)
  return at > 0 ? process.argv[at + 1] : undefined
}

/**
 * For a deployed product: `--status` prints the progress of its hubs, `--all` has those of other builds made
 * again and reports progress.
 */
async function elsewhere(url: string): Promise<number> {
  const key = process.env.COMMONPLACE_KEY
  if (!key)
    throw new CommandError('Set COMMONPLACE_KEY to a key of a super admin with the scope “internals”.')
  const product = { url: url.replace(/\/+$/, ''), key }
  if (process.argv.includes('--status')) {
    const builds = await readBuilds(product)
    if (!builds) throw new CommandError(`${url} is of a version that cannot say how far its hubs are.`)
    console.log(formatProgress(builds))
    return 0
  }
  if (process.argv.includes('--all')) await startRerender(product)
  return (await watchBuilds(product, console.log)) === 0 ? 0 : 1
}

// Renders hubs again, completely: `npm run prerender -- --place usa`, or all of them without a name. With
// `--url` those of a deployed product.
try {
  const url = option('--url')
  if (url !== undefined) process.exit(await elsewhere(url))
  const placeName = option('--place')
  const host = `localhost:${process.env.PORT ?? 8787}`
  const database = await openDatabase(dataFolder)
  const { worker, close } = await openWorker({
    env: database.env,
    port: await findFreePort(),
    folder: dataFolder,
    log: console.log,
    vars: { APP_HOST: host, PUBLIC_HOST: host },
  })
  const places = placeName ? [placeName] : readDemo(join(dataFolder, 'demo.json')).places.map(({ id }) => id)
  let failures = 0
  for (const placeId of places)
    await publishHubs(worker, database.env, [placeId]).catch((error: unknown) => {
      console.error(String(error))
      failures += 1
    })
  await close()
  await database.close()
  process.exit(failures)
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error)
  process.exit(1)
}
