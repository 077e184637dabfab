import type { Ground } from '#functions/engine/map/draw-ground.ts'
import { isWhole, readArchiveFacts, type ArchiveFacts } from '#functions/engine/tile/archives.ts'
import { readManifest } from '#functions/engine/tile/manifest.ts'
import type { GroundView } from '#functions/engine/map/static-map.ts'
import { readGrounds } from './ground.ts'

/** The archive that an operator names for the ground is none. The message says why, for the operator. */
class NoGround extends Error {}

/** Why an archive is no ground: the schema of Protomaps' basemaps has land (`earth`), which all else lies on. Null where it is one. */
export function groundFault({ layers, isVector }: Pick<ArchiveFacts, 'layers' | 'isVector'>): string | null {
  if (!isVector) return 'The tiles of the archive are no vector tiles that are compressed with gzip.'
  if (layers.includes('earth')) return null
  const has = layers.length === 0 ? 'it names no layers' : `it has ${layers.join(', ')}`
  return `The archive has no layer "earth" of the schema of Protomaps' basemaps: ${has}.`
}

/** Gives what an archive that the bucket holds says of itself, null where there is none; throws NoGround where it is no ground. */
async function readGroundFacts(tiles: R2Bucket, hash: string): Promise<ArchiveFacts | null> {
  let facts: ArchiveFacts | null
  let isThere = true
  try {
    facts = await readArchiveFacts(tiles, hash)
    isThere = facts === null || (await isWhole(tiles, hash))
  } catch (error) {
    // The reader says of what is no archive which bytes it has not found.
    throw new NoGround(`The file ${hash} is no PMTiles archive that can be read.`, { cause: error })
  }
  if (!isThere) throw new NoGround(`The file ${hash} breaks off: its upload did not come to its end.`)
  const fault = facts && groundFault(facts)
  if (fault !== null) throw new NoGround(fault)
  return facts
}

/**
 * The archive of the ground: the one that the operator names (`basemap`), else the one that was made here; null where there is neither. What is named and
 * is no ground is told to `report`, and ours is taken: a map that stands on ours says more than one that is dead.
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

/** The ground of what a picture shows; null without that and where no archive reaches. */
export async function groundIn(
  tiles: R2Bucket,
  view: GroundView | null,
  basemap: string | undefined,
): Promise<Ground | null> {
  const archive = view && (await findGround(tiles, basemap))
  return view && archive ? readGrounds(tiles, archive, view) : null
}
