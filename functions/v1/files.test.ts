import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ask, media, oakton, type CreatedAsset, type Target } from './assets.testing.ts'
import type { Context } from '#functions/context.ts'
import { openSourceFile } from '#functions/domain/file/files.ts'
import { sweepFiles } from '#functions/domain/file/files-sweep.ts'
import { png } from '#functions/edge/media/testing.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, settings, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
let files: R2Bucket
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())
beforeEach(() => {
  files = memoryBucket()
})

const openContext = (person: Person = 'content_admin', changes: Partial<Context> = {}) =>
  world.as(person, { files, ...changes })

test('files of a place and of a source: uploaded, announced and confirmed, deleted', async () => {
  const ctx = openContext()
  const buildUpload = (content: BlobPart, name: string, type: string) => ({
    data: { file: new File([content], name, { type }) },
  })
  const logo = await ask<CreatedAsset>(
    ctx,
    'place.file.create',
    { placeId: 'oakton' },
    buildUpload(png, 'C:\\logo.png', 'image/png'),
  )
  expect(logo).toMatchObject({ name: 'logo.png', type: 'image/png', size: png.length })
  expect((await media(ctx, logo.url)).status).toBe(200)
  const source = { sourceId: 'inner' }
  const sheet = await ask<CreatedAsset>(
    ctx,
    'source.file.create',
    source,
    buildUpload('a,b\n1,2', 'calls.csv', 'text/csv'),
  )
  expect(await (await media(ctx, sheet.url)).text()).toBe('a,b\n1,2')
  for (const open of [`/m/${sheet.id}`, sheet.url.replace(/\?.*/, '')])
    expect((await media(ctx, open)).status).not.toBe(200)
  const late = openContext('content_admin', { now: () => new Date(Date.now() + 16 * 60_000) })
  expect((await media(late, sheet.url)).status).toBe(403)
  const sourceFile = await openSourceFile(ctx, { id: 'inner', placeId: 'oakton' }, sheet.id)
  expect(sourceFile).toMatchObject({ name: 'calls.csv', type: 'text/csv', size: 7 })
  expect(await openSourceFile(ctx, { id: 'open', placeId: 'oakton' }, sheet.id)).toBeNull()
  const announced = await ask<CreatedAsset & { upload: { headers: Record<string, string> } }>(
    ctx,
    'source.file.create',
    source,
    { data: { name: 'b.csv', type: 'text/csv', size: 3 } },
  )
  await media(ctx, announced.url, {
    method: 'PUT',
    body: 'a,b',
    headers: { ...announced.upload.headers, 'content-length': '3' },
  })
  const confirmed = await ask<CreatedAsset>(ctx, 'source.file.create', source, {
    data: { fileId: announced.id },
  })
  expect(await (await media(ctx, confirmed.url)).text()).toBe('a,b')
  await expect(
    ask(ctx, 'place.file.create', { placeId: 'oakton' }, { data: { fileId: sheet.id } }),
  ).rejects.toMatchObject({ kind: 'invalid' })
  await expect(
    ask(ctx, 'place.file.create', { placeId: 'oakton' }, buildUpload('<html>', 'a.png', 'image/png')),
  ).rejects.toMatchObject({ kind: 'invalid' })
  await expect(
    ask(ctx, 'place.file.create', { placeId: 'oakton' }, buildUpload(new Uint8Array(25_000_001), 'a', '')),
  ).rejects.toMatchObject({ kind: 'tooLarge' })
  await expect(
    ask(ctx, 'place.file.create', { placeId: 'oakton' }, { data: { file: 'text' } }),
  ).rejects.toMatchObject({ kind: 'invalid', issues: [{ path: ['file'] }] })
  await expect(
    ask(ctx, 'place.file.deleteById', { placeId: 'oakton', fileId: sheet.id }),
  ).rejects.toMatchObject({ kind: 'notFound' })
  await expect(
    ask(openContext('stranger'), 'source.file.deleteById', { ...source, fileId: sheet.id }),
  ).rejects.toMatchObject({ kind: 'notFound' })
  for (const fileId of [sheet.id, confirmed.id])
    expect(await ask(ctx, 'source.file.deleteById', { ...source, fileId })).toEqual({ id: fileId })
  await ask(ctx, 'place.file.deleteById', { placeId: 'oakton', fileId: logo.id })
  expect((await files.list()).objects).toEqual([])
})

