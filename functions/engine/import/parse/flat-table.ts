const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * A FlatBuffers table, with fields by number. All offsets are validated: RangeError for invalid ones, and for invalid
 * UTF-8. Missing fields are 0, null or empty.
 */
export class FlatTable {
  private constructor(
    private view: DataView,
    private at: number,
  ) {}

  /** The root table of a buffer. */
  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    return new FlatTable(view, view.getUint32(0, true))
  }

  uint8(field: number): number {
    const at = this.field(field)
    return at === null ? 0 : this.view.getUint8(at)
  }

  uint16(field: number, absent: number): number {
    const at = this.field(field)
    return at === null ? absent : this.view.getUint16(at, true)
  }

  int32(field: number): number {
    const at = this.field(field)
    return at === null ? 0 : this.view.getInt32(at, true)
  }

  uint64(field: number): number {
    const at = this.field(field)
    return at === null ? 0 : Number(this.view.getBigUint64(at, true))
  }

  text(field: number): string | null {
    const bytes = this.field(field) === null ? null : this.bytes(field)
    if (!bytes) return null
    try {
      return decoder.decode(bytes)
    } catch {
      throw new RangeError()
    }
  }

  table(field: number): FlatTable | null {
    const at = this.field(field)
    return at === null ? null : new FlatTable(this.view, at + this.view.getUint32(at, true))
  }

  tables(field: number): FlatTable[] {
    const { at, count } = this.vector(field, 4)
    return Array.from({ length: count }, (_, i) => {
      const one = at + 4 * i
      return new FlatTable(this.view, one + this.view.getUint32(one, true))
    })
  }

  bytes(field: number): Uint8Array {
    const { at, count } = this.vector(field, 1)
    return new Uint8Array(this.view.buffer, this.view.byteOffset + at, count)
  }

  uint32s(field: number): number[] {
    const { at, count } = this.vector(field, 4)
    return Array.from({ length: count }, (_, i) => this.view.getUint32(at + 4 * i, true))
  }

  /** The length of a list of doubles, and access to each. */
  doubles(field: number): { count: number; get(i: number): number } {
    const { at, count } = this.vector(field, 8)
    return { count, get: (i) => this.view.getFloat64(at + 8 * i, true) }
  }

  private vector(field: number, size: number): { at: number; count: number } {
    const at = this.field(field)
    if (at === null) return { at: 0, count: 0 }
    const start = at + this.view.getUint32(at, true)
    const count = this.view.getUint32(start, true)
    if (start + 4 + count * size > this.view.byteLength) throw new RangeError()
    return { at: start + 4, count }
  }

  private field(field: number): number | null {
    const table = this.at - this.view.getInt32(this.at, true)
    if (4 + 2 * field >= this.view.getUint16(table, true)) return null
    const offset = this.view.getUint16(table + 4 + 2 * field, true)
    return offset === 0 ? null : this.at + offset
  }
}
