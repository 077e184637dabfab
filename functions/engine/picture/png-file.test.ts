import { crc32, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pngFile } from './png-file.ts'

/** Decodes a PNG: its pixels with four bytes each, and the names of its chunks. Verifies every checksum. */
function decoded(file: Uint8Array) {
  const bytes = Buffer.from(file)
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const chunks: { name: string; data: Buffer }[] = []
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const chunk = bytes.subarray(at + 4, at + 8 + length)
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(chunk))
    chunks.push({ name: chunk.toString('latin1', 0, 4), data: chunk.subarray(4) })
    at += length + 12
  }
  const getChunkData = (chunkName: string) =>
    chunks.find(({ name }) => name === chunkName)?.data ?? Buffer.alloc(0)
  const [width, height, kind] = [
    getChunkData('IHDR').readUInt32BE(0),
    getChunkData('IHDR').readUInt32BE(4),
    getChunkData('IHDR')[9],
  ]
  const lines = inflateSync(getChunkData('IDAT'))
  const step = kind === 3 ? 1 : 3
  const pixels: number[] = []
  for (let y = 0; y < height; y += 1) {
    const start = y * (width * step + 1)
    expect(lines[start]).toBe(0)
    for (let x = 0; x < width; x += 1) {
      const at = start + 1 + x * step
      const [from, place] = kind === 3 ? [getChunkData('PLTE'), (lines[at] ?? 0) * 3] : [lines, at]
      pixels.push(from[place] ?? -1, from[place + 1] ?? -1, from[place + 2] ?? -1, 255)
    }
  }
  return { width, height, pixels, names: chunks.map(({ name }) => name) }
}

const buildPixels = (count: number, toColour: (n: number) => [number, number, number]) =>
  Uint8Array.from({ length: count }, (_, n) => n).reduce<number[]>(
    (all, _, n) => [...all, ...toColour(n), 255],
    [],
  )

test('few colours are indexed, without changing a pixel', async () => {
  const pixels = buildPixels(7 * 5, (n) => (n % 3 ? [255, 255, 255] : [n, 200, 3]))
  const file = await pngFile(Uint8Array.from(pixels), { width: 7, height: 5 })
  expect(file && decoded(file)).toEqual({
    ...{ width: 7, height: 5, pixels, names: ['IHDR', 'PLTE', 'IDAT', 'IEND'] },
  })
})

test('256 colours are indexed, 257 are not', async () => {
  for (const [count, names] of [
    [256, ['IHDR', 'PLTE', 'IDAT', 'IEND']],
    [257, ['IHDR', 'IDAT', 'IEND']],
  ] as const) {
    const pixels = buildPixels(count, (n) => [n & 255, n >> 8, 77])
    const file = await pngFile(Uint8Array.from(pixels), { width: count, height: 1 })
    expect(file && decoded(file)).toEqual({ width: count, height: 1, pixels, names })
  }
})

test('transparent pixels are not supported', async () => {
  expect(await pngFile(Uint8Array.of(1, 2, 3, 255, 1, 2, 3, 254), { width: 2, height: 1 })).toBeNull()
})
