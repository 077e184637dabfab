import { expect, test } from 'vitest'
import { pendingUploadKey, buildStorageKey } from './keys.ts'
import { acceptUpload } from './store.ts'
import { png, text } from '#functions/edge/media/testing.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

const id = '0b9c7f52-2f6c-4a3e-9a51-7d3f0f5a1c11'
const file = { id, key: buildStorageKey(id, 'library'), size: png.length }
const page = text('<script>'.padEnd(png.length))

test.each([1, 2, 3])('bytes that are replaced before read number %i are not stored', async (moment) => {
  const files = memoryBucket()
  await files.put(pendingUploadKey(id), png)
  let readings = 0
  const get = async (key: string, options: R2GetOptions) => {
    if ((readings += 1) === moment) await files.put(pendingUploadKey(id), page)
    return files.get(key, options)
  }
  const swapped = { ...files, get } as unknown as R2Bucket
  const upload = acceptUpload(swapped, file, { name: 'a.png', type: 'image/png' })
  await expect(upload).rejects.toMatchObject({ kind: 'conflict' })
  expect(await files.head(file.key)).toBeNull()
})

test('a stored file has its type, name and hash as metadata', async () => {
  const files = memoryBucket()
  await files.put(pendingUploadKey(id), png)
  await acceptUpload(files, file, { name: 'Stadtplan ä.png', type: 'text/html' })
  expect(await files.head(file.key)).toMatchObject({
    httpMetadata: { contentType: 'image/png' },
    customMetadata: {
      name: 'Stadtplan%20%C3%A4.png',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    },
  })
})
