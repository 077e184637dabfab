/** One archive of tiles. `hash` is the first 12 hex digits of the SHA-256 of its bytes, and its file name. */
export interface TileSet {
  name: string
  /** What it was made of: another hash means it has to be made again. */
  inputHash: string
  hash: string
  bytes: number
  /** West, south, east, north in degrees. */
  bounds: [number, number, number, number]
  minZoom: number
  maxZoom: number
  attribution: string
  licence: string
  /** `{level}` (areas), `{level}_line` (borders) and `{level}_label` (a point each) for every level in it. */
  layers: string[]
}

/** A file with every boundary of one level, for maps without tiles. */
interface BoundaryFile {
  id: string
  name: string
  level: string
  /** Its key in the bucket of tiles. */
  file: string
}

/** A file of the bucket with the digest of what it was made of: the ground where the operator names no other, the gazetteer. */
interface MadeFile {
  inputHash: string
  hash: string
  bytes: number
}

/** The layers of the archive of a set that an organization brings: areas, borders that are drawn once, and a point with the name of each area. */
export const setLevel = 'area'
export const setLayers = [setLevel, `${setLevel}_line`, `${setLevel}_label`]

/** What the bucket of tiles holds; stored there as `manifest.json`. */
export interface TileManifest {
  sets: TileSet[]
  boundaries: BoundaryFile[]
  /** Absent in a bucket whose tiles were made before there was one. */
  ground?: MadeFile
  /** Names of places with their points, for importers; absent before there was one. */
  gazetteer?: MadeFile
  /** The list of the first-level regions of countries (`RegionIndex`); absent before there was one. */
  regions?: MadeFile
}

/** The sets of the first-level regions of countries: each has a file of boundaries by its id, and an archive as the sets of organizations have. */
export interface RegionIndex {
  sets: {
    id: string
    /** Of its archive. */
    hash: string
    origin: string
    licence: string
    vintage: string
    /** `names`: what it is called in other languages and in short. */
    areas: { code: string; name: string; names: string[] }[]
  }[]
}

export const manifestKey = 'manifest.json'

/** Gives the key of an archive. The hash must be one of a manifest or have passed `isHash`. */
export function archiveKey(hash: string): string {
  return `archives/${hash}.pmtiles`
}

/** Gives the key of a gazetteer. */
export function gazetteerKey(hash: string): string {
  return `gazetteers/${hash}.bin.gz`
}

/** Gives the key of the list of the first-level regions of countries. */
export function regionIndexKey(hash: string): string {
  return `boundaries/regions/${hash}.json`
}

/** Gives the key of the file that has all boundaries of a level or set, for maps without tiles. */
export function boundaryKey(id: string): string {
  return `boundaries/${id}.geojson`
}

/** Gives the prefix of the archives of all sets that organizations bring, or of one of them. */
export function setArchives(id?: string): string {
  return id === undefined ? 'archives/sets/' : `archives/sets/${id}/`
}

/** Gives the key of the archive of a set; `/a/` instead of `archives/` makes its address. */
export function setArchiveKey(id: string, hash: string): string {
  return `${setArchives(id)}${hash}.pmtiles`
}

/** Gives true for the 12 hex digits an archive is called by. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{12}$/.test(text)
}

/** Gives the manifest of a bucket, null before tiles were ever made. */
export async function readManifest(tiles: R2Bucket): Promise<TileManifest | null> {
  const object = await tiles.get(manifestKey)
  return object ? object.json<TileManifest>() : null
}
