import { Gunzip } from 'fflate'
import { decompress } from 'fzstd'
import { snappyUncompress } from 'hyparquet/src/snappy.js'
import { unpackLz4 } from './lz4.ts'

/** The input per inflate step, so that its output (at most a thousandfold) is counted in time. */
const step = 16 * 1024

/** Decompressors by codec, for a known output size. */
export const parquetCodecs = new Map<string, (bytes: Uint8Array, size: number) => Uint8Array>([
  ['UNCOMPRESSED', (bytes) => bytes],
  [
    'SNAPPY',
    (bytes, size) => {
      const out = new Uint8Array(size)
      snappyUncompress(bytes, out)
      return out
    },
  ],
  ['GZIP', unpackGzip],
  ['ZSTD', (bytes, size) => decompress(bytes, new Uint8Array(size))],
  ['LZ4_RAW', unpackLz4],
  ['LZ4', unpackFramedLz4],
])

/** A page may be several concatenated gzip files. RangeError for too much output. */
function unpackGzip(bytes: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size)
  let at = 0
  const gunzip = new Gunzip((chunk) => {
    out.set(chunk, at)
    at += chunk.length
  })
  for (let from = 0; from < bytes.length; from += step)
    gunzip.push(bytes.subarray(from, from + step), from + step >= bytes.length)
  return out.subarray(0, at)
}

/**
 * LZ4 of older writers: either blocks with length prefixes (Hadoop frames: unpacked, packed, big-endian) or a single
 * block without. Nothing says which, so invalid prefixes mean the latter.
 */
function unpackFramedLz4(bytes: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let from = 0
  let to = 0
  while (from + 8 < bytes.length) {
    const unpacked = view.getUint32(from)
    const packed = view.getUint32(from + 4)
    from += 8
    if (unpacked > size - to || packed > bytes.length - from) return unpackLz4(bytes, size)
    out.set(unpackLz4(bytes.subarray(from, from + packed), unpacked), to)
    from += packed
    to += unpacked
  }
  return from === bytes.length && to === size ? out : unpackLz4(bytes, size)
}
