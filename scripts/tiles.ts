import { createHash } from 'node:crypto'
import {
  archiveKey,
  boundaryKey,
  gazetteerKey,
  manifestKey,
  regionIndexKey,
  type TileManifest,
  type TileSet,
} from '#functions/engine/tile/manifest.ts'
import { buildArchive, type ArchivePlan } from './tiles/archive.ts'
import { atlasBytes, unitedStates, vintages, world, type Atlas, type Level } from './tiles/atlas.ts'
import { boundaryFile } from './tiles/boundary-file.ts'
import { gazetteerInput, packedGazetteer } from './gazetteer/gazetteer.ts'
import { groundBytes, groundInput } from './ground/ground.ts'
import { regionBytes } from './ground/regions.ts'
import { regionFiles, regionInput } from './tiles/region-files.ts'

export { boundaryRows } from './tiles/boundaries.ts'
export type { TileManifest }

/** Where tiles are kept: the bucket of tiles, or a folder. */
export interface TileStore {
  get(key: string): Promise<Uint8Array | null>
  put(key: string, bytes: Uint8Array, type: string): Promise<void>
}

/**
 * The version of the build code: increase it by hand when the code makes other bytes of the same atlas, so
 * that stored archives are rebuilt.
 */
const recipe = 4

interface SetPlan extends ArchivePlan {
  file: string
  atlas: () => Atlas
  licence: string
  vintage: string
  boundaries: { id: string; name: string; level: Level; detail: number; disputes?: string[] }[]
}

const plans: SetPlan[] = [
  {
    name: 'us',
    file: 'us-atlas/counties-10m',
    atlas: unitedStates,
    // the longitude grid of the atlas is 1.3 pixels wide at zoom 8: more zooms would add bytes and no detail
    maxZoom: 8,
    levels: [
      { level: 'state', minZoom: 0, detailZoom: 0, labelZoom: 2 },
      { level: 'county', minZoom: 2, detailZoom: 6, labelZoom: 6 },
    ],
    bounds: [-179.1474, -14.5526, 179.7785, 71.3526],
    attribution: 'Boundaries: U.S. Census Bureau',
    licence: 'Public domain',
    vintage: vintages.us,
    boundaries: [
      { id: 'us-states', name: 'States of the United States', level: 'state', detail: 0.001 },
      { id: 'us-counties', name: 'Counties of the United States', level: 'county', detail: 0.001 },
    ],
  },
  {
    name: 'world',
    file: 'world-atlas/countries-50m',
    atlas: world,
    maxZoom: 5,
    levels: [{ level: 'country', minZoom: 0, detailZoom: 0, labelZoom: 1 }],
    bounds: [-180, -85.0511, 180, 83.5997],
    attribution: 'Made with Natural Earth',
    licence: 'Public domain',
    vintage: vintages.world,
    boundaries: [
      {
        ...{ id: 'world-countries', name: 'Countries of the world', level: 'country', detail: 0.004 },
        disputes: [
          'Disputed borders are drawn as they are held.',
          'Kosovo, Northern Cyprus, Somaliland, Taiwan and Western Sahara are areas of their own.',
        ],
      },
    ],
  },
]

/**
 * Makes every archive whose input changed and returns the manifest. Writes `archives/{hash}.pmtiles`,
 * `boundaries/{id}.geojson`, the first-level regions of countries, `gazetteers/{hash}.bin.gz` and, last,
 * `manifest.json`; old archives stay for pages that still refer to them. Does nothing for unchanged input.
 * Needs no network.
 */
export async function makeTiles(store: TileStore, log: (line: string) => void): Promise<TileManifest> {
  const storedManifest = await readStored(store)
  const sets: TileSet[] = []
  let hasChanged = storedManifest === null
  for (const plan of plans) {
    const inputHash = hashPlan(plan)
    const existing = storedManifest?.sets.find((set) => set.name === plan.name && set.inputHash === inputHash)
    if (existing) log(`tiles ${plan.name}: unchanged (${existing.hash})`)
    else hasChanged = true
    sets.push(existing ?? (await makeSet(store, plan, inputHash, log)))
  }
  const boundaries = plans.flatMap((plan) =>
    plan.boundaries.map(({ id, name, level, disputes }) => ({
      ...{ id, name, level, file: boundaryKey(id) },
      ...(disputes ? { disputes } : {}),
    })),
  )
  const ground = await makeGround(store, storedManifest?.ground, log)
  const gazetteer = await makeGazetteer(store, storedManifest?.gazetteer, log)
  const regions = await makeRegions(store, storedManifest?.regions, log)
  hasChanged ||=
    ground !== storedManifest?.ground ||
    gazetteer !== storedManifest?.gazetteer ||
    regions !== storedManifest?.regions
  const manifest: TileManifest = { sets, boundaries, ground, gazetteer, regions }
  if (hasChanged) await store.put(manifestKey, encode(manifest), 'application/json')
  return manifest
}

