import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { boundaryKey, setArchiveKey, type RegionIndex } from '#functions/engine/tile/manifest.ts'
import { nameTags } from '#functions/engine/tile/set-archive.ts'
import type { SetTiles } from '#functions/shapes/boundary-set.ts'
import { nameOfSet } from '#functions/shapes/region-sets.ts'
import { regionBytes } from '../ground/regions.ts'
import { writeFileAtomic } from '../atomic-file.ts'
import { listDisputes, regionDisputes } from './disputes.ts'
import { readComparison } from './iso.ts'
import { countrySets, buildCountryTiles, type CountrySet } from './regions.ts'

/**
 * The version of the build code: increase it by hand when the code makes other files of the same data, so
 * that stored ones are rebuilt.
 */
const recipe = 4

/** Attribution of the regions, shown wherever they are offered, and on every map. */
const about = { origin: 'Made with Natural Earth', licence: 'Public domain', vintage: '2022' }

interface RegionFile {
  key: string
  type: string
  bytes: Uint8Array
}

interface RegionFiles {
  index: RegionIndex
  files: RegionFile[]
}

/** The digest of the inputs of the region files. */
export const regionInput = (): string =>
  createHash('sha256')
    .update(regionBytes())
    .update(JSON.stringify([recipe, about, readComparison(), regionDisputes]))
    .digest('hex')
    .slice(0, 12)

/**
 * Returns the files of the first-level regions of all countries: built once per checkout, which takes
 * seconds, then read from a cache.
 */
export async function regionFiles(): Promise<RegionFiles> {
  const file = fileURLToPath(new URL(`../../.cache/regions/${regionInput()}.bin`, import.meta.url))
  try {
    return deserialize(readFileSync(file)) as RegionFiles
  } catch {
    const files = await makeFiles()
    writeFileAtomic(file, serialize(files))
    return files
  }
}

async function makeFiles(): Promise<RegionFiles> {
  const regionFiles: RegionFiles = { index: { sets: [] }, files: [] }
  const comparison = readComparison()
  for (const set of countrySets()) {
    const facts = {
      ...about,
      iso: comparison.sets[set.id] ?? { missing: [], own: [], recoded: [] },
      disputes: listDisputes(set.country),
    }
    const { hash, files } = await filesOfSet(set, facts)
    const areas = set.areas.features.map(({ properties: { code, name, names } }) => ({ code, name, names }))
    regionFiles.index.sets.push({ id: set.id, hash, ...facts, areas })
    regionFiles.files.push(...files)
  }
  return regionFiles
}

async function filesOfSet(
  set: CountrySet,
  facts: typeof about & Pick<RegionIndex['sets'][number], 'iso' | 'disputes'>,
): Promise<{ hash: string; files: RegionFile[] }> {
  const { archive, areas } = await buildCountryTiles(set, about.origin)
  const { bytes, ...extent } = archive
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const tiles: SetTiles = { hash, ...extent }
  const features = areas.features.map(({ properties, ...area }) => ({
    ...area,
    properties: { ...properties, ...nameTags(set.translations.get(properties.gid) ?? {}) },
  }))
  const text = JSON.stringify({ name: nameOfSet(set.id), ...facts, tiles, ...areas, features })
  return {
    hash,
    files: [
      { key: setArchiveKey(set.id, hash), type: 'application/vnd.pmtiles', bytes },
      { key: boundaryKey(set.id), type: 'application/geo+json', bytes: new TextEncoder().encode(text) },
    ],
  }
}
