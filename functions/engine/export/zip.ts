import { concatBytes } from '#functions/platform/bytes.ts'
import { Zip, ZipDeflate } from 'fflate'
import { UnfitRows } from './file.ts'

/** A file inside of an archive. Its bytes are asked for when it is its turn. */
export interface ZipEntry {
  name: string
  pieces: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>
}

/** More needs an extension of the format that many programs cannot read. */
const maxZipBytes = 0xffff_ffff

const encoder = new TextEncoder()
/** As much of an archive as is worth a piece of its own. */
const pieceBytes = 65_536

/**
 * A ZIP archive (APPNOTE 4.3), written while its files are made: sizes stand behind each, the directory at the end, so
 * a cut archive has none. `at`: the time its files bear; the same files at the same time are the same bytes.
 */
export async function* zipFiles(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  at: Date,
): AsyncIterable<Uint8Array> {
  let ready: Uint8Array[] = []
  let chunk = 0
  let total = 0
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    ready.push(bytes)
    chunk += bytes.length
    total += bytes.length
  })
  function* drain(least: number) {
    if (total > maxZipBytes) throw new UnfitRows('A ZIP archive of more than 4 GB cannot be made.')
    if (chunk < least || chunk === 0) return
    const bytes = concatBytes(ready)
    ready = []
    chunk = 0
    yield bytes
  }
  for await (const { name, pieces } of entries) {
    const file = new ZipDeflate(name, { level: 6 })
    file.mtime = at
    let size = 0
    zip.add(file)
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? encoder.encode(piece) : piece
      size += bytes.length
      if (size > maxZipBytes) throw new UnfitRows('A file of more than 4 GB does not fit into a ZIP archive.')
      file.push(bytes)
      yield* drain(pieceBytes)
    }
    file.push(new Uint8Array(0), true)
  }
  zip.end()
  yield* drain(1)
}

/** When the files of an archive say they were made: when the data was last changed, the first day of the format without one. */
export function timeOf(updatedAt: string | null): Date {
  return new Date(updatedAt ?? '1980-01-02T00:00:00Z')
}
