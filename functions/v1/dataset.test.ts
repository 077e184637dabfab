import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataset } from './dataset.ts'
import { call } from '#functions/api/call.ts'
import { routes } from '#functions/api/routes.ts'
import { seedRoles } from '#functions/access/seed.ts'
import { anonymous, system, type Context } from '#functions/context.ts'
import { person, recordsWorld, type RecordsWorld } from '#functions/domain/records/testing.ts'
import type { Datum } from '#functions/shapes/datum.ts'

let world: RecordsWorld
let admin: Context
let stranger: Context
let sourceId: string

const ofSource = dataset('source')
const ofPlace = dataset('place.source')

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
  const paths = routes({ source: ofSource }).map(({ method, path }) => `${method} ${path}`)
  expect(paths.sort()).toEqual([
    'delete /sources/:sourceId/data/:datumId',
    'get /sources/:sourceId/analytics',
    'get /sources/:sourceId/data',
    'get /sources/:sourceId/data/:datumId',
    'get /sources/:sourceId/data/cluster',
    'get /sources/:sourceId/export',
    'get /sources/:sourceId/fields',
    'get /sources/:sourceId/values',
    'patch /sources/:sourceId/data/:datumId',
    'post /sources/:sourceId/data',
    'post /sources/:sourceId/data/validate',
    'post /sources/:sourceId/wipe',
  ])
})

describe('a record', () => {
  test('is made, read, changed and deleted', async () => {
    const params = { sourceId }
    const made = (await call(ofSource.datum.create, admin, { params, data: { text: 'a', n: 1 } })) as Datum
    const one = { sourceId, datumId: made.id }
    expect(await call(ofSource.datum.findById, stranger, { params: one })).toEqual(made)
    const changed = await call(ofSource.datum.updateById, admin, { params: one, data: { n: null } })
    expect(changed).toMatchObject({ id: made.id, data: { text: 'a' } })
    const page = await call(ofPlace.datum.find, stranger, {
      params: { ...params, placeId: 'oak' },
      options: { limit: '5' },
    })
    expect(page.meta).toEqual({ results: 1, total: 1 })
    expect(await call(ofSource.datum.deleteById, admin, { params: one })).toEqual({ id: made.id })
    await expect(call(ofSource.datum.findById, stranger, { params: one })).rejects.toMatchObject({
      kind: 'notFound',
    })
  })

  test('comes in batches of at most 1,000, and is checked without being stored', async () => {
    const params = { sourceId }
    const batch = await call(ofSource.datum.create, admin, { params, data: [{ text: 'b' }, { n: 1 }] })
    expect(batch).toMatchObject({
      created: 1,
      errors: [{ index: 1, fields: [{ path: ['text'], validator: 'required' }] }],
    })
    const tooMany = Array.from({ length: 1001 }, () => ({ text: 'c' }))
    await expect(call(ofSource.datum.create, admin, { params, data: tooMany })).rejects.toMatchObject({
      kind: 'invalid',
    })
    const check = (data: unknown, options = {}) =>
      call(ofSource.datum.validate, admin, { params, data, options })
    expect(await check({ text: 'd' })).toEqual({ valid: true })
    await expect(check({ n: 'x' })).rejects.toMatchObject({ issues: [{ path: ['text'] }, { path: ['n'] }] })
    expect(await check({ n: 2 }, { partial: 'true' })).toEqual({ valid: true })
    expect(await call(ofSource.wipe, admin, { params })).toEqual({ count: 1 })
  })
})

test('who may not write learns that first, who asks for an unknown option next', async () => {
  const params = { sourceId, datumId: '1' }
  const outsider = world.as(person('eva', { elm: 'organization_admin' }))
  for (const endpoint of [
    ofSource.datum.create,
    ofSource.datum.updateById,
    ofSource.datum.deleteById,
    ofSource.wipe,
  ]) {
    await expect(call(endpoint, stranger, { params, data: {} })).rejects.toMatchObject({
      kind: 'unauthenticated',
    })
    await expect(call(endpoint, outsider, { params, data: {} })).rejects.toMatchObject({ kind: 'notFound' })
  }
  const options = { nonsense: 1, zoom: 1, field: 'data.text' }
  for (const endpoint of [
    ofSource.values,
    ofSource.fields,
    ofSource.export,
    ofSource.analytics,
    ofSource.datum.find,
  ]) {
    await expect(call(endpoint, stranger, { params, options })).rejects.toMatchObject({ kind: 'invalid' })
  }
})
