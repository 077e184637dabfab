import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * Vitest's transformed files are cached until the file's text changes, and shared by all lanes. There is a
 * folder per set of packages: when the packages change, Vitest empties the folder at its start, and lanes
 * that already run would lose what they have written there.
 */
const packages = createHash('sha1').update(readFileSync('package-lock.json')).digest('hex').slice(0, 12)

export const moduleCache = { fsModuleCache: true, fsModuleCachePath: `.cache/vitest/${packages}` }
