import type { DecodedArray, DataReader, ParquetType } from 'hyparquet'
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js'
import { byteStreamSplit } from 'hyparquet/src/encoding.js'
import { readPlain } from 'hyparquet/src/plain.js'
import { readVarInt } from 'hyparquet/src/thrift.js'
import { RunReader } from './parquet-runs.ts'

/** The values of a page, in portions. Throws RangeError if there are fewer. */
export interface PageValues {
  take(count: number): ArrayLike<unknown>
  /** The approximate memory besides the page, in bytes. */
  extraBytes: number
}

export interface StoredType {
  type: ParquetType
  length: number | undefined
}

/** The size limit of the texts taken at a time: each may repeat all of the one before it. */
const maxTaken = 32 * 1024 * 1024

/** Deltas are decoded at once, so their number per page is limited. */
const maxDeltas = 4_000_000

/** The minimal size of a plain value in bytes. */
const plainBytes: Partial<Record<ParquetType, number>> = {
  ...{ INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8, BYTE_ARRAY: 4 },
}

/** All values of a dictionary. RangeError for an impossible number. */
export function decodeDictionary(
  bytes: Uint8Array,
  { type, length }: StoredType,
  count: number,
): DecodedArray {
  if (count * (plainBytes[type] ?? length ?? 1) > bytes.length) throw new RangeError()
  return readPlain(readerAt(bytes, 0), type, count, length)
}

/** The values of a page from an offset on, at most `most`, by their encoding; null for an unknown one. */
export function pageValues(
  bytes: Uint8Array,
  from: number,
  encoding: string,
  { type, length }: StoredType,
  most: number,
  dictionary: ArrayLike<unknown> | null,
): PageValues | null {
  if (encoding === 'PLAIN')
    return type === 'BOOLEAN' ? bits(bytes, from) : buildPlainValues(bytes, from, type, length)
  if (encoding === 'RLE' && type === 'BOOLEAN') {
    // With a length prefix, in both versions of pages.
    const runs = new RunReader(bytes, from + 4, 1)
    return { extraBytes: 0, take: (count) => Array.from({ length: count }, () => runs.next() === 1) }
  }
  if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY')
    return indexes(bytes, from, dictionary)
  if (encoding === 'DELTA_BINARY_PACKED' && (type === 'INT32' || type === 'INT64'))
    return buildDecodedValues(deltas(readerAt(bytes, from), most, type === 'INT32'))
  if (encoding === 'DELTA_LENGTH_BYTE_ARRAY') return lengths(bytes, from, most)
  if (encoding === 'DELTA_BYTE_ARRAY') return prefixes(bytes, from, most)
  if (encoding !== 'BYTE_STREAM_SPLIT') return null
  const count = Math.floor((bytes.length - from) / (plainBytes[type] ?? length ?? Infinity))
  return buildDecodedValues(byteStreamSplit(readerAt(bytes, from), count, type, length))
}

const readerAt = (bytes: Uint8Array, offset: number): DataReader => ({
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
  offset,
})

function buildPlainValues(
  bytes: Uint8Array,
  from: number,
  type: ParquetType,
  length: number | undefined,
): PageValues {
  const reader = readerAt(bytes, from)
  return {
    extraBytes: 0,
    take(count) {
      if (count * (plainBytes[type] ?? length ?? 1) > bytes.length - reader.offset) throw new RangeError()
      return readPlain(reader, type, count, length)
    },
  }
}

function bits(bytes: Uint8Array, from: number): PageValues {
  let bit = from * 8
  return {
    extraBytes: 0,
    take: (count) =>
      Array.from({ length: count }, () => {
        const byte = bytes[bit >> 3]
        if (byte === undefined) throw new RangeError()
        return ((byte >> (bit++ & 7)) & 1) === 1
      }),
  }
}

function indexes(bytes: Uint8Array, from: number, dictionary: ArrayLike<unknown> | null): PageValues {
  if (!dictionary) throw new RangeError()
  const runs = new RunReader(bytes, from + 1, bytes[from] ?? 0)
  return {
    extraBytes: 0,
    take: (count) =>
      Array.from({ length: count }, () => {
        const index = runs.next()
        if (index >= dictionary.length) throw new RangeError()
        return dictionary[index]
      }),
  }
}

/** Values that are already decoded. */
function buildDecodedValues(values: DecodedArray): PageValues {
  let at = 0
  return {
    extraBytes: 8 * values.length,
    take(count) {
      at += count
      if (at > values.length) throw new RangeError()
      return values.slice(at - count, at)
    },
  }
}

/** Delta-encoded numbers; prefixed with their count. */
function deltas(reader: DataReader, most: number, isShort: boolean): Int32Array | BigInt64Array {
  const { offset } = reader
  const block = readVarInt(reader)
  const parts = readVarInt(reader)
  const count = readVarInt(reader)
  reader.offset = offset
  const isGood = block > 0 && block <= 65_536 && parts > 0 && parts <= 512 && block % (8 * parts) === 0
  if (!isGood || !(count >= 0 && count <= Math.min(most, maxDeltas))) throw new RangeError()
  const values = new BigInt64Array(count)
  // An empty page still has a header.
  deltaBinaryUnpack(reader, count, values)
  // DuckDB stores unsigned numbers with first values beyond 32 bits, which the library's 32-bit version
  // truncates.
  return isShort ? Int32Array.from(values, (value) => Number(BigInt.asIntN(32, value))) : values
}

function lengths(bytes: Uint8Array, from: number, most: number): PageValues {
  const reader = readerAt(bytes, from)
  const sizes = deltas(reader, most, true) as Int32Array
  let at = reader.offset
  let i = 0
  return {
    extraBytes: 4 * sizes.length,
    take: (count) =>
      Array.from({ length: count }, () => {
        const from = at
        at += prefixLength(sizes[i++], from, bytes)
        return bytes.subarray(from, at)
      }),
  }
}

function prefixes(bytes: Uint8Array, from: number, most: number): PageValues {
  const reader = readerAt(bytes, from)
  const shared = deltas(reader, most, true) as Int32Array
  const sizes = deltas(reader, most, true) as Int32Array
  let at = reader.offset
  let i = 0
  let last = new Uint8Array(0)
  return {
    extraBytes: 8 * sizes.length,
    take(count) {
      let consumed = 0
      return Array.from({ length: count }, () => {
        const before = prefixLength(shared[i], 0, last)
        const length = prefixLength(sizes[i++], at, bytes)
        consumed += before + length
        if (consumed > maxTaken) throw new RangeError()
        const value = new Uint8Array(before + length)
        value.set(last.subarray(0, before))
        value.set(bytes.subarray(at, at + length), before)
        at += length
        last = value
        return value
      })
    },
  }
}

/** A length, if that many bytes exist. */
function prefixLength(length: number | undefined, from: number, bytes: Uint8Array): number {
  if (length === undefined || length < 0 || from + length > bytes.length) throw new RangeError()
  return length
}
