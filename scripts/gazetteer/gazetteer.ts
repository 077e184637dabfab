import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { gazetteerBytes } from '#functions/engine/gazetteer/file.ts'
import { regionBytes } from '../ground/regions.ts'
import { townBytes } from '../ground/towns.ts'
import { writeWhole } from '../whole-file.ts'
import { collectPlaces, otherNameBytes } from './collect.ts'

/** Raised by hand when the code makes other bytes of the same data, so that a stored gazetteer is made again. */
const recipe = 1
export const gazetteerAttribution = 'GeoNames (CC BY 4.0), Natural Earth'

/** American postal codes with a point each. Its package exports no data. */
export const postalCodesFile = fileURLToPath(
  new URL('../../node_modules/vega-datasets/data/zipcodes.csv', import.meta.url),
)

/** What the gazetteer is made of, as a digest: data, recipe, and the ICU that names countries. */
export function gazetteerInput(): string {
  const postal = readFileSync(postalCodesFile)
  const hash = createHash('sha256').update(regionBytes()).update(townBytes())
  return hash
    .update(otherNameBytes())
    .update(postal)
    .update(JSON.stringify([recipe, process.versions.icu, process.versions.cldr]))
    .digest('hex')
    .slice(0, 12)
}

/** The gazetteer, compressed as it lies in the bucket: made once in a checkout, which takes seconds, then read from its cache. */
export function packedGazetteer(): Uint8Array {
  const file = fileURLToPath(new URL(`../../.cache/gazetteer/${gazetteerInput()}.bin.gz`, import.meta.url))
  try {
    return new Uint8Array(readFileSync(file))
  } catch {
    const bytes = packGazetteer()
    writeWhole(file, bytes)
    return bytes
  }
}

function packGazetteer(): Uint8Array {
  const { places, countries, regions } = collectPlaces()
  return gzipSync(gazetteerBytes(places, { attribution: gazetteerAttribution, countries, regions }), {
    level: 9,
  })
}
