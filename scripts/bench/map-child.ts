import { processTiles } from '#functions/domain/boundary/set-tiles.ts'
import { fillRegions } from '#functions/domain/records/regions.ts'
import { setArchives } from '#functions/engine/tile/manifest.ts'
import { folderBucket } from './folder-bucket.ts'
import { kyselyOver } from './context.ts'
import { contextOfWork, placeId, systemPool } from './import-world.ts'

/**
 * The stage and memory (megabytes) of the process; at the end of a stage its duration, and for tiles the size
 * of the archive in bytes.
 */
export interface MapSample {
  stage: 'tiles' | 'regions'
  held: number
  ms: number
  bytes: number
}

/**
 * A process that makes the tiles of the due set and then finds the regions of so many points in it.
 * Arguments: the URL of the database, a folder for its bucket, the number of points. Reports its memory ten
 * times a second.
 */
const [database = '', folder = '', points = ''] = process.argv.slice(2)
const pool = systemPool(new URL(database))
const db = kyselyOver(pool)
const tiles = folderBucket(folder)
const ctx = Object.assign(contextOfWork(db, tiles), { tiles })
let stage: MapSample['stage'] = 'tiles'
const sendSample = (more: Partial<MapSample> = {}) => {
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ stage, held: (heapUsed + external) / 1e6, ms: 0, bytes: 0, ...more })
}
const sampling = setInterval(sendSample, 100)

let startMs = performance.now()
await processTiles(ctx)
const ms = performance.now() - startMs
const { objects } = await tiles.list({ prefix: setArchives(placeId) })
if (objects.length !== 1) throw new Error('There are no tiles.')
sendSample({ ms, bytes: objects[0]?.size ?? 0 })

stage = 'regions'
const batch = 4000
const regionLookup = { point: 'at', boundarySetId: placeId, value: 'code' as const }
const column = { key: 'district', field: { name: 'District', type: 'text' as const, regionOf: regionLookup } }
startMs = performance.now()
await db.transaction().execute(async (tx) => {
  let matches = 0
  for (let finished = 0; finished < Number(points); finished += batch) {
    const rows = Array.from(
      { length: Math.min(batch, Number(points) - finished) },
      (): { data: Record<string, unknown> } => ({
        data: { at: { type: 'Point', coordinates: [-10 + 20 * Math.random(), 40 + 10 * Math.random()] } },
      }),
    )
    await fillRegions({ tx, ctx: { tiles } }, [column as never], rows, true)
    for (const { data } of rows) if (data.district !== null) matches += 1
  }
  if (matches < 0.95 * Number(points)) throw new Error(`Only ${matches} points lie in a district.`)
})
sendSample({ ms: performance.now() - startMs })
clearInterval(sampling)
await db.destroy()
process.disconnect()
