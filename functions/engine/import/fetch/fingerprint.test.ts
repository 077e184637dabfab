import { expect, test } from 'vitest'
import { Fingerprint } from './fingerprint.ts'
import { createFile } from './testing.ts'

const computeFingerprint = (bytes: Uint8Array, step: number) => {
  const print = new Fingerprint()
  for (let at = 0; at < bytes.length; at += step) print.add(bytes.subarray(at, at + step))
  return print
}

test('a fingerprint depends on the bytes only, not on their chunks', async () => {
  const file = createFile(900_000)
  const print = computeFingerprint(file, 1000)
  for (const step of [777, 256 * 1024, 900_000])
    expect(await print.equals(computeFingerprint(file, step))).toBe(true)
  for (const at of [0, 262_143, 262_144, 600_000, 899_999]) {
    const other = Buffer.from(file)
    other[at] = (other[at] ?? 0) ^ 1
    expect(await print.equals(computeFingerprint(other, 900_000))).toBe(false)
  }
  for (const length of [0, 899_999, 786_432])
    expect(await print.equals(computeFingerprint(file.subarray(0, length), 5000))).toBe(false)
  expect(await new Fingerprint().equals(new Fingerprint())).toBe(true)
})
