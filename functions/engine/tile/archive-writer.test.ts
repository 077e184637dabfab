import { gzipSync } from 'node:zlib'
import { PMTiles, type DecompressFunc } from 'pmtiles'
import { expect, test } from 'vitest'
import { ArchiveWriter, type ArchiveHead } from './archive-writer.ts'

const head: ArchiveHead = { bounds: [-10, -20, 30, 40], minZoom: 0, maxZoom: 8, metadata: { name: 'test' } }
const tile = (text: string) => new Uint8Array(gzipSync(text))

/** `unpack` is what the reader does to a tile; directories are always unpacked. */
function open(bytes: Uint8Array, unpack?: DecompressFunc): PMTiles {
  const source = {
    getKey: () => 'memory',
    getBytes: async (offset: number, length: number) => ({
      data: bytes.slice(offset, offset + length).buffer as ArrayBuffer,
    }),
  }
  return new PMTiles(source, undefined, unpack)
}

async function read(archive: PMTiles, z: number, x: number, y: number): Promise<string | undefined> {
  const storedTile = await archive.getZxy(z, x, y)
  return storedTile && new TextDecoder().decode(storedTile.data)
}

test('equal tiles are stored once, and a run of them is one entry', async () => {
  const writer = new ArchiveWriter()
  const sea = tile('sea')
  writer.add(0, 0, 0, tile('world'))
  for (const [x, y] of [
    [0, 0],
    [0, 1],
    [1, 1],
  ] as const)
    writer.add(1, x, y, sea)
  writer.add(1, 1, 0, tile('land'))
  writer.add(2, 3, 3, sea)
  const archive = open(await writer.finish(head))
  expect(await archive.getHeader()).toMatchObject({
    specVersion: 3,
    clustered: true,
    numAddressedTiles: 6,
    numTileEntries: 4,
    numTileContents: 3,
    minLon: -10,
    maxLat: 40,
    maxZoom: 8,
  })
  expect(await archive.getMetadata()).toEqual({ name: 'test' })
  expect(await read(archive, 1, 1, 1)).toBe('sea')
  expect(await read(archive, 1, 1, 0)).toBe('land')
  expect(await read(archive, 2, 3, 3)).toBe('sea')
  expect(await read(archive, 2, 0, 0)).toBeUndefined()
})

test('a large archive has leaf directories, and every tile is found through them', async () => {
  const writer = new ArchiveWriter()
  const buildTileBytes = (x: number, y: number) => {
    const length = 1 + ((x * 7919 + y * 104_729) % 997)
    return new Uint8Array(length + 2).fill(x).fill(y, length)
  }
  for (let x = 0; x < 256; x++) for (let y = x % 2; y < 256; y += 2) writer.add(8, x, y, buildTileBytes(x, y))
  const archive = open(await writer.finish(head), async (data) => data)
  const header = await archive.getHeader()
  expect(header.leafDirectoryLength).toBeGreaterThan(0)
  expect(header.rootDirectoryOffset + header.rootDirectoryLength).toBeLessThanOrEqual(16_384)
  for (let x = 0; x < 256; x += 9) {
    for (let y = x % 2; y < 256; y += 14) {
      expect(new Uint8Array((await archive.getZxy(8, x, y))?.data ?? [])).toEqual(buildTileBytes(x, y))
    }
  }
})

test('the order of added tiles does not change a byte', async () => {
  const tiles = [...Array(64).keys()].map((i) => [i % 8, Math.floor(i / 8), tile(`${i % 5}`)] as const)
  const build = (list: typeof tiles) => {
    const writer = new ArchiveWriter()
    for (const [x, y, bytes] of list) writer.add(3, x, y, bytes)
    return writer.finish(head)
  }
  expect(await build([...tiles].reverse())).toEqual(await build(tiles))
})
