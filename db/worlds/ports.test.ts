import { expect, test } from 'vitest'
import { memoryBucket } from './ports.ts'

const MiB = 1024 * 1024
const part = (size: number, fill: number) => new Uint8Array(size).fill(fill)

test('a multipart upload becomes visible when it is complete, in the order of its parts', async () => {
  const bucket = memoryBucket()
  const upload = await bucket.createMultipartUpload('a', { httpMetadata: { contentType: 'text/csv' } })
  const second = await upload.uploadPart(2, part(5 * MiB, 2))
  const third = await upload.uploadPart(3, part(7, 3))
  const first = await bucket.resumeMultipartUpload('a', upload.uploadId).uploadPart(1, part(5 * MiB, 1))
  expect(await bucket.head('a')).toBeNull()
  await upload.complete([third, first, second])
  const object = await bucket.get('a')
  expect(object?.httpMetadata?.contentType).toBe('text/csv')
  const bytes = await object?.bytes()
  expect([bytes?.length, bytes?.[0], bytes?.[5 * MiB], bytes?.[10 * MiB]]).toEqual([10 * MiB + 7, 1, 2, 3])
  await expect(upload.uploadPart(4, part(1, 1))).rejects.toThrow('does not exist')
})

test('parts have 5 MiB at least and equal sizes, except the last', async () => {
  const bucket = memoryBucket()
  const uploadParts = async (...sizes: number[]) => {
    const upload = await bucket.createMultipartUpload('b')
    const parts = []
    for (const [i, size] of sizes.entries()) parts.push(await upload.uploadPart(i + 1, part(size, 1)))
    return upload.complete(parts)
  }
  await expect(uploadParts(5 * MiB - 1, 1)).rejects.toThrow('smaller than the minimum')
  await expect(uploadParts(6 * MiB, 5 * MiB, 1)).rejects.toThrow('same length')
  await expect(uploadParts(5 * MiB, 6 * MiB)).rejects.toThrow('same length')
  expect(await bucket.head('b')).toBeNull()
  await uploadParts(5 * MiB, 5 * MiB, 1)
  expect((await bucket.head('b'))?.size).toBe(10 * MiB + 1)
})

test('an aborted upload leaves nothing', async () => {
  const bucket = memoryBucket()
  const upload = await bucket.createMultipartUpload('c')
  const uploadedPart = await upload.uploadPart(1, part(3, 1))
  await upload.abort()
  await expect(upload.complete([uploadedPart])).rejects.toThrow('does not exist')
  expect(await bucket.head('c')).toBeNull()
})
