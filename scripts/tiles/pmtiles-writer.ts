import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { Compression, TileType, zxyToTileId, type Entry } from 'pmtiles'

/** What the head of an archive says about it. Bounds are west, south, east, north in degrees. */
export interface ArchiveHead {
  bounds: [number, number, number, number]
  minZoom: number
  maxZoom: number
  metadata: Record<string, unknown>
}

const headerBytes = 127
/** A reader's first request is 16 KiB: header and root directory must fit in it. */
const rootLimit = 16_384 - headerBytes

/**
 * Writes one PMTiles v3 archive in memory: tiles that are equal are kept once, tile data is in the order of the
 * directory (Hilbert curve), runs of equal tiles are one entry. The same tiles give the same bytes.
 */
export class PmtilesWriter {
  #contents: Uint8Array[] = []
  #contentOf = new Map<string, number>()
  #tiles: { tileId: number; content: number }[] = []

  /** Adds a tile that is compressed with gzip already; the order does not matter. */
  add(z: number, x: number, y: number, gzipped: Uint8Array): void {
    const key = createHash('sha1').update(gzipped).digest('base64')
    let content = this.#contentOf.get(key)
    if (content === undefined) {
      content = this.#contents.push(gzipped) - 1
      this.#contentOf.set(key, content)
    }
    this.#tiles.push({ tileId: zxyToTileId(z, x, y), content })
  }

  /** Gives the bytes of the archive. */
  finish(head: ArchiveHead): Uint8Array {
    const tiles = this.#tiles.sort((a, b) => a.tileId - b.tileId)
    const offsets = new Map<number, number>()
    const data: Uint8Array[] = []
    const entries: Entry[] = []
    let end = 0
    let last: { tileId: number; content: number } | undefined
    for (const tile of tiles) {
      const bytes = this.#contents[tile.content] as Uint8Array
      const run = entries[entries.length - 1]
      if (run && last?.content === tile.content && tile.tileId === last.tileId + 1) run.runLength++
      else {
        if (!offsets.has(tile.content)) {
          offsets.set(tile.content, end)
          data.push(bytes)
          end += bytes.length
        }
        entries.push({
          tileId: tile.tileId,
          offset: offsets.get(tile.content) as number,
          length: bytes.length,
          runLength: 1,
        })
      }
      last = tile
    }
    const { root, leaves } = directories(entries)
    const metadata = gzipSync(JSON.stringify(head.metadata))
    const counts = [tiles.length, entries.length, data.length]
    const header = archiveHeader(head, [root.length, metadata.length, leaves.length, end], counts)
    return new Uint8Array(Buffer.concat([header, root, metadata, leaves, ...data]))
  }
}

/** One root directory when it fits into a reader's first request, else a root of leaf directories. */
function directories(entries: Entry[]): { root: Buffer; leaves: Buffer } {
  const single = encodeDirectory(entries)
  if (single.length <= rootLimit) return { root: single, leaves: Buffer.alloc(0) }
  for (let size = 4096; ; size = Math.ceil(size * 1.2)) {
    const pointers: Entry[] = []
    const leaves: Buffer[] = []
    let offset = 0
    for (let start = 0; start < entries.length; start += size) {
      const slice = entries.slice(start, start + size)
      const leaf = encodeDirectory(slice)
      pointers.push({ tileId: slice[0]?.tileId ?? 0, offset, length: leaf.length, runLength: 0 })
      leaves.push(leaf)
      offset += leaf.length
    }
    const root = encodeDirectory(pointers)
    if (root.length <= rootLimit) return { root, leaves: Buffer.concat(leaves) }
  }
}

/** Columns of varints: id steps, run lengths, lengths, offsets + 1 (0 when the entry follows the one before). */
function encodeDirectory(entries: Entry[]): Buffer {
  const bytes: number[] = []
  const varint = (value: number) => {
    let rest = value
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  varint(entries.length)
  entries.forEach((entry, i) => varint(entry.tileId - (entries[i - 1]?.tileId ?? 0)))
  for (const entry of entries) varint(entry.runLength)
  for (const entry of entries) varint(entry.length)
  entries.forEach((entry, i) => {
    const before = entries[i - 1]
    varint(before && before.offset + before.length === entry.offset ? 0 : entry.offset + 1)
  })
  return gzipSync(Uint8Array.from(bytes))
}

function archiveHeader(head: ArchiveHead, lengths: number[], counts: number[]): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.write('PMTiles', 0)
  header.writeUInt8(3, 7)
  let offset = headerBytes
  let at = 8
  const uint64 = (value: number) => {
    header.writeBigUInt64LE(BigInt(value), at)
    at += 8
  }
  for (const length of lengths) {
    uint64(offset)
    uint64(length)
    offset += length
  }
  for (const count of counts) uint64(count)
  const [west, south, east, north] = head.bounds
  header.set([1, Compression.Gzip, Compression.Gzip, TileType.Mvt, head.minZoom, head.maxZoom], 96)
  const e7 = (degree: number, position: number) => header.writeInt32LE(Math.round(degree * 1e7), position)
  e7(west, 102)
  e7(south, 106)
  e7(east, 110)
  e7(north, 114)
  header.writeUInt8(head.minZoom, 118)
  e7((west + east) / 2, 119)
  e7((south + north) / 2, 123)
  return header
}
