import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteAbandoned, isToBeDeleted, listSourcesAwaitingImport } from './delete-abandoned.ts'
import { processJobs } from './job/work.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

const placeId = 'oakton'
const files = memoryBucket()
const day = 86_400_000
let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const admin = () => world.as('organization_admin', { files })
const system = (days = 0) => world.as('system', { files, now: () => new Date(Date.now() + days * day) })

/** A source that was created for a file, and its importer. */
async function createImport(text: string, { dataTypeId = 'tree', schedule = null as string | null } = {}) {
  const source = { name: 'Read', dataTypeId, placeId, visibility: 'place' }
  const { id: sourceId } = await call(v1.source.create, admin(), { data: source })
  const file = new File([text], 'rows.json', { type: 'application/json' })
  const { id: fileId } = await call(v1.source.file.create, admin(), { params: { sourceId }, data: { file } })
  const { id: importerId } = await call(v1.source.importer.create, admin(), {
    params: { sourceId },
    data: {
      ...{ name: 'Rows', mapping: { type: { field: 'Name' } }, schedule },
      sources: [{ url: `file:${fileId}`, parser: 'json', parserOptions: { selector: '*' } }],
    },
  })
  return { sourceId, importerId }
}

async function run(params: { sourceId: string; importerId: string }, dryRun: boolean) {
  const { id: jobId } = await call(v1.source.importer.run, admin(), { params, options: { dryRun } })
  await processJobs(system())
  return call(v1.source.importer.job.findById, admin(), { params: { ...params, jobId } })
}

const isThere = async (sourceId: string) => {
  const options = { filters: { id: sourceId } }
  const { results } = await call(v1.source.find, admin(), { options })
  return results.length === 1
}

test('a source of a file that could not be read is deleted after three days, and can be restored', async () => {
  const brokenImport = await createImport('{"rows": [')
  expect(await run(brokenImport, true)).toMatchObject({ status: 'failed' })
  expect(await isToBeDeleted(admin(), brokenImport.sourceId)).toBe(true)
  expect(await deleteAbandoned(system(2))).toBe(0)
  expect(await deleteAbandoned(system(4))).toBe(1)
  expect(await isThere(brokenImport.sourceId)).toBe(false)
  expect(await deleteAbandoned(system(4))).toBe(0)
  await call(v1.place.source.restore, admin(), { params: { placeId, sourceId: brokenImport.sourceId } })
  expect(await isThere(brokenImport.sourceId)).toBe(true)
  await call(v1.source.deleteById, admin(), { params: { sourceId: brokenImport.sourceId } })
})

test('other sources without records stay', async () => {
  const never = await createImport('[]')
  const brought = await createImport('[{"Name": "Oak"}]')
  expect(await run(brought, false)).toMatchObject({ status: 'succeeded' })
  const scheduled = await createImport('{"rows": [', { schedule: '0 5 * * *' })
  await run(scheduled, true)
  // Made by hand long before its importer.
  const early = await createImport('{"rows": [')
  await run(early, true)
  const { db } = system()
  const hours = (n: number) => new Date(Date.now() - n * 3_600_000)
  await db
    .updateTable('source')
    .set({ createdAt: hours(5) })
    .where('id', '=', early.sourceId)
    .execute()
  const used = await createImport('{"rows": [')
  await run(used, true)
  await call(v1.insight.create, admin(), {
    data: {
      ...{ name: 'Uses it', placeId, dataTypeId: 'tree', sourceId: used.sourceId, visibility: 'place' },
      visualization: { type: 'number' },
      query: { aggregations: [{ alias: 'trees', value: { function: 'count' } }] },
    },
  })
  for (const { sourceId } of [brought, scheduled, early, used])
    expect([sourceId, await isToBeDeleted(admin(), sourceId)]).toEqual([sourceId, false])
  expect(await deleteAbandoned(system(40))).toBe(0)
  for (const { sourceId } of [never, brought, scheduled, early, used])
    expect([sourceId, await isThere(sourceId)]).toEqual([sourceId, true])
})

/** A data type as the screen makes one for a file. */
async function createType(name: string) {
  const data = { name, schema: { type: { name: 'Type', type: 'text' } }, ownerPlaceId: placeId }
  return (await call(v1.dataType.create, admin(), { data })).id
}
const isTypeThere = async (id: string) => {
  const { results } = await call(v1.dataType.find, admin(), { options: { filters: { id } } })
  return results.length === 1
}

