import { join } from 'node:path'
import { dataFolder, freePort, openDatabase, openWorker, Stop } from './local.ts'
import { publishHubs } from './publish-hub.ts'
import { readDemo } from './seed/demo.ts'

// Renders hubs again, whole: `npm run prerender -- --place usa`, or all of them without a name.
try {
  const at = process.argv.indexOf('--place')
  const named = at > 0 ? process.argv[at + 1] : undefined
  const host = `localhost:${process.env.PORT ?? 8787}`
  const database = await openDatabase(dataFolder)
  const { worker, close } = await openWorker({
    env: database.env,
    port: await freePort(),
    folder: dataFolder,
    log: console.log,
    vars: { APP_HOST: host, PUBLIC_HOST: host },
  })
  const places = named ? [named] : readDemo(join(dataFolder, 'demo.json')).places.map(({ id }) => id)
  let failed = 0
  for (const placeId of places)
    await publishHubs(worker, database.env, [placeId]).catch((error: unknown) => {
      console.error(String(error))
      failed += 1
    })
  await close()
  await database.close()
  process.exit(failed)
} catch (error) {
  console.error(error instanceof Stop ? error.message : error)
  process.exit(1)
}
