import { concatBytes } from '#functions/platform/bytes.ts'
import { Compression, TileType, zxyToTileId, type Entry } from 'pmtiles'

/** The header of an archive. Bounds are west, south, east, north in degrees. */
export interface ArchiveHead {
  bounds: [number, number, number, number]
  minZoom: number
  maxZoom: number
  metadata: Record<string, unknown>
}

type Bytes = Uint8Array<ArrayBuffer>
/** Compresses with gzip. Deterministic. */
export type Gzip = (bytes: Bytes) => Bytes | Promise<Bytes>

const headerBytes = 127
/** A reader's first request is 16 KiB: header and root directory must fit in it. */
const rootLimit = 16_384 - headerBytes

/** Bytes of a tile that is not compressed twice. */
const small = 256

/** Compresses with gzip by what every runtime has. */
async function gzip(bytes: Bytes): Promise<Bytes> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/**
 * Writes a PMTiles v3 archive in memory: equal tiles are stored once, tile data is in the order of the directory
 * (Hilbert curve), runs of equal tiles are one entry. Deterministic.
 */
export class ArchiveWriter {
  readonly #gzip: Gzip
  #contents: Bytes[] = []
  /** Contents by length and sum; those that share both are compared. */
  #contentsBySum = new Map<number, number[]>()
  #tiles: { tileId: number; content: number }[] = []
  /** Short tiles that were compressed: those within one area are alike. */
  #packed = new Map<string, Bytes>()

  constructor(pack: Gzip = gzip) {
    this.#gzip = pack
  }

  /** Adds a tile that is not compressed yet; the order does not matter. */
  async addTile(z: number, x: number, y: number, bytes: Bytes): Promise<void> {
    if (bytes.length > small) return this.add(z, x, y, await this.#gzip(bytes))
    const text = String.fromCharCode(...bytes)
    const gzipped = this.#packed.get(text) ?? (await this.#gzip(bytes))
    this.#packed.set(text, gzipped)
    this.add(z, x, y, gzipped)
  }

  /** Adds a tile that is compressed with gzip already; the order does not matter. */
  add(z: number, x: number, y: number, gzipped: Bytes): void {
    this.#tiles.push({ tileId: zxyToTileId(z, x, y), content: this.#storeContent(gzipped) })
  }

  #storeContent(bytes: Bytes): number {
    const sum = hashBytes(bytes)
    const alike = this.#contentsBySum.get(sum) ?? []
    const duplicate = alike.find((content) => areEqual(this.#contents[content] as Bytes, bytes))
    if (duplicate !== undefined) return duplicate
    const content = this.#contents.push(bytes) - 1
    this.#contentsBySum.set(sum, [...alike, content])
    return content
  }

  /** Returns the bytes of the archive. */
  async finish(head: ArchiveHead): Promise<Bytes> {
    const tiles = this.#tiles.sort((a, b) => a.tileId - b.tileId)
    const offsets = new Map<number, number>()
    const data: Bytes[] = []
    const entries: Entry[] = []
    let end = 0
    let last: { tileId: number; content: number } | undefined
    for (const tile of tiles) {
      const bytes = this.#contents[tile.content] as Bytes
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
    const { root, leaves } = await directories(entries, this.#gzip)
    const metadata = await this.#gzip(new TextEncoder().encode(JSON.stringify(head.metadata)))
    const counts = [tiles.length, entries.length, data.length]
    const header = archiveHeader(head, [root.length, metadata.length, leaves.length, end], counts)
    return concatBytes([header, root, metadata, leaves, ...data])
  }
}

/** FNV-1a of the bytes, with their length. */
function hashBytes(bytes: Bytes): number {
  let sum = 0x811c9dc5
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193)
  return (sum >>> 0) * 2 ** 20 + (bytes.length % 2 ** 20)
}

function areEqual(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i])
}

/** One root directory when it fits into a reader's first request, otherwise a root of leaf directories. */
async function directories(entries: Entry[], pack: Gzip): Promise<{ root: Bytes; leaves: Bytes }> {
  const single = await pack(encodeDirectory(entries))
  if (single.length <= rootLimit) return { root: single, leaves: new Uint8Array(0) }
  for (let size = 4096; ; size = Math.ceil(size * 1.2)) {
    const pointers: Entry[] = []
    const leaves: Bytes[] = []
    let offset = 0
    for (let start = 0; start < entries.length; start += size) {
      const slice = entries.slice(start, start + size)
      const leaf = await pack(encodeDirectory(slice))
      pointers.push({ tileId: slice[0]?.tileId ?? 0, offset, length: leaf.length, runLength: 0 })
      leaves.push(leaf)
      offset += leaf.length
    }
    const root = await pack(encodeDirectory(pointers))
    if (root.length <= rootLimit) return { root, leaves: concatBytes(leaves) }
  }
}

/** Columns of varints: id steps, run lengths, lengths, offsets + 1 (0 when the entry follows the one before). */
function encodeDirectory(entries: Entry[]): Bytes {
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
  return Uint8Array.from(bytes)
}

function archiveHeader(head: ArchiveHead, lengths: number[], counts: number[]): Bytes {
  const header = new Uint8Array(headerBytes)
  const view = new DataView(header.buffer)
  header.set(new TextEncoder().encode('PMTiles'))
  header[7] = 3
  let offset = headerBytes
  let at = 8
  const uint64 = (value: number) => {
    view.setBigUint64(at, BigInt(value), true)
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
  const e7 = (degree: number, position: number) => view.setInt32(position, Math.round(degree * 1e7), true)
  e7(west, 102)
  e7(south, 106)
  e7(east, 110)
  e7(north, 114)
  header[118] = head.minZoom
  e7((west + east) / 2, 119)
  e7((south + north) / 2, 123)
  return header
}