test('a data type that was made for an abandoned import goes with its source, and comes back with it', async () => {
  const dataTypeId = await createType('Made for a file')
  const brokenImport = await createImport('{"rows": [', { dataTypeId })
  await run(brokenImport, true)
  expect(await deleteAbandoned(system(4))).toBe(1)
  expect([await isThere(brokenImport.sourceId), await isTypeThere(dataTypeId)]).toEqual([false, false])
  await call(v1.place.source.restore, admin(), { params: { placeId, sourceId: brokenImport.sourceId } })
  expect([await isThere(brokenImport.sourceId), await isTypeThere(dataTypeId)]).toEqual([true, true])
  // Deleted by itself later, it is not brought back by the source.
  await call(v1.source.deleteById, admin(), { params: { sourceId: brokenImport.sourceId } })
  await call(v1.dataType.deleteById, admin(), { params: { dataTypeId } })
  await expect(
    call(v1.place.source.restore, admin(), { params: { placeId, sourceId: brokenImport.sourceId } }),
  ).rejects.toMatchObject({ kind: 'conflict' })
})

test('a data type stays that another source, an insight or an older choice has to do with', async () => {
  const shared = await createType('Of two files')
  const [first, second] = [
    await createImport('{"rows": [', { dataTypeId: shared }),
    await createImport('[]', { dataTypeId: shared }),
  ]
  const insightTypeId = await createType('Asked')
  const third = await createImport('{"rows": [', { dataTypeId: insightTypeId })
  await call(v1.insight.create, admin(), {
    data: {
      ...{ name: 'Asks it', placeId, dataTypeId: insightTypeId, visibility: 'place' },
      visualization: { type: 'number' },
      query: { aggregations: [{ alias: 'rows', value: { function: 'count' } }] },
    },
  })
  const early = await createType('Chosen')
  await system()
    .db.updateTable('dataType')
    .set({ createdAt: new Date(Date.now() - 2 * 3_600_000) })
    .where('id', '=', early)
    .execute()
  const fourth = await createImport('{"rows": [', { dataTypeId: early })
  for (const params of [first, third, fourth]) await call(v1.source.importer.discard, admin(), { params })
  for (const id of [shared, insightTypeId, early]) expect([id, await isTypeThere(id)]).toEqual([id, true])
  await call(v1.source.deleteById, admin(), { params: { sourceId: second.sourceId } })
})

test('who may delete the source takes back the data type of its import as well, without a right to delete others', async () => {
  const editor = () => world.as('content_admin', { files })
  const dataTypeId = await createType('Made for a file of a colleague')
  await expect(call(v1.dataType.deleteById, editor(), { params: { dataTypeId } })).rejects.toMatchObject({
    kind: 'forbidden',
  })
  const params = await createImport('{"rows": [', { dataTypeId })
  await run(params, true)
  await expect(call(v1.source.importer.discard, world.as('member'), { params })).rejects.toMatchObject({
    kind: 'forbidden',
  })
  expect(await call(v1.source.importer.discard, editor(), { params })).toEqual({ id: params.sourceId })
  expect([await isThere(params.sourceId), await isTypeThere(dataTypeId)]).toEqual([false, false])
  await call(v1.place.source.restore, editor(), { params: { placeId, sourceId: params.sourceId } })
  expect([await isThere(params.sourceId), await isTypeThere(dataTypeId)]).toEqual([true, true])
  await call(v1.source.importer.discard, editor(), { params })
})

test('a data type of somebody else stays, and so does a source that had records', async () => {
  const editor = () => world.as('content_admin', { files })
  const dataTypeId = await createType('Somebody else’s')
  const params = await createImport('{"rows": [', { dataTypeId })
  const { db } = system()
  await db
    .updateTable('source')
    .set({ createdBy: 'content_admin' })
    .where('id', '=', params.sourceId)
    .execute()
  await call(v1.source.importer.discard, editor(), { params })
  expect([await isThere(params.sourceId), await isTypeThere(dataTypeId)]).toEqual([false, true])
  const fullImport = await createImport('[{"Name": "Oak"}]')
  await run(fullImport, false)
  await expect(call(v1.source.importer.discard, editor(), { params: fullImport })).rejects.toMatchObject({
    kind: 'conflict',
  })
  expect(await isThere(fullImport.sourceId)).toBe(true)
})

test('a source waits for its import until a run has brought something in', async () => {
  const checked = await createImport('[{"Name": "Oak"}]')
  const params = { ...checked }
  expect(await listSourcesAwaitingImport(admin(), [checked.sourceId, 'open'])).toEqual([checked.sourceId])
  await run(params, true)
  expect(await listSourcesAwaitingImport(admin(), [checked.sourceId])).toEqual([checked.sourceId])
  await run(params, false)
  expect(await listSourcesAwaitingImport(admin(), [checked.sourceId])).toEqual([])
})
