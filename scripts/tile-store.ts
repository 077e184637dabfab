import type { Miniflare } from 'miniflare'
import type { TileStore } from './tiles.ts'

type Bucket = Awaited<ReturnType<Miniflare['getR2Bucket']>>

/** The tiles' bucket as their maker wants it: bytes in, bytes out. */
export function tileStore(bucket: Bucket): TileStore {
  return {
    async get(key) {
      const object = await bucket.get(key)
      return object ? new Uint8Array(await object.arrayBuffer()) : null
    },
    async put(key, bytes, type) {
      // Miniflare's bridge takes plain ArrayBuffers only.
      const body = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
      await bucket.put(key, body, { httpMetadata: { contentType: type } })
    },
  }
}
