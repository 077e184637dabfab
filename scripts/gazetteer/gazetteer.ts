import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { gazetteerBytes } from '#functions/engine/gazetteer/file.ts'
import { regionBytes } from '../ground/regions.ts'
import { townBytes } from '../ground/towns.ts'
import { writeFileAtomic } from '../atomic-file.ts'
import { collectPlaces, readOtherNameBytes } from './collect.ts'

/**
 * The version of the build code: increase it by hand when the code makes other bytes of the same data, so
 * that a stored gazetteer is rebuilt.
 */
const recipe = 1
const gazetteerAttribution = 'GeoNames (CC BY 4.0), Natural Earth'

/** The file of American postal codes with a point each. Its package does not export the data. */
const postalCodesFile = fileURLToPath(
  new URL('../../node_modules/vega-datasets/data/zipcodes.csv', import.meta.url),
)

/** The digest of the gazetteer's inputs: data, recipe, and the ICU that names countries. */
export function gazetteerInput(): string {
  const postal = readFileSync(postalCodesFile)
  const hash = createHash('sha256').update(regionBytes()).update(townBytes())
  return hash
    .update(readOtherNameBytes())
    .update(postal)
    .update(JSON.stringify([recipe, process.versions.icu, process.versions.cldr]))
    .digest('hex')
    .slice(0, 12)
}

/**
 * Returns the gazetteer, compressed as stored in the bucket: built once per checkout, which takes seconds,
 * then read from a cache.
 */
export function packedGazetteer(): Uint8Array {
  const file = fileURLToPath(new URL(`../../.cache/gazetteer/${gazetteerInput()}.bin.gz`, import.meta.url))
  try {
    return new Uint8Array(readFileSync(file))
  } catch {
    const bytes = packGazetteer()
    writeFileAtomic(file, bytes)
    return bytes
  }
}

function packGazetteer(): Uint8Array {
  const { places, countries, regions } = collectPlaces()
  return gzipSync(gazetteerBytes(places, { attribution: gazetteerAttribution, countries, regions }), {
    level: 9,
  })
}
