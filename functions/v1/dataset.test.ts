import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataset } from './dataset.ts'
import { call } from '#functions/api/call.ts'
import { routes } from '#functions/api/routes.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import type { Failure } from '#functions/errors.ts'
import { person, recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'
import type { Datum } from '#functions/shapes/datum.ts'
import { exportFormats } from '#functions/shapes/export-format.ts'

let world: RecordsWorld
let admin: Context
let stranger: Context
let sourceId: string

const sourceDataset = dataset('source')
const placeDataset = dataset('place.source')

beforeAll(async () => {
  world = await recordsWorld()
  await world.as(system).transaction(seedRoles)
  admin = world.as(person('ada', { oak: 'organization_admin' }))
  stranger = world.as(anonymous)
  await world.dataType('note', {
    text: { name: 'Text', type: 'text', validation: { required: true } },
    n: { name: 'N', type: 'number' },
  })
  sourceId = await world.source('note', 'public')
})
afterAll(() => world.close())

test('paths follow from the names', () => {
  const paths = routes({ source: sourceDataset }).map(({ method, path }) => `${method} ${path}`)
  expect(paths.sort()).toEqual([
    'delete /sources/:sourceId/data/:datumId',
    'get /sources/:sourceId/analytics',
    'get /sources/:sourceId/data',
    'get /sources/:sourceId/data/:datumId',
    'get /sources/:sourceId/data/cluster',
    'get /sources/:sourceId/datapackage.json',
    'get /sources/:sourceId/export',
    ...exportFormats.map((format) => `get /sources/:sourceId/export.${format}`).sort(),
    'get /sources/:sourceId/fields',
    'get /sources/:sourceId/values',
    'patch /sources/:sourceId/data/:datumId',
    'post /sources/:sourceId/data',
    'post /sources/:sourceId/data/deleteMany',
    'post /sources/:sourceId/data/validate',
    'post /sources/:sourceId/wipe',
  ])
})

describe('a record', () => {
  test('is created, read, changed and deleted', async () => {
    const params = { sourceId }
    const datum = (await call(sourceDataset.datum.create, admin, {
      params,
      data: { text: 'a', n: 1 },
    })) as Datum
    const one = { sourceId, datumId: datum.id }
    expect(await call(sourceDataset.datum.findById, stranger, { params: one })).toEqual(datum)
    const updatedDatum = await call(sourceDataset.datum.updateById, admin, { params: one, data: { n: null } })
    expect(updatedDatum).toMatchObject({ id: datum.id, data: { text: 'a' } })
    const page = await call(placeDataset.datum.find, stranger, {
      params: { ...params, placeId: 'oak' },
      options: { limit: '5' },
    })
    expect(page.meta).toEqual({ results: 1, total: 1 })
    expect(await call(sourceDataset.datum.deleteById, admin, { params: one })).toEqual({ id: datum.id })
    await expect(call(sourceDataset.datum.findById, stranger, { params: one })).rejects.toMatchObject({
      kind: 'notFound',
    })
  })

  test('is created in batches of up to 1,000, and validated without being stored', async () => {
    const params = { sourceId }
    const batch = await call(sourceDataset.datum.create, admin, { params, data: [{ text: 'b' }, { n: 1 }] })
    expect(batch).toMatchObject({
      created: 1,
      errors: [{ index: 1, fields: [{ path: ['text'], validator: 'required' }] }],
    })
    const tooMany = Array.from({ length: 1001 }, () => ({ text: 'c' }))
    await expect(call(sourceDataset.datum.create, admin, { params, data: tooMany })).rejects.toMatchObject({
      kind: 'invalid',
    })
    const check = (data: unknown, options = {}) =>
      call(sourceDataset.datum.validate, admin, { params, data, options })
    expect(await check({ text: 'd' })).toEqual({ valid: true })
    await expect(check({ n: 'x' })).rejects.toMatchObject({ issues: [{ path: ['text'] }, { path: ['n'] }] })
    expect(await check({ n: 2 }, { partial: 'true' })).toEqual({ valid: true })
    expect(await call(sourceDataset.wipe, admin, { params })).toEqual({ count: 1 })
  })
})

describe('statuses', () => {
  test('201 for a new record, 200 for a replaced or unchanged one, 200 for a list', async () => {
    const params = { sourceId }
    const readCreateStatus = async (data: unknown) => {
      admin.responded.status = null
      await call(sourceDataset.datum.create, admin, { params, data })
      return admin.responded.status
    }
    expect(await readCreateStatus({ text: 'new' })).toBeNull()
    expect(await readCreateStatus({ text: 'new' })).toBe(200)
    expect(await readCreateStatus([{ text: 'other' }])).toBe(200)
    await call(sourceDataset.wipe, admin, { params })
  })
})

describe('several at once', () => {
  test('apply to all records, report unknown ones, and are idempotent', async () => {
    const params = { sourceId }
    const records = await Promise.all(
      ['a', 'b', 'c'].map((text) => call(sourceDataset.datum.create, admin, { params, data: { text } })),
    )
    const [a = '', b = '', c = ''] = records.map((datum) => (datum as Datum).id)
    const ids = [b, 'nonsense', a, '999999', a]
    const version = async () =>
      (
        await admin.db
          .selectFrom('source')
          .select('dataVersion')
          .where('id', '=', sourceId)
          .executeTakeFirst()
      )?.dataVersion
    const deletion = await call(sourceDataset.datum.deleteMany, admin, { params, data: { ids } })
    expect(deletion).toEqual({ count: 2, missing: ['nonsense', '999999'] })
    const after = await version()
    expect(await call(sourceDataset.datum.deleteMany, admin, { params, data: { ids } })).toEqual({
      count: 0,
      missing: [b, 'nonsense', a, '999999'],
    })
    expect(await version()).toBe(after)
    const left = await call(sourceDataset.datum.find, stranger, { params })
    expect(left.results.map(({ id }) => id)).toEqual([c])
    await expect(
      call(sourceDataset.datum.deleteMany, admin, { params, data: { ids: [] } }),
    ).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['ids'] }],
    })
    await call(sourceDataset.wipe, admin, { params })
  })
})

