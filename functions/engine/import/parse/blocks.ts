import { concatBytes } from '#functions/platform/bytes.ts'
import { UnreadableError } from '../row.ts'

/** The same bytes in blocks of `size`, the last one shorter: small chunks are joined, large ones split. */
export async function* blocks(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let block = new Uint8Array(size)
  let length = 0
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length;) {
      const part = chunk.subarray(from, from + size - length)
      from += part.length
      if (part.length === size) {
        yield part
        continue
      }
      block.set(part, length)
      length += part.length
      if (length < size) continue
      yield block
      block = new Uint8Array(size)
      length = 0
    }
  }
  if (length) yield block.subarray(0, length)
}

/** All bytes in one piece; Unreadable with these words when there are more than `most`. */
export async function readAllBytes(
  bytes: AsyncIterable<Uint8Array>,
  most: number,
  words: string,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > most) throw new UnreadableError(words)
    chunks.push(chunk)
  }
  return concatBytes(chunks)
}
