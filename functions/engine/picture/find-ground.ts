import type { Ground } from '#functions/engine/map/draw-ground.ts'
import type { GroundArchive } from '#functions/engine/map/ground-layers.ts'
import { isWhole, readArchiveFacts, type ArchiveFacts } from '#functions/engine/tile/archives.ts'
import { readManifest } from '#functions/engine/tile/manifest.ts'
import type { GroundView } from '#functions/engine/map/static-map.ts'
import { readGrounds } from './ground.ts'

/** The configured base map archive is invalid. The message is for the operator. */
class NoGround extends Error {}

/** Why an archive is no base map: version 4 of the schema of Protomaps' basemaps has a layer `earth`. Null where it is valid. */
export function groundFault({
  layers,
  isBeforeVersion4,
  isVector,
}: Pick<ArchiveFacts, 'layers' | 'isBeforeVersion4' | 'isVector'>): string | null {
  if (!isVector) return 'The tiles of the archive are no vector tiles that are compressed with gzip.'
  if (isBeforeVersion4)
    return "The archive has version 3 of the schema of Protomaps' basemaps. Extract it from a newer build, of version 4."
  if (layers.includes('earth')) return null
  const has = layers.length === 0 ? 'it names no layers' : `it has ${layers.join(', ')}`
  return `The archive has no layer "earth" of the schema of Protomaps' basemaps: ${has}.`
}

/** Reads the metadata of an archive in the bucket, null where there is none; throws NoGround where it is no base map. */
async function readGroundFacts(tiles: R2Bucket, hash: string): Promise<ArchiveFacts | null> {
  let facts: ArchiveFacts | null
  let isThere = true
  try {
    facts = await readArchiveFacts(tiles, hash)
    isThere = facts === null || (await isWhole(tiles, hash))
  } catch (error) {
    // The error of the library only names the bytes that it expected.
    throw new NoGround(`The file ${hash} is no PMTiles archive that can be read.`, { cause: error })
  }
  if (!isThere) throw new NoGround(`The file ${hash} breaks off: its upload did not come to its end.`)
  const fault = facts && groundFault(facts)
  if (fault !== null) throw new NoGround(fault)
  return facts
}

/** Bounds of this many degrees are the whole world. */
const wholeWorld = 350

/**
 * The base map archive: the configured one (`basemap`), otherwise the built-in one; null where there is neither. Below a
 * configured one of a part of the world is the built-in one: other organizations are elsewhere, and a reader zooms out.
 * An invalid one is passed to `report`, and the built-in one is used instead.
 */
export async function findGround(
  tiles: R2Bucket,
  basemap: string | undefined,
  report: (error: unknown) => void = () => {},
): Promise<GroundArchive | null> {
  if (basemap !== undefined) {
    try {
      const facts = await readGroundFacts(tiles, basemap)
      if (facts && facts.bounds[2] - facts.bounds[0] >= wholeWorld) return facts
      const below = facts && (await builtInGround(tiles))
      if (facts) return below ? { ...facts, below } : facts
    } catch (error) {
      if (!(error instanceof NoGround)) throw error
      report(error)
    }
  }
  return builtInGround(tiles)
}

async function builtInGround(tiles: R2Bucket): Promise<ArchiveFacts | null> {
  const own = (await readManifest(tiles))?.ground
  return own ? readArchiveFacts(tiles, own.hash) : null
}

/** The base map within a picture; null without an archive, and outside of its coverage. */
export async function groundIn(
  tiles: R2Bucket,
  view: GroundView | null,
  basemap: string | undefined,
): Promise<Ground | null> {
  const archive = view && (await findGround(tiles, basemap))
  return view && archive ? readGrounds(tiles, archive, view) : null
}