test('a file can be tried before its source exists, and is then the source’s', async () => {
  const ctx = openContext()
  const content = 'id,name\n1,Oak\n2,Elm\n'
  const announce = async (body: string) => {
    const { id, url, upload } = await ask<CreatedAsset & { upload: { headers: Record<string, string> } }>(
      ctx,
      'place.file.create',
      { placeId: 'oakton' },
      { data: { name: 'trees.csv', type: 'text/csv', size: body.length } },
    )
    const headers = { ...upload.headers, 'content-length': String(body.length) }
    return { id, send: () => media(ctx, url, { method: 'PUT', body, headers }) }
  }
  const tryIt = (fileId: string, who = ctx, placeId = 'oakton') =>
    ask<{ rows: { output: unknown }[]; error?: string }>(
      who,
      'place.source.test',
      { placeId },
      { data: { fileId, sources: [{ url: 'file:sent', parser: 'csv' }] } },
    )
  const confirm = (sourceId: string, fileId: string) =>
    ask<CreatedAsset>(ctx, 'source.file.create', { sourceId }, { data: { fileId } })

  const file = await announce(content)
  await expect(tryIt(file.id)).rejects.toMatchObject({ kind: 'conflict' })
  await file.send()
  expect((await tryIt(file.id)).rows.map(({ output }) => output)).toEqual([
    { id: '1', name: 'Oak' },
    { id: '2', name: 'Elm' },
  ])
  // Of another place it is none, and nothing reads it before a source has it.
  const stranger = openContext('stranger')
  await expect(tryIt(file.id, stranger, 'elmsford')).rejects.toMatchObject({ kind: 'invalid' })
  await expect(tryIt(file.id, stranger)).rejects.toMatchObject({ kind: 'notFound' })
  for (const path of [`/m/${file.id}`, `/m/${file.id}/trees.csv`])
    expect((await media(ctx, path)).status).toBe(404)

  const confirmed = await confirm('inner', file.id)
  expect(confirmed).toMatchObject({ id: file.id, name: 'trees.csv', size: content.length })
  expect(await (await media(ctx, confirmed.url)).text()).toBe(content)
  expect((await media(ctx, `/m/${file.id}`)).status).toBe(404)
  expect((await files.list()).objects.map(({ key }) => key)).toEqual([`d/${file.id}`])
  // It is the source's now: it is no longer of the place, nor of another source.
  await expect(tryIt(file.id)).rejects.toMatchObject({ kind: 'invalid' })
  await expect(confirm('open', file.id)).rejects.toMatchObject({ kind: 'invalid' })
  expect((await confirm('inner', file.id)).id).toBe(file.id)
  await ask(ctx, 'source.file.deleteById', { sourceId: 'inner', fileId: file.id })

  // What the place itself has confirmed, such as its logo, is not taken from it.
  const own = await announce(content)
  await own.send()
  await ask(ctx, 'place.file.create', { placeId: 'oakton' }, { data: { fileId: own.id } })
  await expect(confirm('inner', own.id)).rejects.toMatchObject({ kind: 'invalid' })
  await expect(tryIt(own.id)).rejects.toMatchObject({ kind: 'invalid' })
  await ask(ctx, 'place.file.deleteById', { placeId: 'oakton', fileId: own.id })
})

test('a file that is too large is refused by its format, with what to do', async () => {
  const announce = (
    name: string,
    path = 'source.file.create',
    params: Record<string, string> = { sourceId: 'inner' },
  ) =>
    ask(openContext(), path, params, { data: { name, type: 'application/octet-stream', size: 120_000_000 } })
  const words = (message: string) => ({ kind: 'tooLarge', message, issues: [{ path: ['size'] }] })
  await expect(announce('trees.xlsx')).rejects.toMatchObject(
    words(
      'A file of the format Excel may have 100 MB, and this has 120 MB. Save it as CSV, and pack that into a zip archive.',
    ),
  )
  await expect(announce('trees.csv', 'place.file.create', { placeId: 'oakton' })).rejects.toMatchObject(
    words(
      'A file of the format CSV may have 100 MB, and this has 120 MB. Give its address, or pack it into a zip archive.',
    ),
  )
  await expect(announce('logo.png')).rejects.toMatchObject(words('A file may have 100 MB.'))
})

test('announced files that were never confirmed are deleted after a day', async () => {
  const announced = { name: 'a.png', type: 'image/png', size: 9 }
  const { fileId } = await ask<Target>(openContext(), 'assets.file.getUploadWriteUrl', oakton, {
    data: announced,
  })
  await files.put(`c/${fileId}`, png)
  expect((await sweepFiles(openContext('system'))).objects).toBe(0)
  const swept = await sweepFiles(openContext('system', { now: () => new Date(Date.now() + 25 * 3600_000) }))
  expect([swept.rows > 0, swept.objects]).toEqual([true, 1])
})

test('with S3 credentials uploads go to the bucket directly, bound to type and length', async () => {
  const r2 = {
    endpoint: 'https://account.r2.test',
    accessKeyId: 'id',
    secretAccessKey: 'key',
    bucket: 'files',
  }
  const ctx = openContext('content_admin', { settings: { ...settings, r2 } })
  const data = { name: 'a.png', type: 'image/png', size: 9 }
  const { url, fileId, headers } = await ask<Target>(ctx, 'assets.file.getUploadWriteUrl', oakton, { data })
  const { origin, pathname, searchParams } = new URL(url)
  expect([origin, pathname, headers]).toEqual([
    'https://account.r2.test',
    `/files/c/${fileId}`,
    { 'content-type': 'image/png' },
  ])
  expect(searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host')
  expect(Number(searchParams.get('X-Amz-Expires'))).toBe(900)
  expect(searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/)
})
