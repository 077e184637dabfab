const blockBytes = 1024 * 1024

/**
 * Many texts in memory as UTF-8, outside of the heap: as strings they would take twice as much, on the heap.
 * Texts are added in order and read by their numbers.
 */
export class Utf8Texts {
  private blocks: Uint8Array[] = []
  /** How much of the last block is used. */
  private used = blockBytes
  /** The block and the offset where each text begins, and its length in bytes. */
  private places = new Uint32Array(3 * 1024)
  /** Texts with lone surrogates, which UTF-8 cannot have, by their numbers. */
  private loneTexts = new Map<number, string>()
  private encoder = new TextEncoder()
  private decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  /** The number of texts. */
  count = 0
  /** The bytes held, those of the list of texts included. */
  bytes = 0

  add(text: string): void {
    if (/\p{Surrogate}/u.test(text)) this.loneTexts.set(this.count, text)
    const bytes = this.encoder.encode(text)
    if (this.used + bytes.length > blockBytes) {
      this.blocks.push(new Uint8Array(Math.max(blockBytes, bytes.length)))
      this.used = 0
    }
    this.blocks.at(-1)?.set(bytes, this.used)
    if (3 * this.count === this.places.length) {
      const places = new Uint32Array(2 * this.places.length)
      places.set(this.places)
      this.places = places
    }
    this.places.set([this.blocks.length - 1, this.used, bytes.length], 3 * this.count)
    this.used += bytes.length
    this.count += 1
    this.bytes += bytes.length + 12
  }

  /** The text of a number from 0; undefined where there is none. */
  get(number: number): string | undefined {
    if (!Number.isInteger(number) || number < 0 || number >= this.count) return undefined
    const [block = 0, from = 0, length = 0] = this.places.subarray(3 * number, 3 * number + 3)
    return (
      this.loneTexts.get(number) ?? this.decoder.decode(this.blocks[block]?.subarray(from, from + length))
    )
  }
}