describe('values that the database would reject', () => {
  test('are rejected by validate and create alike, with path and reason', async () => {
    await world.dataType('area', {
      area: { name: 'Area', type: 'polygon' },
      at: { name: 'At', type: 'date' },
    })
    const params = { sourceId: await world.source('area', 'public') }
    const bow = { type: 'Polygon', coordinates: [[[1, 1], [2, 2], [2, 1], [1, 2], [1, 1]]] } // prettier-ignore
    for (const endpoint of [sourceDataset.datum.validate, sourceDataset.datum.create]) {
      const ask = (data: unknown) =>
        call(endpoint as typeof sourceDataset.datum.create, admin, { params, data })
      await expect(ask({ area: bow })).rejects.toMatchObject({
        issues: [{ path: ['area'], message: 'Self-intersection' }],
      })
      await expect(ask({ at: '0000-01-01T00:00:00Z' })).rejects.toMatchObject({
        issues: [{ path: ['at'], value: '0000-01-01T00:00:00Z', message: 'Not a valid date value' }],
      })
    }
    const filters = { 'data.at': { $gt: '0000-01-01T00:00:00Z' } }
    const recordsPromise = call(sourceDataset.datum.find, stranger, { params, options: { filters } })
    expect((await recordsPromise.catch((error: Failure) => error.kind)) as unknown).not.toBe('broken')
  })
})

describe('the format of an export', () => {
  const exported = async (options: object, accept: string | null, endpoint = sourceDataset.export) => {
    const headers = new Headers(accept === null ? {} : { accept })
    const ctx = world.as(anonymous)
    ctx.request = { ...ctx.request, headers }
    const { contentType } = await call(endpoint, ctx, { params: { sourceId }, options })
    return contentType.split(';')[0]
  }
  test.each([
    [{}, null, 'application/json'],
    [{}, 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    [{}, 'text/csv', 'text/csv'],
    [{}, 'text/*', 'text/csv'],
    [{}, 'image/png, application/geo+json;q=0.5', 'application/geo+json'],
    [{}, 'text/csv;q=0.1, application/vnd.apache.parquet', 'application/vnd.apache.parquet'],
    [{}, 'application/vnd.google-earth.kmz', 'application/vnd.google-earth.kmz'],
    [{}, 'application/zip', 'application/zip'],
    [{}, 'text/tab-separated-values', 'text/tab-separated-values'],
    [{}, 'application/geo+json-seq', 'application/x-ndjson'],
    [{ format: 'csv' }, 'image/png', 'text/csv'],
  ])('%j with Accept %s is %s', async (options, accept, type) => {
    expect(await exported(options, accept)).toBe(type)
  })
  test('the extension in the path takes precedence', async () => {
    expect(await exported({ format: 'json' }, 'image/png', sourceDataset['export.csv'])).toBe('text/csv')
  })
  test('no acceptable format is 406, an unknown one 400 with the list', async () => {
    await expect(exported({}, 'image/png')).rejects.toMatchObject({ kind: 'notAcceptable', status: 406 })
    await expect(exported({}, 'text/csv;q=0, image/png')).rejects.toMatchObject({ status: 406 })
    await expect(exported({ format: 'word' }, null)).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['format'], message: `Must be one of: ${exportFormats.join(', ')}` }],
    })
  })
})

test('a file of a result has the requested columns in order', async () => {
  const count = { alias: 'count', value: { function: 'count' } }
  const most = { alias: 'most', value: { function: 'max', arguments: [{ field: 'data.n' }] } }
  const file = async (fields: string) => {
    const options = { aggregations: [count, most], fields }
    const { body } = await call(sourceDataset['export.csv'], stranger, { params: { sourceId }, options })
    const [heads] = (await new Response(body).text()).split('\r\n')
    return heads
  }
  expect(await file('most,count')).toBe('most,count')
  expect(await file('most')).toBe('most')
  await expect(file('most,data.n')).rejects.toMatchObject({
    kind: 'invalid',
    issues: [{ path: ['fields', 1], value: 'data.n', message: 'Field does not exist.' }],
  })
})

test('missing permission is reported before an unknown option', async () => {
  const params = { sourceId, datumId: '1' }
  const outsider = world.as(person('eva', { elm: 'organization_admin' }))
  for (const endpoint of [
    sourceDataset.datum.create,
    sourceDataset.datum.updateById,
    sourceDataset.datum.deleteById,
    sourceDataset.wipe,
  ]) {
    await expect(call(endpoint, stranger, { params, data: {} })).rejects.toMatchObject({
      kind: 'unauthenticated',
    })
    await expect(call(endpoint, outsider, { params, data: {} })).rejects.toMatchObject({ kind: 'notFound' })
  }
  const options = { nonsense: 1, zoom: 1, field: 'data.text' }
  for (const endpoint of [
    sourceDataset.values,
    sourceDataset.fields,
    sourceDataset.export,
    sourceDataset.analytics,
    sourceDataset.datum.find,
  ]) {
    await expect(call(endpoint, stranger, { params, options })).rejects.toMatchObject({ kind: 'invalid' })
  }
})
