import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeFileAtomic } from '../atomic-file.ts'
import { buildGround } from './archive.ts'
import { regionBytes } from './regions.ts'
import { townBytes } from './towns.ts'

/**
 * The version of the build code: increase it by hand when the code makes other bytes of the same data, so
 * that stored archives are rebuilt.
 */
const recipe = 5

/** The digest of the archive's inputs: data, recipe, and the ICU that names countries. */
export function groundInput(): string {
  const hash = createHash('sha256').update(regionBytes()).update(townBytes())
  return hash
    .update(JSON.stringify([recipe, process.versions.icu, process.versions.cldr]))
    .digest('hex')
    .slice(0, 12)
}

/** Returns the bytes of the archive: built once per checkout, which takes seconds, then read from a cache. */
export async function groundBytes(): Promise<Uint8Array> {
  const file = fileURLToPath(new URL(`../../.cache/ground/${groundInput()}.pmtiles`, import.meta.url))
  try {
    return new Uint8Array(readFileSync(file))
  } catch {
    const { bytes } = await buildGround()
    writeFileAtomic(file, bytes)
    return bytes
  }
}
