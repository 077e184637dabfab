/** Maximum nesting of a footer; Parquet uses ten levels. */
const deepest = 32

/** Codes of Thrift's compact protocol. */
const [yes, no, byte, double, binary, list, struct] = [1, 2, 3, 7, 8, 9, 12]

/**
 * Returns where a structure of Thrift's compact protocol that begins at a byte ends; null if it has more than
 * `most` values, 'cut' if it is truncated, 'damaged' if it is invalid. The library trusts the lengths in
 * structures, so it is called only after this check.
 */
export function endOfThrift(
  bytes: Uint8Array,
  from: number,
  most: number,
): number | null | 'cut' | 'damaged' {
  let at = from
  let values = 0

  const readByte = () => {
    const value = bytes[at++]
    if (value === undefined) throw new Stop('cut')
    return value
  }
  const skip = (length: number) => {
    at += length
    if (at > bytes.length) throw new Stop('cut')
  }
  const number = () => {
    let value = 0
    for (let i = 0; i < 10; i++) {
      const part = readByte()
      value += (part & 127) * 2 ** (7 * i)
      if (part < 128) return value
    }
    throw new Stop('damaged')
  }
  const element = (type: number, depth: number) => {
    if (++values > most) throw new Stop(null)
    if (type === byte) skip(1)
    else if (type === double) skip(8)
    else if (type === binary) skip(number())
    else if (type === list) {
      const head = readByte()
      const length = head >> 4 === 15 ? number() : head >> 4
      // Each item takes at least one byte: a list longer than the rest of the file is not started.
      if (at + length > bytes.length) throw new Stop('cut')
      const inner = head & 15
      for (let i = 0; i < length; i++) element(inner === yes || inner === no ? byte : inner, depth + 1)
    } else if (type === struct) fields(depth + 1)
    else if (type > byte && type < double) number()
    else if (type !== yes && type !== no) throw new Stop('damaged')
  }
  const fields = (depth: number) => {
    if (depth > deepest) throw new Stop('damaged')
    for (let head = readByte(); (head & 15) !== 0; head = readByte()) {
      if (head >> 4 === 0) number()
      element(head & 15, depth)
    }
  }
  try {
    fields(0)
    return at
  } catch (error) {
    if (error instanceof Stop) return error.problem
    throw error
  }
}

class Stop extends Error {
  constructor(readonly problem: null | 'cut' | 'damaged') {
    super()
  }
}
