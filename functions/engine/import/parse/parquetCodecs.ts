import { Gunzip } from 'fflate'
import { decompress } from 'fzstd'
import { snappyUncompress } from 'hyparquet/src/snappy.js'

/** So little is unpacked at a time that what comes out (at most a thousandfold) is soon counted. */
const step = 16 * 1024

/** What unpacks each kind of page into a length that is known. */
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
])

/** A page may be several gzip files one behind the other. RangeError where more comes out. */
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
