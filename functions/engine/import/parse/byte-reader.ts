import { concatBytes } from '#functions/platform/bytes.ts'

/** Reads a stream of bytes by lengths. */
export class ByteReader {
  private chunks: Uint8Array[] = []
  private size = 0
  private source: AsyncIterator<Uint8Array>

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.source = bytes[Symbol.asyncIterator]()
  }

  /** Returns the next bytes, fewer only at the end of the stream. */
  async read(length: number): Promise<Uint8Array> {
    while (this.size < length) {
      const { value, done } = await this.source.next()
      if (done) break
      this.chunks.push(value)
      this.size += value.length
    }
    const joined = this.chunks.length === 1 ? (this.chunks[0] as Uint8Array) : concatBytes(this.chunks)
    const head = joined.subarray(0, length)
    const rest = joined.subarray(head.length)
    this.chunks = rest.length ? [rest] : []
    this.size = rest.length
    return head
  }

  /** Closes the stream. */
  async close() {
    await this.source.return?.()
  }
}
