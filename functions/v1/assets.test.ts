import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { add, ask, byName, media, oakton, type CreatedAsset, type Target } from './assets.testing.ts'
import type { Context } from '#functions/context.ts'
import { gif, jpeg, png, text } from '#functions/edge/media/testing.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
let files: R2Bucket
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())
beforeEach(() => {
  files = memoryBucket()
})

const asPerson = (person: Person = 'content_admin', changes: Partial<Context> = {}) =>
  world.as(person, { files, ...changes })

const folder = (ctx: Context, name: string, parentId: string | null = null) =>
  ask<CreatedAsset>(ctx, 'assets.folder.create', oakton, { data: { name, parentId } })

test('paths are those of the catalogue', () => {
  const paths = [...byName.values()].map(({ method, path }) => `${method} ${path}`)
  expect(paths).toEqual(
    expect.arrayContaining([
      'get /assets/:assetsId/folders/:folderId',
      'post /assets/:assetsId/folders/deleteFolders',
      'post /assets/:assetsId/files/getUploadWriteUrl',
      'patch /assets/:assetsId/files/:fileId',
      'post /places/:placeId/files',
      'delete /sources/:sourceId/files/:fileId',
      'post /places/:placeId/links',
    ]),
  )
})

test('a file is announced, uploaded, confirmed, found, changed and deleted', async () => {
  const ctx = asPerson()
  const { id: folderId } = await folder(ctx, 'Maps')
  const asset = await add(ctx, jpeg(40, 30, 6), { alt: 'A map', folderId, focalX: 0.2, name: 'Plan.jpg' })
  expect(asset).toMatchObject({
    type: 'image/jpeg',
    width: 30,
    height: 40,
    alt: 'A map',
    focalX: 0.2,
    focalY: 0.5,
    placeId: 'oakton',
    userId: null,
  })
  expect(asset).toMatchObject({
    hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    url: `http://localhost:8787/m/${asset.id}/Plan.jpg`,
  })
  expect(Object.keys(asset)).not.toEqual(expect.arrayContaining(['key']))
  // Confirming again returns the same, without another entry in the audit log.
  expect(
    await ask(ctx, 'assets.file.create', oakton, { data: { fileId: asset.id, alt: 'ignored' } }),
  ).toEqual(asset)
  const response = await media(ctx, asset.url)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const params = { ...oakton, fileId: asset.id }
  const changedAsset = await ask<CreatedAsset>(ctx, 'assets.file.updateById', params, {
    data: { name: 'Other.jpg', folderId: null, version: 1 },
  })
  expect(changedAsset).toMatchObject({ name: 'Other.jpg', folderId: null, version: 2, alt: 'A map' })
  await expect(
    ask(ctx, 'assets.file.updateById', params, { data: { alt: '', version: 1 } }),
  ).rejects.toMatchObject({ kind: 'conflict' })
  expect(await ask(asPerson('viewer'), 'assets.file.findById', params)).toEqual(changedAsset)
  expect(
    await ask(ctx, 'assets.file.deleteFiles', oakton, {
      data: { ids: [asset.id, asset.id, 'nothing', 'far-photo'] },
    }),
  ).toEqual({ count: 1 })
  expect((await media(ctx, asset.url)).status).toBe(404)
  expect((await files.list()).objects).toEqual([])
  await expect(ask(ctx, 'assets.file.findById', params)).rejects.toMatchObject({ kind: 'notFound' })
  const trail = await ctx.db
    .selectFrom('activity')
    .select(['verb', 'targetType'])
    .where('targetId', '=', asset.id)
    .orderBy('at')
    .execute()
  expect(trail.map(({ verb }) => verb)).toEqual(['created', 'updated', 'deleted'])
})

test('a row that is deleted during a change is not changed', async () => {
  const ctx = asPerson()
  /** The same actor, with a concurrent deletion between its read and its write. */
  const overtaken = (name: string, data: unknown) =>
    asPerson('content_admin', {
      async transaction(run) {
        await ask(ctx, name, oakton, { data })
        return ctx.transaction(run)
      },
    })
  const { id: fileId } = await add(ctx, text('once'), {})
  const changing = overtaken('assets.file.deleteFiles', { ids: [fileId] })
  await expect(
    ask(changing, 'assets.file.updateById', { ...oakton, fileId }, { data: { alt: 'Late' } }),
  ).rejects.toMatchObject({ kind: 'conflict' })
  const { id: folderId } = await folder(ctx, 'Short-lived')
  const renaming = overtaken('assets.folder.deleteFolders', { ids: [folderId] })
  await expect(
    ask(renaming, 'assets.folder.updateById', { ...oakton, folderId }, { data: { name: 'Late' } }),
  ).rejects.toMatchObject({ kind: 'conflict' })
})

