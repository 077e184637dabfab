import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { archiveKey } from '#functions/engine/tile/manifest.ts'
import { fileFault } from './ground/file-fault.ts'
import { dataFolder } from './local.ts'
import { listManifestFiles, folderStore } from './tile-store.ts'
import { makeTiles } from './tiles.ts'

/** The maximum upload size of wrangler in bytes. */
const maxUploaded = 300_000_000
const archiveType = 'application/vnd.pmtiles'

const { values } = parseArgs({
  options: { remote: { type: 'boolean', default: false }, basemap: { type: 'string' } },
})
if (values.basemap === undefined) await tiles()
else await basemap(values.basemap)

/**
 * Makes the archives of boundaries and of the base map in .data/tiles; with --remote also uploads them to the
 * tiles bucket.
 */
async function tiles(): Promise<void> {
  const folder = join(dataFolder, 'tiles')
  const store = folderStore(folder)
  const manifest = await makeTiles(store, console.log)
  if (!values.remote) return
  for (const { key, type } of await listManifestFiles(store, manifest)) upload(join(folder, key), key, type)
}

/**
 * Prints the key of a base map archive in the bucket and the value for BASEMAP; with --remote also uploads
 * it.
 */
async function basemap(file: string): Promise<void> {
  const fault = await fileFault(file)
  if (fault !== null) {
    console.error(`${file} is no base map that can be used. ${fault}`)
    process.exit(1)
  }
  const digest = createHash('sha256')
  for await (const piece of createReadStream(file)) digest.update(piece as Buffer)
  const hash = digest.digest('hex').slice(0, 12)
  const key = archiveKey(hash)
  if (statSync(file).size > maxUploaded)
    console.log(
      `Too large for wrangler: upload it with an S3 client as commonplace-tiles/${key}, ${archiveType}.`,
    )
  else if (values.remote) upload(file, key, archiveType)
  console.log(`BASEMAP = "${hash}"`)
}

function upload(file: string, key: string, type: string): void {
  const to = ['wrangler', 'r2', 'object', 'put', `commonplace-tiles/${key}`]
  const args = [...to, '--file', file, '--content-type', type, '--remote']
  if (spawnSync('npx', args, { stdio: 'inherit' }).status !== 0) process.exit(1)
}
