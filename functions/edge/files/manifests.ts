import { manifestKey, readManifest, type Manifest } from '#functions/engine/export/prepared/manifest.ts'
import { ImmutableCache } from '#functions/platform/cache/immutable.ts'

/** As many as the sources of a few large hubs; each has about a kilobyte. */
const manifests = new ImmutableCache<Manifest>({ cost: 2000, estimateCost: () => 1 })

/**
 * The prepared files of a source's state, from memory where they were read before; null when they are not made (yet). A
 * state's manifest never changes, except that lost files are made again with the same bytes.
 */
export const findManifest = (files: R2Bucket, sourceId: string, state: string): Promise<Manifest | null> =>
  manifests.read(manifestKey(sourceId, state), () => readManifest(files, sourceId, state))