test('an upload after confirmation changes nothing', async () => {
  const ctx = asPerson()
  const announced = { name: 'a.png', type: 'image/png', size: png.length }
  const { url, fileId, headers } = await ask<Target>(ctx, 'assets.file.getUploadWriteUrl', oakton, {
    data: announced,
  })
  const uploadBytes = (body: Uint8Array<ArrayBuffer>) =>
    media(ctx, url, { method: 'PUT', body, headers: { ...headers, 'content-length': String(body.length) } })
  await uploadBytes(png)
  await ask(ctx, 'assets.file.create', oakton, { data: { fileId } })
  const page = text('<script>'.padEnd(png.length))
  expect((await uploadBytes(page)).status).toBe(200)
  expect(new Uint8Array(await (await media(ctx, `/m/${fileId}`)).arrayBuffer())).toEqual(png)
  await ask(ctx, 'assets.file.create', oakton, { data: { fileId } })
  expect(new Uint8Array(await (await media(ctx, `/m/${fileId}`)).arrayBuffer())).toEqual(png)
})

test('a missing, different or HTML upload is rejected, and can be repeated', async () => {
  const ctx = asPerson()
  const data = { name: 'a.png', type: 'image/png', size: png.length }
  const { fileId } = await ask<Target>(ctx, 'assets.file.getUploadWriteUrl', oakton, { data })
  const confirm = () => ask(ctx, 'assets.file.create', oakton, { data: { fileId } })
  await expect(confirm()).rejects.toMatchObject({ kind: 'conflict' })
  for (const wrong of [gif, text('<html>'.padEnd(png.length))]) {
    await files.put(`c/${fileId}`, wrong)
    await expect(confirm()).rejects.toMatchObject({ kind: 'invalid', issues: [{ path: ['file'] }] })
    expect((await files.list()).objects).toEqual([])
  }
  await files.put(`c/${fileId}`, png)
  expect(await confirm()).toMatchObject({ width: 1, height: 1 })
})

test('a folder or file of another place is rejected like an unknown one', async () => {
  const ctx = asPerson()
  const announced = { name: 'a.png', type: 'image/png', size: 9 }
  const { fileId } = await ask<Target>(ctx, 'assets.file.getUploadWriteUrl', oakton, {
    data: announced,
  })
  const outcome = async (name: string, data: object, params: Record<string, string> = {}) => {
    const error = await ask(ctx, name, { ...oakton, ...params }, { data }).catch((reason: unknown) => reason)
    const { kind, issues } = error as { kind: string; issues: { path: string[]; message: string }[] }
    return { kind, issues: issues.map(({ path, message }) => ({ path, message })) }
  }
  for (const [name, key, params, rest] of [
    ['assets.file.getUploadWriteUrl', 'folderId', {}, announced],
    ['assets.file.create', 'folderId', {}, { fileId }],
    ['assets.file.create', 'fileId', {}, {}],
    ['assets.file.updateById', 'folderId', { fileId: 'photo' }, {}],
    ['assets.folder.create', 'parentId', {}, { name: 'x' }],
    ['assets.folder.updateById', 'parentId', { folderId: 'photos' }, {}],
  ] as const) {
    const theirs = await outcome(
      name,
      { ...rest, [key]: key === 'fileId' ? 'far-photo' : 'far-photos' },
      params,
    )
    expect([name, theirs]).toEqual([name, await outcome(name, { ...rest, [key]: 'nowhere' }, params)])
    expect([name, theirs.kind, theirs.issues[0]?.path]).toEqual([name, 'invalid', [key]])
  }
  for (const params of [{ fileId: 'far-photo' }, { fileId: 'logo' }, { fileId: 'sheet' }])
    await expect(ask(ctx, 'assets.file.findById', { ...oakton, ...params })).rejects.toMatchObject({
      kind: 'notFound',
    })
})

