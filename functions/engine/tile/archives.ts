import { ImmutableCache } from '#functions/platform/cache/immutable.ts'
import { Compression, PMTiles, ResolvedValueCache, TileType, type Source } from 'pmtiles'
import { archiveKey } from '#functions/engine/tile/manifest.ts'

/** The bucket has no archive with this hash. */
class NoSuchArchive extends Error {}

/**
 * Headers and directories of the archives that this isolate has read, as plain data: workerd forbids sharing
 * objects of a request (a promise, a stream, an R2 object) with another. Never outdated, because an archive
 * does not change under its hash.
 */
const directories = new ResolvedValueCache(64)
const limit = 256
const sizes = new ImmutableCache<number>({ cost: limit, estimateCost: () => 1 })

/** Reads byte ranges of one archive in the bucket. */
class BucketSource implements Source {
  readonly #tiles: R2Bucket
  readonly #hash: string

  constructor(tiles: R2Bucket, hash: string) {
    this.#tiles = tiles
    this.#hash = hash
  }

  getKey(): string {
    return this.#hash
  }

  async getBytes(offset: number, length: number): Promise<{ data: ArrayBuffer }> {
    const object = await this.#tiles.get(archiveKey(this.#hash), { range: { offset, length } })
    if (!object) throw new NoSuchArchive(this.#hash)
    return { data: await object.arrayBuffer() }
  }
}

/** The metadata of an archive. */
export interface ArchiveFacts {
  hash: string
  minZoom: number
  maxZoom: number
  /** West, south, east, north in degrees. */
  bounds: [number, number, number, number]
  /** Plain text; '' without one. */
  attribution: string
  /** The layers of its tiles. */
  layers: string[]
  /** Attributes are named `pmap:…`, as in versions of Protomaps' schema before 4, whose kinds are not drawn here. */
  isBeforeVersion4: boolean
  /** Its tiles are vector tiles, compressed with gzip: all that is drawn and served here. */
  isVector: boolean
}

/** Reads the metadata of an archive; null when the bucket has none with this hash. */
export async function readArchiveFacts(tiles: R2Bucket, hash: string): Promise<ArchiveFacts | null> {
  const archive = new PMTiles(new BucketSource(tiles, hash), directories)
  try {
    return await readFacts(archive, hash)
  } catch (error) {
    if (error instanceof NoSuchArchive) return null
    throw error
  }
}

/** Reads the metadata of an archive, identified by `hash`; throws for invalid bytes. */
export async function readFacts(archive: PMTiles, hash: string): Promise<ArchiveFacts> {
  const header = await archive.getHeader()
  const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = header
  const metadata = (await archive.getMetadata()) as { attribution?: unknown; vector_layers?: unknown } | null
  // Foreign archives have links in it: it is converted to text.
  const attribution = String(metadata?.attribution ?? '')
    .replace(/<[^>]*>/g, '')
    .replace(/&copy;/g, '©')
    .trim()
  const vectorLayers: unknown[] = Array.isArray(metadata?.vector_layers) ? metadata.vector_layers : []
  const layerInfos = vectorLayers.map((layer) => (layer ?? {}) as { id?: unknown; fields?: unknown })
  const layers = layerInfos.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  const isBeforeVersion4 = layerInfos.some(({ fields }) =>
    Object.keys(Object(fields) as object).some((name) => name.startsWith('pmap:')),
  )
  const isVector = header.tileType === TileType.Mvt && header.tileCompression === Compression.Gzip
  const bounds: ArchiveFacts['bounds'] = [minLon, minLat, maxLon, maxLat]
  return { hash, minZoom, maxZoom, bounds, attribution, layers, isBeforeVersion4, isVector }
}

/** The end of an archive by its header, in bytes: a truncated one has fewer. */
export async function readArchiveEnd(archive: PMTiles): Promise<number> {
  const {
    tileDataOffset,
    tileDataLength = 0,
    leafDirectoryOffset,
    leafDirectoryLength = 0,
  } = await archive.getHeader()
  return Math.max(tileDataOffset + tileDataLength, leafDirectoryOffset + leafDirectoryLength)
}

/** Whether an archive in the bucket is complete. */
export async function isWhole(tiles: R2Bucket, hash: string): Promise<boolean> {
  const end = await readArchiveEnd(new PMTiles(new BucketSource(tiles, hash), directories))
  return ((await archiveSize(tiles, hash)) ?? 0) >= end
}

/** The size of an archive in bytes, null when there is none. */
export function archiveSize(tiles: R2Bucket, hash: string): Promise<number | null> {
  return sizes.read(hash, async () => (await tiles.head(archiveKey(hash)))?.size ?? null)
}

/**
 * A tile as stored in the archive, compressed with gzip; 'empty' for a missing tile within the zooms of the
 * archive; null for other zooms and for an unknown archive.
 */
export async function readTile(
  tiles: R2Bucket,
  hash: string,
  [z, x, y]: [number, number, number],
): Promise<ArrayBuffer | 'empty' | null> {
  if (directories.cache.size > limit) directories.cache.clear()
  // Tiles are returned compressed; directories are decompressed by the cache.
  const archive = new PMTiles(new BucketSource(tiles, hash), directories, async (data) => data)
  try {
    const { minZoom, maxZoom } = await archive.getHeader()
    if (z < minZoom || z > maxZoom || x >= 2 ** z || y >= 2 ** z) return null
    return (await archive.getZxy(z, x, y))?.data ?? 'empty'
  } catch (error) {
    if (error instanceof NoSuchArchive) return null
    throw error
  }
}
