import { open } from 'node:fs/promises'
import { PMTiles } from 'pmtiles'
import { groundFault } from '#functions/engine/picture/find-ground.ts'
import { readArchiveEnd, readFacts } from '#functions/engine/tile/archives.ts'

/**
 * Returns, as a sentence, why a file cannot be used as the archive of a base map in BASEMAP; null where it
 * can.
 */
export async function fileFault(path: string): Promise<string | null> {
  const file = await open(path)
  try {
    const archive = new PMTiles({
      getKey: () => path,
      getBytes: async (offset, length) => {
        const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset)
        return { data: buffer.buffer.slice(0, bytesRead) }
      },
    })
    const fault = groundFault(await readFacts(archive, path))
    const missing = (await readArchiveEnd(archive)) - (await file.stat()).size
    return fault ?? (missing > 0 ? `It breaks off: ${missing} bytes are missing at its end.` : null)
  } catch (error) {
    return `It is no PMTiles archive that can be read: ${(error as Error).message}.`
  } finally {
    await file.close()
  }
}