test('storage key, owner and state of a file cannot be set by the client', async () => {
  const ctx = asPerson()
  const announced = { name: 'a.png', type: 'image/png', size: 9 }
  for (const extra of ['key', 'placeId', 'userId', 'state', 'purpose', 'hash', 'id', 'sourceId', 'createdBy'])
    for (const [name, data] of [
      ['assets.file.getUploadWriteUrl', announced],
      ['assets.file.create', { fileId: 'photo' }],
      ['assets.file.updateById', { alt: 'x' }],
      ['assets.folder.create', { name: 'x' }],
      ['assets.folder.updateById', { name: 'x' }],
      ['place.file.create', announced],
    ] as const) {
      // New folders may have a chosen id, as most nouns.
      if (name === 'assets.folder.create' && extra === 'id') continue
      const request = ask(
        ctx,
        name,
        { ...oakton, placeId: 'oakton', fileId: 'photo', folderId: 'photos' },
        { data: { ...data, [extra]: 'x' } },
      )
      await expect(request, `${name} ${extra}`).rejects.toMatchObject({ kind: 'invalid' })
    }
  for (const wrong of [
    { name: '../a' },
    { name: 'a\0' },
    { name: ' ' },
    { type: 'png' },
    { type: 'a/b\r\nc' },
    { size: 0 },
    { size: 1.5 },
    { size: '9' },
  ])
    await expect(
      ask(ctx, 'assets.file.getUploadWriteUrl', oakton, { data: { ...announced, ...wrong } }),
    ).rejects.toMatchObject({ kind: 'invalid' })
  for (const wrong of [
    { focalX: 1.1 },
    { focalY: -0.1 },
    { focalX: 'left' },
    { alt: '\0' },
    { alt: 'x'.repeat(1001) },
  ])
    await expect(
      ask(ctx, 'assets.file.updateById', { ...oakton, fileId: 'photo' }, { data: wrong }),
    ).rejects.toMatchObject({ kind: 'invalid' })
  const large = ask(ctx, 'assets.file.getUploadWriteUrl', oakton, {
    data: { ...announced, size: 100_000_001 },
  })
  await expect(large).rejects.toMatchObject({ kind: 'tooLarge' })
})

test('the id of a new folder may be chosen, but never that of an existing one', async () => {
  const createFolder = (actor: Context, library: Record<string, string>, data: object) =>
    ask<CreatedAsset>(actor, 'assets.folder.create', library, { data: { name: 'Chosen', ...data } })
  expect(await createFolder(asPerson(), oakton, { id: 'chosen' })).toMatchObject({
    id: 'chosen',
    name: 'Chosen',
  })
  await expect(createFolder(asPerson(), oakton, { id: 'chosen', name: 'Other' })).rejects.toMatchObject({
    kind: 'conflict',
  })
  // Neither one's own library nor another's tells that a folder of this id exists elsewhere.
  const ownFolder = await createFolder(asPerson('viewer'), { assetsId: 'viewer' }, { id: 'chosen-by-viewer' })
  await expect(
    createFolder(asPerson('viewer'), { assetsId: 'viewer' }, { id: ownFolder.id }),
  ).rejects.toMatchObject({
    kind: 'conflict',
  })
  expect((await createFolder(asPerson(), oakton, { id: ownFolder.id })).id).toMatch(
    /^chosen-by-viewer-\w{5}$/,
  )
  for (const id of ['', 'a b', '../x', 5, null])
    await expect(createFolder(asPerson(), oakton, { id })).rejects.toMatchObject({ kind: 'invalid' })
  // What was deleted cannot come back, and its id is not given again.
  await ask(asPerson(), 'assets.folder.deleteById', { ...oakton, folderId: 'chosen' })
  expect((await createFolder(asPerson(), oakton, { id: 'chosen' })).id).toMatch(/^chosen-\w{5}$/)
})

test('a person’s own library is accessible to no one else', async () => {
  const ownLibrary = { assetsId: 'viewer' }
  const ctx = asPerson('viewer')
  const asset = await add(ctx, png, {}, ownLibrary)
  expect(asset).toMatchObject({ placeId: null, userId: 'viewer' })
  expect(await ask(ctx, 'assets.file.find', ownLibrary)).toMatchObject({ meta: { total: 1 } })
  await expect(ask(asPerson('super_admin'), 'assets.file.find', ownLibrary)).rejects.toMatchObject({
    kind: 'notFound',
  })
  await expect(ask(ctx, 'assets.folder.create', oakton, { data: { name: 'x' } })).rejects.toMatchObject({
    kind: 'forbidden',
  })
  const much = { name: 'a.zip', type: 'application/zip', size: 100_000_000 }
  for (let attempt = 0; attempt < 4; attempt++)
    await ask(ctx, 'assets.file.getUploadWriteUrl', ownLibrary, { data: much })
  await expect(ask(ctx, 'assets.file.getUploadWriteUrl', ownLibrary, { data: much })).rejects.toMatchObject({
    kind: 'tooLarge',
  })
})

