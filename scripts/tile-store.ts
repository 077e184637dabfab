import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import {
  archiveKey,
  boundaryKey,
  gazetteerKey,
  manifestKey,
  regionIndexKey,
  setArchiveKey,
  type RegionIndex,
  type TileManifest,
} from '#functions/engine/tile/manifest.ts'
import type { TileStore } from './tiles.ts'
import { writeFileAtomic } from './atomic-file.ts'

type Bucket = Awaited<ReturnType<Miniflare['getR2Bucket']>>

/** Stores tiles in a folder, one file per key. */
export function folderStore(folder: string): TileStore {
  return {
    async get(key) {
      try {
        return new Uint8Array(readFileSync(join(folder, key)))
      } catch {
        return null
      }
    },
    async put(key, bytes) {
      writeFileAtomic(join(folder, key), bytes)
    },
  }
}

const archiveType = 'application/vnd.pmtiles'
const areasType = 'application/geo+json'

/** Lists every file of a manifest with its media type, the manifest last: whoever finds it finds the rest. */
export async function listManifestFiles(
  from: TileStore,
  manifest: TileManifest,
): Promise<{ key: string; type: string }[]> {
  return [
    ...(await listRegionFiles(from, manifest)),
    ...manifest.boundaries.map(({ file }) => ({ key: file, type: areasType })),
    ...[...manifest.sets, ...(manifest.ground ? [manifest.ground] : [])].map(({ hash }) => ({
      ...{ key: archiveKey(hash), type: archiveType },
    })),
    ...(manifest.gazetteer ? [{ key: gazetteerKey(manifest.gazetteer.hash), type: 'application/gzip' }] : []),
    { key: manifestKey, type: 'application/json' },
  ]
}

async function listRegionFiles(from: TileStore, { regions }: TileManifest) {
  if (!regions) return []
  const indexKey = regionIndexKey(regions.hash)
  const bytes = await from.get(indexKey)
  if (!bytes) throw new Error(`The tiles lack ${indexKey}: remove the folder of tiles and start again.`)
  const { sets } = JSON.parse(new TextDecoder().decode(bytes)) as RegionIndex
  return [
    ...sets.flatMap(({ id, hash }) => [
      { key: setArchiveKey(id, hash), type: archiveType },
      { key: boundaryKey(id), type: areasType },
    ]),
    { key: indexKey, type: 'application/json' },
  ]
}

/** Copies the tiles of a store into the Worker's bucket, unless it already has exactly these. */
export async function uploadTiles(from: TileStore, manifest: TileManifest, bucket: Bucket): Promise<void> {
  const storedManifest = await bucket.get(manifestKey)
  if (
    storedManifest &&
    (await storedManifest.text()) === new TextDecoder().decode((await from.get(manifestKey)) ?? undefined)
  )
    return
  for (const { key, type } of await listManifestFiles(from, manifest)) {
    const bytes = await from.get(key)
    if (!bytes) throw new Error(`The tiles lack ${key}: remove the folder of tiles and start again.`)
    // Miniflare's proxy accepts only plain ArrayBuffers.
    const body = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    await bucket.put(key, body, { httpMetadata: { contentType: type } })
  }
}
