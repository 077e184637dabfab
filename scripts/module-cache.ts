import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * What Vitest makes of a file is kept until the file's text changes, for every lane. A folder for each set of packages: where they are
 * others, Vitest empties the folder as it starts, and lanes that have begun would miss what they have written there.
 */
const packages = createHash('sha1').update(readFileSync('package-lock.json')).digest('hex').slice(0, 12)

export const moduleCache = { fsModuleCache: true, fsModuleCachePath: `.cache/vitest/${packages}` }
