import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeWhole } from '../whole-file.ts'
import { buildGround } from './archive.ts'
import { regionBytes } from './regions.ts'
import { townBytes } from './towns.ts'

/** Raised by hand when the code makes other bytes of the same data, so that stored archives are made again. */
const recipe = 3

/** What the archive is made of, as a digest: data, recipe, and the ICU that names countries. */
export function groundInput(): string {
  const hash = createHash('sha256').update(regionBytes()).update(townBytes())
  return hash
    .update(JSON.stringify([recipe, process.versions.icu, process.versions.cldr]))
    .digest('hex')
    .slice(0, 12)
}

/** The bytes of the archive: built once in a checkout, which takes seconds, then read from its cache. */
export async function groundBytes(): Promise<Uint8Array> {
  const file = fileURLToPath(new URL(`../../.cache/ground/${groundInput()}.pmtiles`, import.meta.url))
  try {
    return new Uint8Array(readFileSync(file))
  } catch {
    const { bytes } = await buildGround()
    writeWhole(file, bytes)
    return bytes
  }
}
