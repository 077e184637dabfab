import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeType, readAsMissing } from './change-type.server.ts'
import { jobScreen } from './job.server.ts'
import { call } from '#functions/api/call.ts'
import { processJobs } from '#functions/domain/importer/job/work.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type Person, type TestWorld } from '#db/worlds/world.ts'

const placeId = 'oakton'
let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

/** Uploaded files and pages of imports. */
const files = memoryBucket()
const admin = () => world.as('organization_admin', { files })

/** Twenty wards, of which the codes of four have letters. */
const wards = Array.from({ length: 20 }, (_, i) => `Ward ${i},${i < 4 ? `0${i}B` : 100 + i}`)

/** A source whose code is a number, and the dry run of a file of its rows. */
async function dryRun(lines: string[] = wards) {
  const ctx = admin()
  const schema = {
    name: { name: 'Name', type: 'text' },
    code: { name: 'Code', type: 'number', validation: { min: 1 } },
  }
  const type = { name: 'Ward', schema, temporal: null, ownerPlaceId: placeId }
  const { id: dataTypeId } = await call(v1.dataType.create, ctx, { data: type })
  const source = { name: 'Wards', dataTypeId, placeId, visibility: 'place' }
  const { id: sourceId } = await call(v1.source.create, ctx, { data: source })
  const file = new File([['Name,Code', ...lines].join('\n')], 'wards.csv', { type: 'text/csv' })
  const { id: fileId } = await call(v1.source.file.create, ctx, { params: { sourceId }, data: { file } })
  const { id: importerId } = await call(v1.source.importer.create, ctx, {
    params: { sourceId },
    data: {
      name: 'Wards',
      sources: [{ url: `file:${fileId}`, parser: 'csv' }],
      mapping: { name: { field: 'Name' }, code: { field: 'Code' } },
    },
  })
  const params = { sourceId, importerId }
  const { id: jobId } = await call(v1.source.importer.run, ctx, { params, options: { dryRun: true } })
  await processJobs(world.as('system', { files }))
  return { dataTypeId, params: { ...params, jobId } }
}

type Params = Awaited<ReturnType<typeof dryRun>>['params']

const argsFor = (
  params: Params,
  { role = 'organization_admin', body }: { role?: Person; body?: URLSearchParams },
) => {
  const ctx = world.as(role, { files })
  const here = `${ctx.site.origin}/sources/${params.sourceId}/importers/${params.importerId}/${params.jobId}`
  const headers = { origin: ctx.site.origin }
  const request = new Request(here, body ? { method: 'POST', body, headers } : {})
  return { request, params, context: { ctx } } as unknown as Parameters<typeof jobScreen>[0]
}

test('a field whose values do not fit becomes text in one step, and the file is read again', async () => {
  const { dataTypeId, params } = await dryRun()
  const screen = await jobScreen(argsFor(params, {}))
  expect(screen.preview?.type.fields).toMatchObject([{ field: 'code' }])
  expect(screen.typeOffer).toEqual({ version: 1, types: { code: 'text' } })
  // Who may not change the data type is not offered it, and is refused.
  const body = new URLSearchParams({ intent: 'changeType', field: 'code', type: 'text', version: '1' })
  expect((await jobScreen(argsFor(params, { role: 'member' }))).typeOffer).toBeNull()
  expect(await changeType(argsFor(params, { role: 'member', body }))).toMatchObject({
    ok: false,
    status: 403,
  })
  // A form that was opened before another change of the data type changes nothing.
  const late = new URLSearchParams(body)
  late.set('version', '7')
  expect(await changeType(argsFor(params, { body: late }))).toMatchObject({ ok: false, status: 409 })

  const unknown = new URLSearchParams(body)
  unknown.set('field', 'nothing')
  const refusal: unknown = await changeType(argsFor(params, { body: unknown })).catch(
    (error: unknown) => error,
  )
  expect((refusal as Response).status).toBe(400)

  const left: unknown = await changeType(argsFor(params, { body })).catch((response: unknown) => response)
  const jobId = (left as Response).headers.get('location')?.split('/').at(-1) ?? ''
  expect(jobId).not.toBe(params.jobId)
  await processJobs(world.as('system', { files }))
  const after = await jobScreen(argsFor({ ...params, jobId }, {}))
  expect(after.job).toMatchObject({
    kind: 'dryRun',
    status: 'succeeded',
    counts: { rejected: 0, created: 20 },
  })
  expect(after.typeOffer).toBeNull()
  const { schema } = await call(v1.dataType.findById, admin(), { params: { dataTypeId } })
  expect(schema).toMatchObject({ code: { name: 'Code', type: 'text' }, name: { type: 'text' } })
})

test('no type is offered where another source has records of it', async () => {
  const { dataTypeId, params } = await dryRun()
  await call(v1.source.create, admin(), {
    data: { name: 'Others', dataTypeId, placeId, visibility: 'place' },
  })
  const screen = await jobScreen(argsFor(params, {}))
  expect(screen.preview?.type.fields).toHaveLength(1)
  expect(screen.typeOffer).toBeNull()
})

test('a code for missing values that first comes in row 500 is named by the check, and read so in one step', async () => {
  const lines = Array.from({ length: 600 }, (_, i) => `Ward ${i},${i < 500 || i % 10 ? 1 + (i % 90) : 999}`)
  const { params } = await dryRun(lines)
  const expectedMissing = [{ field: 'code', path: 'Code', words: [{ word: '999', count: 10 }] }]
  expect((await jobScreen(argsFor(params, {}))).preview?.type.mayBeMissing).toEqual(expectedMissing)
  const body = new URLSearchParams({ intent: 'readAsMissing', path: 'Code', word: '999' })
  expect(await readAsMissing(argsFor(params, { role: 'member', body }))).toMatchObject({
    ok: false,
    status: 403,
  })
  const left: unknown = await readAsMissing(argsFor(params, { body })).catch((response: unknown) => response)
  const jobId = (left as Response).headers.get('location')?.split('/').at(-1) ?? ''
  expect(jobId).not.toBe(params.jobId)
  await processJobs(world.as('system', { files }))
  const { preview, job } = await jobScreen(argsFor({ ...params, jobId }, {}))
  expect(job).toMatchObject({ status: 'succeeded', counts: { created: 600, rejected: 0 } })
  expect(preview?.type.mayBeMissing).toEqual([])
  expect(preview?.readAsEmpty).toMatchObject([{ field: 'code', count: 10 }])
})
