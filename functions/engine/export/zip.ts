import { concatBytes } from '#functions/platform/bytes.ts'
import { Zip, ZipDeflate } from 'fflate'
import { UnfitRowsError } from './file.ts'

/** A file in an archive. Its bytes are requested in its turn. */
export interface ZipEntry {
  name: string
  pieces: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>
}

/** More needs an extension of the format that many programs cannot read. */
const maxZipBytes = 0xffff_ffff

const encoder = new TextEncoder()
/** The size of a chunk worth emitting. */
const pieceBytes = 65_536

/**
 * Streams a ZIP archive (APPNOTE 4.3): sizes follow each file, the directory is at the end, so a truncated archive has
 * none. `at`: the time stamp of its files; deterministic for the same files and time.
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
    if (total > maxZipBytes) throw new UnfitRowsError('A ZIP archive of more than 4 GB cannot be made.')
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
      if (size > maxZipBytes)
        throw new UnfitRowsError('A file of more than 4 GB does not fit into a ZIP archive.')
      file.push(bytes)
      yield* drain(pieceBytes)
    }
    file.push(new Uint8Array(0), true)
  }
  zip.end()
  yield* drain(1)
}

/** The time stamp of an archive's files: the last change of the data, or the earliest time of the format. */
export function getFileTime(updatedAt: string | null): Date {
  return new Date(updatedAt ?? '1980-01-02T00:00:00Z')
}
