import { UnreadableError } from '../row.ts'
import { concatBytes } from '#functions/platform/bytes.ts'
import { formatByteCount } from './caps.ts'

/** Bytes with random access. */
export interface Ranges {
  size: number
  /** Reads the bytes of a half-open range within the size. */
  read(from: number, to: number): Promise<Uint8Array>
}

/** Random access to bytes in memory. */
export const rangesOfBytes = (bytes: Uint8Array): Ranges => ({
  size: bytes.length,
  read: (from, to) => Promise.resolve(bytes.subarray(from, to)),
})

/** Random access to an uploaded file. */
export const rangesOfFile = (file: File): Ranges => ({
  size: file.size,
  read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
})

/**
 * Holds a whole stream in memory. Unreadable when it is empty, refused by its first bytes, or longer than `most`.
 */
export async function collectRanges(
  bytes: AsyncIterable<Uint8Array>,
  most: number,
  findRefusal: (head: Uint8Array) => string | null,
): Promise<Ranges> {
  const chunks: { from: number; bytes: Uint8Array }[] = []
  let size = 0
  let isChecked = false
  for await (const chunk of bytes) {
    if (!chunk.length) continue
    chunks.push({ from: size, bytes: chunk })
    size += chunk.length
    if (size > most)
      throw new UnreadableError(
        `It has more than ${formatByteCount(most)}, and is no file of its own, of which parts can be read: unpack it and choose it itself.`,
      )
    // Checked before a large page is held: it may be no archive.
    if (isChecked || size < 4096) continue
    isChecked = true
    const refusal = findRefusal(concatBytes(chunks.map(({ bytes }) => bytes)))
    if (refusal) throw new UnreadableError(refusal)
  }
  if (!size) throw new UnreadableError('The source is empty.')
  return {
    size,
    read: async (from, to) => {
      let low = 0
      let high = chunks.length
      while (high - low > 1) {
        const middle = (low + high) >> 1
        if ((chunks[middle]?.from ?? 0) <= from) low = middle
        else high = middle
      }
      const parts: Uint8Array[] = []
      for (let i = low; i < chunks.length; i++) {
        const chunk = chunks[i]
        if (!chunk || chunk.from >= to) break
        parts.push(chunk.bytes.subarray(Math.max(0, from - chunk.from), to - chunk.from))
      }
      return parts.length === 1 ? (parts[0] as Uint8Array) : concatBytes(parts)
    },
  }
}
