import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { dataFolder } from './local.ts'
import { filesOf, folderStore } from './tile-store.ts'
import { makeTiles } from './tiles.ts'

// Makes the boundary archives into .data/tiles; with --remote also uploads them to the tiles bucket.
const folder = join(dataFolder, 'tiles')
const manifest = await makeTiles(folderStore(folder), console.log)
if (process.argv.includes('--remote')) {
  for (const { key, type } of filesOf(manifest)) {
    const to = ['wrangler', 'r2', 'object', 'put', `commonplace-tiles/${key}`]
    const args = [...to, '--file', join(folder, key), '--content-type', type, '--remote']
    if (spawnSync('npx', args, { stdio: 'inherit' }).status !== 0) process.exit(1)
  }
}
