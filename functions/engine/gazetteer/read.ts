import { gazetteerKey, readManifest } from '../tile/manifest.ts'
import { openGazetteer, type Gazetteer } from './file.ts'

/**
 * Reads the gazetteer from a bucket, some nine megabytes in memory; null where there is none. It is read as a whole: the
 * rows of a file have names from all over the alphabet, so that slices would be read one after the other for the same
 * bytes.
 */
export async function readGazetteer(tiles: R2Bucket): Promise<Gazetteer | null> {
  const facts = (await readManifest(tiles))?.gazetteer
  const object = facts && (await tiles.get(gazetteerKey(facts.hash)))
  if (!object) return null
  const stream = (object.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
    new DecompressionStream('gzip'),
  )
  return openGazetteer(new Uint8Array(await new Response(stream).arrayBuffer()))
}