/** Returns the archive of the base map: the existing one when its input is unchanged. */
async function makeGround(
  store: TileStore,
  existing: TileManifest['ground'],
  log: (line: string) => void,
): Promise<NonNullable<TileManifest['ground']>> {
  const inputHash = groundInput()
  if (existing?.inputHash === inputHash) {
    log(`tiles ground: unchanged (${existing.hash})`)
    return existing
  }
  const started = Date.now()
  const bytes = await groundBytes()
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  await store.put(archiveKey(hash), bytes, 'application/vnd.pmtiles')
  log(`tiles ground: ${hash}, ${Math.round(bytes.length / 1024)} KiB in ${Date.now() - started} ms`)
  return { inputHash, hash, bytes: bytes.length }
}

/** Returns the gazetteer: the existing one when its input is unchanged. */
async function makeGazetteer(
  store: TileStore,
  existing: TileManifest['gazetteer'],
  log: (line: string) => void,
): Promise<NonNullable<TileManifest['gazetteer']>> {
  const inputHash = gazetteerInput()
  if (existing?.inputHash === inputHash) {
    log(`names of places: unchanged (${existing.hash})`)
    return existing
  }
  const started = Date.now()
  const bytes = packedGazetteer()
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  await store.put(gazetteerKey(hash), bytes, 'application/gzip')
  log(`names of places: ${hash}, ${Math.round(bytes.length / 1024)} KiB in ${Date.now() - started} ms`)
  return { inputHash, hash, bytes: bytes.length }
}

/** Returns the first-level regions of countries: the existing ones when their input is unchanged. */
async function makeRegions(
  store: TileStore,
  existing: TileManifest['regions'],
  log: (line: string) => void,
): Promise<NonNullable<TileManifest['regions']>> {
  const inputHash = regionInput()
  if (existing?.inputHash === inputHash) {
    log(`regions of countries: unchanged (${existing.hash})`)
    return existing
  }
  const started = Date.now()
  const { index, files } = await regionFiles()
  for (const { key, type, bytes } of files) await store.put(key, bytes, type)
  const bytes = encode(index)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  await store.put(regionIndexKey(hash), bytes, 'application/json')
  log(`regions of countries: ${index.sets.length} in ${Date.now() - started} ms`)
  return { inputHash, hash, bytes: bytes.length }
}

async function makeSet(
  store: TileStore,
  plan: SetPlan,
  inputHash: string,
  log: (line: string) => void,
): Promise<TileSet> {
  const started = Date.now()
  const atlas = plan.atlas()
  for (const { id, level, detail } of plan.boundaries) {
    await store.put(boundaryKey(id), encode(boundaryFile(atlas, level, detail)), 'application/geo+json')
  }
  const { bytes, layers } = await buildArchive(atlas, plan)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  await store.put(archiveKey(hash), bytes, 'application/vnd.pmtiles')
  log(`tiles ${plan.name}: ${hash}, ${Math.round(bytes.length / 1024)} KiB in ${Date.now() - started} ms`)
  const { name, bounds, maxZoom, attribution, licence, vintage } = plan
  return {
    name,
    inputHash,
    hash,
    bytes: bytes.length,
    bounds,
    minZoom: 0,
    maxZoom,
    attribution,
    licence,
    vintage,
    layers,
  }
}

function hashPlan({ atlas: _, ...settings }: SetPlan): string {
  const hash = createHash('sha256').update(atlasBytes(settings.file)).update(regionBytes())
  // Names in other languages are those of ICU and of the base map's regions.
  const { icu, cldr } = process.versions
  return hash.update(JSON.stringify({ recipe, settings, icu, cldr })).digest('hex').slice(0, 12)
}

/** Reads the manifest of a store; null where there is none, or only a half-written one. */
export async function readStored(store: Pick<TileStore, 'get'>): Promise<TileManifest | null> {
  const bytes = await store.get(manifestKey)
  if (!bytes) return null
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as TileManifest
  } catch {
    // Half-written: the tiles are made again.
    return null
  }
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}
