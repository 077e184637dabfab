/**
 * Decodes Parquet's hybrid of run lengths and bit packing. Iterative, so that a run of millions needs no memory. Throws
 * RangeError at a premature end.
 */
export class RunReader {
  private remaining = 0
  private value = 0
  private isPacked = false
  /** The next bit of bit-packed numbers. */
  private bit = 0

  constructor(
    private bytes: Uint8Array,
    private at: number,
    /** The number of bits per value, at most 32. */
    private width: number,
  ) {
    if (width > 32) throw new RangeError()
  }

  next(): number {
    if (this.width === 0) return 0
    while (this.remaining === 0) this.begin()
    this.remaining -= 1
    return this.isPacked ? this.packed() : this.value
  }

  private begin() {
    const head = this.varint()
    this.isPacked = (head & 1) === 1
    const length = Math.floor(head / 2)
    if (this.isPacked) {
      this.remaining = length * 8
      this.bit = this.at * 8
      this.at += length * this.width
      return
    }
    this.remaining = length
    this.value = 0
    for (let i = 0; i < (this.width + 7) >> 3; i++) this.value += this.byte(this.at++) * 2 ** (8 * i)
  }

  private packed(): number {
    let value = 0
    for (let bits = 0; bits < this.width;) {
      const within = this.bit & 7
      const take = Math.min(8 - within, this.width - bits)
      value += ((this.byte(Math.floor(this.bit / 8)) >> within) & ((1 << take) - 1)) * 2 ** bits
      bits += take
      this.bit += take
    }
    return value
  }

  private varint(): number {
    let value = 0
    for (let i = 0; i < 5; i++) {
      const byte = this.byte(this.at++)
      value += (byte & 127) * 128 ** i
      if (byte < 128) return value
    }
    throw new RangeError()
  }

  private byte(at: number): number {
    const byte = this.bytes[at]
    if (byte === undefined) throw new RangeError()
    return byte
  }
}
