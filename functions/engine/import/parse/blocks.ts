import { Unreadable } from '../row.ts'
import { bytesText } from './caps.ts'

/** The same bytes in blocks of `size`, the last one shorter: small chunks are joined, large ones cut. */
export async function* blocks(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let block = new Uint8Array(size)
  let filled = 0
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length;) {
      const part = chunk.subarray(from, from + size - filled)
      from += part.length
      if (part.length === size) {
        yield part
        continue
      }
      block.set(part, filled)
      filled += part.length
      if (filled < size) continue
      yield block
      block = new Uint8Array(size)
      filled = 0
    }
  }
  if (filled) yield block.subarray(0, filled)
}

/** All bytes in one piece; Unreadable when there are more than `most`. */
export async function wholeOf(
  bytes: AsyncIterable<Uint8Array>,
  most: number,
  what = 'The source',
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > most) throw new Unreadable(`${what} is larger than ${bytesText(most)}.`)
    chunks.push(chunk)
  }
  return joinChunks(chunks)
}

/** Chunks in one piece. */
export function joinChunks(chunks: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
