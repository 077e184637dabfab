import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeTiles } from './tiles.ts'

// Makes the boundary archives into .data/tiles; with --remote also uploads them to the tiles bucket.
const folder = '.data/tiles'
const keys: { key: string; type: string }[] = []
await makeTiles(
  {
    async get(key) {
      try {
        return new Uint8Array(readFileSync(join(folder, key)))
      } catch {
        return null
      }
    },
    async put(key, bytes, type) {
      mkdirSync(dirname(join(folder, key)), { recursive: true })
      writeFileSync(join(folder, key), bytes)
      keys.push({ key, type })
    },
  },
  console.log,
)
if (process.argv.includes('--remote')) {
  for (const { key, type } of keys) {
    const args = ['wrangler', 'r2', 'object', 'put', `commonplace-tiles/${key}`, '--file', join(folder, key), '--content-type', type, '--remote']
    if (spawnSync('npx', args, { stdio: 'inherit' }).status !== 0) process.exit(1)
  }
}
