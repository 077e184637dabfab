/** One archive of tiles. `hash` is the first 12 hex digits of the SHA-256 of its bytes, and its file name. */
export interface TileSet {
  name: string
  /** A hash of its inputs: a different one means that it has to be built again. */
  inputHash: string
  hash: string
  bytes: number
  /** West, south, east, north in degrees. */
  bounds: [number, number, number, number]
  minZoom: number
  maxZoom: number
  attribution: string
  licence: string
  /** The time or version of the outlines; absent in older buckets. */
  vintage?: string
  /** `{level}` (areas), `{level}_line` (borders) and `{level}_label` (a point each) for every level in it. */
  layers: string[]
}

/** A file with every boundary of one level, for maps without tiles. */
interface BoundaryFile {
  id: string
  name: string
  level: string
  /** Sentences about disputed borders; absent where there are none, and in older buckets. */
  disputes?: string[]
  /** Its key in the bucket of tiles. */
  file: string
}

/** A file of the bucket with a digest of its inputs: the default base map, the gazetteer. */
interface MadeFile {
  inputHash: string
  hash: string
  bytes: number
}

/**
 * The level of archives of boundary sets that organizations upload: areas, borders that are drawn once, and a point with
 * the name of each area.
 */
export const setLevel = 'area'
export const setLayers = [setLevel, `${setLevel}_line`, `${setLevel}_label`]

/** The contents of the tile bucket; stored there as `manifest.json`. */
export interface TileManifest {
  sets: TileSet[]
  boundaries: BoundaryFile[]
  /** Absent in older buckets. */
  ground?: MadeFile
  /** Names of places with their points, for importers; absent before there was one. */
  gazetteer?: MadeFile
  /** The list of the first-level regions of countries (`RegionIndex`); absent before there was one. */
  regions?: MadeFile
}

interface CodedRegion {
  code: string
  name: string
}

/**
 * How the regions of a country's set differ from ISO 3166-2. `missing`: regions of ISO's that the set has
 * neither as a whole nor in parts; `own`: regions of the set without a code of ISO's; `recoded`: regions with
 * the same name and another code there, `iso`.
 */
export interface IsoDifferences {
  missing: CodedRegion[]
  own: CodedRegion[]
  recoded: (CodedRegion & { iso: string })[]
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
    /** Absent in older buckets. */
    iso?: IsoDifferences
    /** Sentences about disputed borders; absent in older buckets. */
    disputes?: string[]
    /** `names`: translations and short forms. */
    areas: { code: string; name: string; names: string[] }[]
  }[]
}

export const manifestKey = 'manifest.json'

/** The key of an archive. The hash must be one of a manifest or have passed `isHash`. */
export function archiveKey(hash: string): string {
  return `archives/${hash}.pmtiles`
}

/** The key of a gazetteer. */
export function gazetteerKey(hash: string): string {
  return `gazetteers/${hash}.bin.gz`
}

/** The key of the list of first-level regions of countries. */
export function regionIndexKey(hash: string): string {
  return `boundaries/regions/${hash}.json`
}

/** The key of the file with all boundaries of a level or set, for maps without tiles. */
export function boundaryKey(id: string): string {
  return `boundaries/${id}.geojson`
}

/** The key of the file with the exact areas of an organization's public set (`engine/region/outlines.ts`). */
export function outlinesKey(id: string): string {
  return `boundaries/outlines/${id}.bin`
}

/** The key prefix of the archives of all uploaded boundary sets, or of one of them. */
export function setArchives(id?: string): string {
  return id === undefined ? 'archives/sets/' : `archives/sets/${id}/`
}

/** The key of a set's archive; its URL has `/a/` instead of `archives/`. */
export function setArchiveKey(id: string, hash: string): string {
  return `${setArchives(id)}${hash}.pmtiles`
}

/** Whether a text is the 12 hex digits that identify an archive. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{12}$/.test(text)
}

/** Reads the manifest of a bucket, null before tiles were built. */
export async function readManifest(tiles: R2Bucket): Promise<TileManifest | null> {
  const object = await tiles.get(manifestKey)
  return object ? object.json<TileManifest>() : null
}
