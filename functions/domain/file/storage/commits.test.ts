import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOfPlace, deleteOfPlace } from '../files.ts'
import { maintainFiles } from '../files-sweep.ts'

import { pendingUploadKey, buildStorageKey } from '#functions/engine/media/keys.ts'
import { jpeg } from '#functions/edge/media/testing.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type TestContext } from '#db/worlds/world.ts'

let world: TestWorld
const files = memoryBucket()
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const lost = () => new Error('Connection terminated unexpectedly')

/** Simulates a lost response of COMMIT, after it was executed or not. */
function losing(ctx: TestContext, wasDone: boolean): TestContext {
  const { transaction } = ctx
  return {
    ...ctx,
    transaction: async (run) => {
      if (wasDone) await transaction(run)
      else
        await transaction(async (tx) => {
          await run(tx)
          throw lost()
        }).catch(() => {})
      throw lost()
    },
  }
}
const admin = () => world.as('organization_admin', { files })
const buildArgs = <Data>(data: Data, fileId = '') => ({
  params: { placeId: 'oakton', fileId },
  options: {},
  data,
  placeId: 'oakton',
})
const picture = () => new File([jpeg(4, 3)], 'a.jpg', { type: 'image/jpeg' })
const keys = async () => (await files.list()).objects.map(({ key }) => key)
const findAssetRow = (id: string) =>
  world.as('system').db.selectFrom('asset').selectAll().where('id', '=', id).executeTakeFirst()

test.each([true, false])('a file whose COMMIT was lost keeps its bytes (done: %s)', async (wasDone) => {
  const before = new Set(await keys())
  await expect(createOfPlace(losing(admin(), wasDone), buildArgs({ file: picture() }))).rejects.toThrow(
    'Connection',
  )
  const [key = '', ...more] = (await keys()).filter((each) => !before.has(each))
  expect(more).toEqual([])
  expect(key).toMatch(/^a\/[0-9a-f-]{36}$/)
  expect((await findAssetRow(key.slice(2))) !== undefined).toBe(wasDone)
})

test('leaves nothing of a file rejected before its COMMIT', async () => {
  const before = await keys()
  const failingContext = admin()
  failingContext.transaction = (run) =>
    admin().transaction(async (tx) =>
      run({
        ...tx,
        insertInto: () => {
          throw new Error('Refused.')
        },
      } as never),
    )
  await expect(createOfPlace(failingContext, buildArgs({ file: picture() }))).rejects.toThrow('Refused.')
  expect(await keys()).toEqual(before)
})

test.each([true, false])(
  'a confirmation whose COMMIT was lost can be repeated (done: %s)',
  async (wasDone) => {
    const bytes = jpeg(4, 3)
    const announced = await createOfPlace(
      admin(),
      buildArgs({ name: 'b.jpg', type: 'image/jpeg', size: bytes.byteLength }),
    )
    const { id } = announced
    await files.put(pendingUploadKey(id), bytes)
    await expect(createOfPlace(losing(admin(), wasDone), buildArgs({ fileId: id }))).rejects.toThrow(
      'Connection',
    )
    expect(await files.head(buildStorageKey(id, 'place'))).not.toBeNull()
    expect(await createOfPlace(admin(), buildArgs({ fileId: id }))).toMatchObject({ id })
    expect(await files.head(buildStorageKey(id, 'place'))).not.toBeNull()
  },
)

test('a confirmation that loses its connection and lock does not remove the bytes of a concurrent one', async () => {
  const bytes = jpeg(4, 3)
  const { id } = await createOfPlace(
    admin(),
    buildArgs({ name: 'c.jpg', type: 'image/jpeg', size: bytes.byteLength }),
  )
  await files.put(pendingUploadKey(id), bytes)
  const cut = admin()
  cut.transaction = (run) =>
    admin().transaction(async (tx) => {
      const severed = {
        ...{ selectFrom: tx.selectFrom.bind(tx), insertInto: tx.insertInto.bind(tx) },
        updateTable: () => {
          throw lost()
        },
      }
      await run(severed as never)
      throw lost()
    })
  await expect(createOfPlace(cut, buildArgs({ fileId: id }))).rejects.toThrow('Connection')
  expect(await files.head(buildStorageKey(id, 'place'))).not.toBeNull()
  expect(await createOfPlace(admin(), buildArgs({ fileId: id }))).toMatchObject({ id })
})

test('deletes the bytes of a file once its deletion is certain, not when the COMMIT was lost', async () => {
  const { id } = await createOfPlace(admin(), buildArgs({ file: picture() }))
  const key = buildStorageKey(id, 'place')
  await expect(deleteOfPlace(losing(admin(), false), buildArgs(undefined, id))).rejects.toThrow('Connection')
  expect(await files.head(key)).not.toBeNull()
  await maintainFiles(world.as('system', { files }))
  expect(await files.head(key)).not.toBeNull()
  // The deletion was committed, but its response was lost.
  await expect(deleteOfPlace(losing(admin(), true), buildArgs(undefined, id))).rejects.toThrow('Connection')
  expect(await files.head(key)).not.toBeNull()
  await maintainFiles(world.as('system', { files }))
  expect(await files.head(key)).toBeNull()
  expect((await findAssetRow(id))?.bytesGoneAt).not.toBeNull()
})

test('retries each minute to delete bytes that the storage refused to delete', async () => {
  const { id } = await createOfPlace(admin(), buildArgs({ file: picture() }))
  const key = buildStorageKey(id, 'place')
  const stuck = {
    ...files,
    delete: () => Promise.reject(new Error('We encountered an internal error. (10001)')),
  }
  const ctx = world.as('organization_admin', { files: stuck as unknown as R2Bucket })
  expect(await deleteOfPlace(ctx, buildArgs(undefined, id))).toEqual({ id })
  expect(ctx.reported).toHaveLength(1)
  expect(await files.head(key)).not.toBeNull()
  await maintainFiles(world.as('system', { files }))
  expect(await files.head(key)).toBeNull()
  const again = await maintainFiles(world.as('system', { files }))
  expect(again).toBe(0)
})
