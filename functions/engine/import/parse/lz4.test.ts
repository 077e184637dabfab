import { expect, test } from 'vitest'
import { parquetCodecs } from './parquet-codecs.ts'

const unpack = (codec: string, bytes: number[], size: number) =>
  new TextDecoder().decode(parquetCodecs.get(codec)?.(Uint8Array.from(bytes), size))
const letters = (text: string) => [...new TextEncoder().encode(text)]
/** "abc" four times and "z": three literals, a match of nine at distance three, one literal. */
const block = [0x35, ...letters('abc'), 3, 0, 0x10, ...letters('z')]
const framed = [0, 0, 0, 13, 0, 0, 0, block.length, ...block]

test('unpacks a block, blocks with length prefixes, and an unprefixed block under the codec of prefixed ones', () => {
  expect(unpack('LZ4_RAW', block, 13)).toBe('abcabcabcabcz')
  expect(unpack('LZ4', [...framed, ...framed], 26)).toBe('abcabcabcabcz'.repeat(2))
  expect(unpack('LZ4', block, 13)).toBe('abcabcabcabcz')
})

test.each<[string, number[], number]>([
  ['longer than it says', block, 12],
  ['shorter than it says', block, 14],
  ['from before its start', [0x35, ...letters('abc'), 4, 0, 0x10, 122], 13],
  ['without an end', [0x1f, 97, 1, 0, ...Array<number>(100_000).fill(255)], 1000],
  ['cut', block.slice(0, 5), 13],
])('rejects a block: %s', (_what, bytes, size) => {
  expect(() => unpack('LZ4_RAW', bytes, size)).toThrow(RangeError)
})
