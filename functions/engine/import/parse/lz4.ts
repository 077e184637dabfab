/**
 * Unpacks a block of LZ4 (lz4_Block_format.md) of known unpacked size. RangeError if the output has another
 * size, or refers to missing data. Not from a library, as those continue beyond the given size, so that a
 * page of a few megabytes takes minutes.
 */
export function unpackLz4(bytes: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size)
  let from = 0
  let to = 0
  const byte = () => {
    const value = bytes[from]
    if (value === undefined) throw new RangeError('It ends too early.')
    from += 1
    return value
  }
  /** Completes a length from its four bits in the token: 15 continues, and so does each byte of 255. */
  const length = (half: number) => {
    let sum = half
    if (half < 15) return sum
    for (let more = 255; more === 255;) {
      more = byte()
      sum += more
      if (sum > size) throw new RangeError('It is longer than it says.')
    }
    return sum
  }
  while (from < bytes.length) {
    const token = byte()
    const literals = length(token >> 4)
    if (literals > bytes.length - from || literals > size - to)
      throw new RangeError('It is longer than it says.')
    out.set(bytes.subarray(from, from + literals), to)
    from += literals
    to += literals
    // The last sequence has no match.
    if (from === bytes.length) break
    const back = byte() | (byte() << 8)
    const end = to + length(token & 15) + 4
    if (back === 0 || back > to || end > size) throw new RangeError('It refers to what is not there.')
    // The copied range may overlap the output.
    for (; to < end; to += 1) out[to] = out[to - back] as number
  }
  if (to !== size) throw new RangeError('It is shorter than it says.')
  return out
}
