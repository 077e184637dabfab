import { mkdirSync, rmSync } from 'node:fs'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { openDatabase, openWorker } from '../local.ts'
import { publishHubs } from '../publish-hub.ts'
import { scriptContext } from '../script-context.ts'
import { seedBoundaries } from '../seed/boundaries.ts'
import { folderStore, uploadTiles } from '../tile-store.ts'
import { makeTiles } from '../tiles.ts'
import type { InspectedHub } from './hubs.ts'
import { seedHub } from './seed.ts'

const folder = new URL('../../.cache/places/data/', import.meta.url).pathname
/** Tiles of shared boundaries are kept: only those with changed outlines are made again. */
const tileFolder = new URL('../../.cache/places/tiles/', import.meta.url).pathname

/** Creates and publishes the hubs anew, with a database and a Worker of their own; `close` stops both. */
export async function openHubs(hubs: InspectedHub[], port: number, log: (line: string) => void) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const tiles = folderStore(tileFolder)
  const manifest = await makeTiles(tiles, () => {})
  const database = await openDatabase(folder)
  const { miniflare, worker, close } = await openWorker({ env: database.env, port, folder, log })
  const closeAll = async () => {
    await close()
    await database.close()
  }
  try {
    await uploadTiles(tiles, manifest, await miniflare.getR2Bucket('TILES'))
    const context = await scriptContext(database.env, port, miniflare)
    await context.ctx.transaction((tx) => seedRoles(tx))
    await seedBoundaries(context.ctx, log)
    for (const hub of hubs) {
      await seedHub(context.ctx, hub)
      log(`  ${hub.name}: ${hub.areas.name}, ${hub.records.name}`)
    }
    await context.close()
    await publishHubs(
      worker,
      database.env,
      hubs.map(({ id }) => id),
    )
    return { close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}
