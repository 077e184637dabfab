import type { Ground } from '#functions/engine/map/draw-ground.ts'
import { isWhole, readArchiveFacts, type ArchiveFacts } from '#functions/engine/tile/archives.ts'
import { readManifest } from '#functions/engine/tile/manifest.ts'
import type { GroundView } from '#functions/engine/map/static-map.ts'
import { readGrounds } from './ground.ts'

/** The configured base map archive is invalid. The message is for the operator. */
class NoGround extends Error {}

/** Why an archive is no base map: the schema of Protomaps' basemaps has a layer `earth`. Null where it is valid. */
export function groundFault({ layers, isVector }: Pick<ArchiveFacts, 'layers' | 'isVector'>): string | null {
  if (!isVector) return 'The tiles of the archive are no vector tiles that are compressed with gzip.'
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

/**
 * The base map archive: the configured one (`basemap`), otherwise the built-in one; null where there is neither. An
 * invalid one is passed to `report`, and the built-in one is used instead.
 */
export async function findGround(
  tiles: R2Bucket,
  basemap: string | undefined,
  report: (error: unknown) => void = () => {},
): Promise<ArchiveFacts | null> {
  if (basemap !== undefined) {
    try {
      const facts = await readGroundFacts(tiles, basemap)
      if (facts) return facts
    } catch (error) {
      if (!(error instanceof NoGround)) throw error
      report(error)
    }
  }
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