test('lists are searched, filtered and ordered', async () => {
  const ctx = asPerson()
  const { id: folderId } = await folder(ctx, 'Listed')
  const a = await add(ctx, png, { name: 'Alpha.png', folderId })
  const b = await add(ctx, gif, { name: 'Beta.gif', folderId, alt: '50% off' })
  const c = await add(ctx, text('a,b\n1,2'), { name: 'Gamma.csv' })
  const ids = async (options: object) => {
    const { results } = await ask<{ results: CreatedAsset[] }>(ctx, 'assets.file.find', oakton, { options })
    return results.map(({ id }) => id)
  }
  expect(await ids({ filters: { folderId } })).toEqual([a.id, b.id])
  expect(await ids({ filters: { folderId }, orderings: [{ value: 'name', direction: 'desc' }] })).toEqual([
    b.id,
    a.id,
  ])
  expect(await ids({ filters: { folderId: null }, search: 'gamma' })).toEqual([c.id])
  expect(await ids({ search: '50%' })).toEqual([b.id])
  expect(await ids({ filters: { type: 'image/gif' } })).toEqual([b.id])
  expect(await ids({ kind: 'document' })).toEqual([c.id])
  expect(await ids({ kind: 'image', search: 'beta' })).toEqual([b.id])
  const page = await ask(ctx, 'assets.file.find', oakton, {
    options: { filters: { folderId }, limit: '1', offset: '1' },
  })
  expect(page).toMatchObject({ results: [{ id: b.id }], meta: { results: 1, total: 2 } })
})

test('folders nest without cycles, at most ten deep', async () => {
  const ctx = asPerson()
  const line = [await folder(ctx, '1')]
  while (line.length < 10) line.push(await folder(ctx, String(line.length + 1), line.at(-1)?.id))
  await expect(folder(ctx, '11', line.at(-1)?.id)).rejects.toMatchObject({
    kind: 'invalid',
    issues: [{ path: ['parentId'] }],
  })
  const move = (from: number, to: number | null) =>
    ask(
      ctx,
      'assets.folder.updateById',
      { ...oakton, folderId: line[from]?.id ?? '' },
      { data: { parentId: to === null ? null : line[to]?.id } },
    )
  for (const to of [0, 1, 9]) await expect(move(0, to)).rejects.toMatchObject({ kind: 'invalid' })
  await move(5, null)
  // A moved folder brings its own subfolders, which count.
  const top = await folder(ctx, 'top', line[4]?.id)
  await expect(
    ask(
      ctx,
      'assets.folder.updateById',
      { ...oakton, folderId: line[5]?.id ?? '' },
      { data: { parentId: top.id } },
    ),
  ).rejects.toMatchObject({ kind: 'invalid' })
  expect(
    await ask(ctx, 'assets.folder.find', oakton, { options: { filters: { parentId: line[3]?.id } } }),
  ).toMatchObject({ results: [{ id: line[4]?.id }] })
})

test('two concurrent moves make no cycle', async () => {
  const ctx = asPerson()
  const [a, b] = [await folder(ctx, 'a'), await folder(ctx, 'b')]
  const move = (id: string, parentId: string) =>
    ask(asPerson(), 'assets.folder.updateById', { ...oakton, folderId: id }, { data: { parentId } }).then(
      () => 'moved',
      () => 'refused',
    )
  expect((await Promise.all([move(a.id, b.id), move(b.id, a.id)])).sort()).toEqual(['moved', 'refused'])
})

test('a non-empty folder is deleted only together with its contents', async () => {
  const ctx = asPerson()
  const outer = await folder(ctx, 'outer')
  const inner = await folder(ctx, 'inner', outer.id)
  const asset = await add(ctx, png, { folderId: inner.id })
  const remove = (options: object) =>
    ask(ctx, 'assets.folder.deleteById', { ...oakton, folderId: outer.id }, { options })
  await expect(remove({})).rejects.toMatchObject({ kind: 'conflict' })
  const selection = { ids: [outer.id, inner.id] }
  await expect(ask(ctx, 'assets.folder.deleteFolders', oakton, { data: selection })).rejects.toMatchObject({
    kind: 'conflict',
  })
  expect((await media(ctx, asset.url)).status).toBe(200)
  expect(await remove({ recursive: 'true' })).toEqual({ id: outer.id })
  expect((await media(ctx, asset.url)).status).toBe(404)
  await expect(ask(ctx, 'assets.folder.findById', { ...oakton, folderId: inner.id })).rejects.toMatchObject({
    kind: 'notFound',
  })
  const empty = [await folder(ctx, 'x'), await folder(ctx, 'y')]
  const ids = [...empty.map(({ id }) => id), 'far-photos']
  expect(await ask(ctx, 'assets.folder.deleteFolders', oakton, { data: { ids } })).toEqual({ count: 2 })
})
