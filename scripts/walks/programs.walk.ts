import { describe, expect, test } from 'vitest'
import { account, ask } from './ask.ts'

const asJson = { 'content-type': 'application/json' }

describe('the API map', () => {
  test('lists every endpoint with its path and method', async () => {
    const { status, text } = await ask('/v1')
    expect(status).toBe(200)
    const map = JSON.parse(text) as Record<string, Record<string, unknown>>
    expect(map.place).toMatchObject({
      source: { findById: { path: '/v1/places/:placeId/sources/:sourceId', method: 'get' } },
    })
  })
})

describe('an insight', () => {
  test.each([
    ['svg', 'image/svg+xml; charset=utf-8', '<svg xmlns='],
    ['png', 'image/png', 'PNG'],
    ['csv', 'text/csv; charset=utf-8; header=present', 'month,temperature'],
    ['json', 'application/json', '{"results":['],
    ['metadata.json', 'application/json', '{"id":"seattle-temperature"'],
  ])('is available as %s', async (ending, type, start) => {
    const path = `/v1/places/seattle-wa/insights/seattle-temperature.${ending}`
    const { status, headers, text } = await ask(path)
    expect([status, headers['content-type']]).toEqual([200, type])
    expect(text.slice(0, 40)).toContain(start)
  })
})

describe('bad input', () => {
  test.each([
    ['an option that is not one', '/v1/places/seattle-wa/sources?colour=red', ['colour']],
    ['a limit that is no number', '/v1/places/seattle-wa/sources?limit=many', ['limit']],
    [
      'an unknown field',
      '/v1/places/seattle-wa/sources/seattle-weather/data?filters[data.nope]=1',
      ['filters', 'data', 'nope'],
    ],
    [
      'a function that does not exist',
      '/v1/places/seattle-wa/sources/seattle-weather/analytics?aggregations[0][alias]=x&aggregations[0][value][function]=drop',
      ['aggregations', 0, 'value', 'function'],
    ],
  ])('%s is a 400 with its path', async (_what, path, issuePath) => {
    const { status, text } = await ask(path)
    expect([path, status]).toEqual([path, 400])
    const { error, fields, requestId } = JSON.parse(text) as {
      error: { status: number; fields: unknown[] }
      fields: { path: unknown; message: string }[]
      requestId: string
    }
    expect(error.status).toBe(400)
    expect(fields).toEqual(error.fields)
    expect(fields[0]?.path).toEqual(issuePath)
    expect(fields[0]?.message).toBeTruthy()
    expect(requestId).toBeTruthy()
  })

  test('rejects an invalid record with its path and accepts the rest of its batch', async () => {
    const { key } = account('organization_admin')
    const day = (id: string, precipitation: unknown) => {
      return { id, day: id, precipitation, maximum: 8 }
    }
    const { status, text } = await ask('/v1/sources/seattle-weather/data', {
      method: 'POST',
      headers: { ...asJson, authorization: `Bearer ${key}` },
      body: JSON.stringify([day('2016-01-01', 3), day('2016-01-02', 'wet'), day('2016-01-03', -1)]),
    })
    expect(status).toBe(200)
    const { created, errors } = JSON.parse(text) as {
      created: number
      errors: { index: number; fields: { path: unknown[]; validator?: string }[] }[]
    }
    expect(created).toBe(1)
    expect(errors.map(({ index, fields }) => [index, fields[0]?.path.at(-1), fields[0]?.validator])).toEqual([
      [1, 'precipitation', undefined],
      [2, 'precipitation', 'min'],
    ])
    // Other walks count the records that the demo begins with.
    const storedRecord = await ask('/v1/sources/seattle-weather/data?filters[data.id]=2016-01-01')
    const [{ id } = { id: '' }] = (JSON.parse(storedRecord.text) as { results: { id: string }[] }).results
    const deletion = await ask(`/v1/sources/seattle-weather/data/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}` },
    })
    expect(deletion.status).toBe(200)
  })

  test('invalid JSON, unknown methods and unknown paths have their status', async () => {
    const { key } = account('organization_admin')
    const headers = { ...asJson, authorization: `Bearer ${key}` }
    expect(
      (await ask('/v1/sources/seattle-weather/data', { method: 'POST', headers, body: '{"data":' })).status,
    ).toBe(400)
    expect((await ask('/v1/places/seattle-wa', { method: 'PUT', headers, body: '{}' })).status).toBe(405)
    expect((await ask('/v1/nothing')).status).toBe(404)
    expect((await ask('/v1/places', { headers: { authorization: 'Bearer cpk_wrong' } })).status).toBe(401)
  })
})

describe('who may see what', () => {
  test.each([
    ['nobody', null, 404],
    ['none', 'none', 404],
    ['viewer', 'viewer', 200],
    ['super_admin', 'super_admin', 200],
  ])('a private source of a place, as %s', async (_who, role, expectedStatus) => {
    const key = role ? account(role).key : null
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {}
    const { status } = await ask('/v1/places/seattle-wa/sources/washington-strikes', { headers })
    expect(status).toBe(expectedStatus)
  })

  test('a member may not do what only admins may', async () => {
    const headers = { ...asJson, authorization: `Bearer ${account('viewer').key}` }
    const { status } = await ask('/v1/places/seattle-wa', {
      method: 'PATCH',
      headers,
      body: '{"displayName":"Mine"}',
    })
    expect(status).toBe(403)
  })
})
